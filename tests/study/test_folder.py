"""The folder of a study: private, whole, and held by one process."""

from __future__ import annotations

import stat

import pytest

from assay.errors import FormatError, InputError
from assay.study.folder import StudyFolder, hash_texts


def test_a_folder_comes_back_as_it_was_made(make_study, three_systems):
    folder = make_study(three_systems, "rate(reveal=true)", title="Title", instructions="# Read", repeats=0.1)
    again = StudyFolder(folder.path)
    assert again.settings.title == "Title"
    assert again.settings.design.repeats == 0.1
    assert "reveal=true" in again.protocol.signature()
    assert again.texts() is not None
    assert again.document("instructions.md") == "# Read"
    assert again.document("consent.md") == ""
    again.check_texts()


def test_secrets_are_private_and_tokens_differ(make_study, three_systems):
    one, two = make_study(three_systems), make_study(three_systems)
    assert stat.S_IMODE((one.path / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o700
    tokens = {one.derive("admin"), one.derive("join"), two.derive("admin")}
    assert len(tokens) == 3
    assert all(len(token) == 40 for token in tokens)


def test_changed_texts_are_refused(make_study, three_systems):
    folder = make_study(three_systems)
    before = hash_texts(folder.path)
    with open(folder.path / "set.jsonl", "a") as file:
        file.write("\n")
    assert hash_texts(folder.path) != before
    with pytest.raises(FormatError, match="the texts changed"):
        folder.check_texts()


def test_a_second_process_is_refused(make_study, three_systems):
    folder = make_study(three_systems)
    with folder.lock("this"), pytest.raises(InputError, match="another process"), folder.lock("that"):
        pass


@pytest.mark.parametrize("content", ["", "{", '{"id": 1}', '{"format": 1, "extra": true}'])
def test_what_is_no_study_is_refused(tmp_path, content):
    (tmp_path / "study.json").write_text(content)
    with pytest.raises(FormatError, match="cannot be read"):
        _ = StudyFolder(tmp_path).settings


def test_a_missing_folder_says_how_to_make_one(tmp_path):
    with pytest.raises(FormatError, match="assay study new"):
        _ = StudyFolder(tmp_path / "none").settings


def test_a_folder_with_something_in_it_is_kept(make_study, three_systems, tmp_path):
    from assay.study.creation import create_study
    from assay.study.protocols import PROTOCOLS
    from assay.study.settings import StudyDesign

    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("x")
    with pytest.raises(FormatError, match="not empty"):
        create_study(tmp_path / "full", three_systems, PROTOCOLS.build("rate"), design=StudyDesign())
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["file"]
