"""The journal: what was answered is found again, a cut last line is removed, and nothing else is taken for one."""

from __future__ import annotations

import errno
import json
import os

import pytest

from assay.errors import FormatError
from assay.llm.journal import Journal, StoredAnswer

ANSWER = StoredAnswer({"choices": []}, 0.5, "2026-01-01T00:00:00Z")


def filled(path):
    with Journal(path) as journal:
        journal.record_sent("a", 10, "t")
        journal.record_answer("a", ANSWER)
        journal.record_sent("b", 20, "t")
        journal.record_failure("b", "timeout", 20, "t")
        journal.record_sent("b", 20, "t")
    return path


def test_everything_is_found_again(tmp_path):
    with Journal(filled(tmp_path / "x.jsonl")) as journal:
        assert journal.answers == {"a": ANSWER}
        assert journal.sent == {"a": 1, "b": 2}
        assert journal.lost["b"] == [20]  # sent, and nothing was heard of it
        assert journal.charged["b"] == 20


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_line_that_was_cut_off_is_removed(tmp_path, cut):
    path = filled(tmp_path / "x.jsonl")
    whole = path.read_bytes()
    os.truncate(path, len(whole) - cut)
    with Journal(path) as journal:
        assert journal.answers == {"a": ANSWER}
        assert journal.sent["b"] == 1
        journal.record_sent("c", 1, "t")
    with Journal(path) as journal:
        assert journal.sent["c"] == 1


def test_a_header_that_was_cut_off(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"format":"ass')
    with Journal(path) as journal:
        assert not journal.answers
        journal.record_sent("a", 1, "t")
    assert json.loads(path.read_text().splitlines()[0])["version"] == 1


def test_a_long_last_line_that_was_cut_off(tmp_path):
    path = filled(tmp_path / "x.jsonl")
    size = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"event":"answered","key":"' + b"x" * 200_000)
    with Journal(path) as journal:
        assert list(journal.answers) == ["a"]
    assert path.stat().st_size == size


@pytest.mark.parametrize("content", [b"hello\n", b'{"id": "1"}\n', b"\n", b"\x00" * 100])
def test_other_files_are_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="is not a file of answers of a judge"):
        Journal(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [b"{}", b"[1]", b'{"event":"answered","key":"z"}', b'{"event":"x","key":"a"}', b"{"])
def test_a_damaged_line_is_named(tmp_path, line):
    path = filled(tmp_path / "x.jsonl")
    with path.open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(FormatError, match=r"x\.jsonl:7: "):
        Journal(path)


def test_one_process_at_a_time(tmp_path):
    path = tmp_path / "x.jsonl"
    with Journal(path), pytest.raises(FormatError, match="another run is writing to it"):
        Journal(path)
    Journal(path).close()


def test_only_the_owner_may_read_it(tmp_path):
    assert filled(tmp_path / "x.jsonl").stat().st_mode & 0o777 == 0o600


def test_an_answer_that_comes_too_late_is_written_nowhere(tmp_path):
    journal = Journal(tmp_path / "x.jsonl")
    journal.close()
    with pytest.raises(FormatError, match="the run has ended"):
        journal.record_answer("a", ANSWER)


def test_a_full_disk_leaves_no_half_line(tmp_path, monkeypatch):
    path = filled(tmp_path / "x.jsonl")
    before = path.read_bytes()
    write = os.write

    def fill(handle: int, line: bytes) -> int:
        if len(line) < 40:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, line[:-30])

    with Journal(path) as journal:
        monkeypatch.setattr(os, "write", fill)
        with pytest.raises(FormatError, match="cannot be written: No space left on device"):
            journal.record_sent("z", 1, "t")
        monkeypatch.undo()
    assert path.read_bytes() == before


def test_a_new_file_without_answers_is_removed(tmp_path):
    path = tmp_path / "x.jsonl"
    with Journal(path) as journal:
        journal.record_sent("a", 10, "t")
        journal.record_failure("a", "server error", 0, "t")
    assert not path.exists()
    with Journal(path) as journal:
        journal.record_sent("a", 10, "t")
        journal.record_failure("a", "timeout", 10, "t")  # which may have been charged
    assert path.exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FormatError, match="cannot be written: No such file"):
        Journal(tmp_path / "no" / "x.jsonl")
