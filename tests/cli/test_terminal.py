"""What a terminal sees: colour, progress, quiet, completion, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.cli._progress import Progress
from assay.cli.main import main

CODE = "import sys; from assay.cli.main import main; sys.exit(main(sys.argv[1:]))"
ITEM = {"id": "1", "references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": ""}}


@pytest.fixture
def file(tmp_path) -> str:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(ITEM) + "\n", "utf-8")
    return str(path)


def on_a_terminal(arguments: list[str], **environment: str) -> str:
    """What a command prints where standard output is a terminal."""
    ours, theirs = pty.openpty()
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-c", CODE, *arguments], stdout=theirs, env={**base, "TERM": "xterm", **environment}
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        process.wait()
    os.close(ours)
    return said.decode()


def test_colour_is_for_terminals_that_want_it(file, capsys):
    assert "\x1b[1m" in on_a_terminal(["score", file, "-m", "rouge1"])
    assert "\x1b" not in on_a_terminal(["score", file, "-m", "rouge1"], NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(["score", file, "-m", "rouge1"], TERM="dumb")
    main(["score", file, "-m", "rouge1"])
    assert "\x1b" not in capsys.readouterr().out


def test_colour_can_be_forced_through_a_pipe(file, capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["score", file, "-m", "rouge1"])
    assert "\x1b[1m" in capsys.readouterr().out


def test_quiet_leaves_out_the_notes(file, capsys):
    main(["score", file, "-m", "rouge1"])
    assert "empty outputs" in capsys.readouterr().err
    main(["score", file, "-m", "rouge1", "--quiet"])
    assert capsys.readouterr().err == ""


def test_progress_is_only_for_terminals(capsys):
    with Progress(range(3), total=3) as parts:
        assert list(parts) == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_ctrl_c_leaves_no_half_file(tmp_path):
    out = tmp_path / "scores.jsonl"
    read, write = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", CODE, "score", "-", "-m", "rouge1", "--per-item", "--out", str(out)],
        stdin=read,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(read)
        line = (json.dumps(ITEM) + "\n").encode()
        os.write(write, line)
        time.sleep(2)  # it waits for more items now
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        said = process.stderr.read().decode()
        os.close(write)
    assert process.returncode == 130
    assert "interrupted" in said
    assert list(Path(tmp_path).iterdir()) == []


def in_a_shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a line typed into bash does; $ASSAY is the command."""
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(CODE)}"
    return subprocess.run(
        ["bash", "-c", line.replace("$ASSAY", command)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("$ASSAY score {file} >&-", "standard output is closed"),
        ("$ASSAY score {file} --json >&-", "standard output is closed"),
        ("$ASSAY score - <&-", "standard input is closed"),
        ("$ASSAY compress - <&-", "standard input is closed"),
        ("$ASSAY score {file} --quiet >/dev/full", "standard output cannot be written: No space left on device"),
        ("$ASSAY score {file} --quiet --json >/dev/full", "standard output cannot be written: No space left on device"),
        ("$ASSAY score --help >/dev/full", "standard output cannot be written: No space left on device"),
        ("$ASSAY --version >/dev/full", "standard output cannot be written: No space left on device"),
    ],
)
def test_streams_that_cannot_be_used_are_one_line(file, line, said):
    done = in_a_shell(line.format(file=file))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"assay: {said}")


def test_errors_do_not_go_to_standard_output_where_there_is_no_other(file):
    done = in_a_shell(f"$ASSAY score {file} -m nonsense 2>&-")
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_has_enough_is_no_error(file):
    done = in_a_shell(f"set -o pipefail; $ASSAY score {file} --per-item --json | true; $ASSAY --help | head -n 1")
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1", "cp1252"])
def test_a_narrow_encoding_is_no_error(tmp_path, encoding):
    item = {**ITEM, "outputs": {"naïve 東京": "the cat"}}
    (tmp_path / "set.jsonl").write_text(json.dumps(item), "utf-8")
    done = in_a_shell(f"$ASSAY score {tmp_path}/set.jsonl -m rouge1 | iconv -f {encoding}", PYTHONIOENCODING=encoding)
    assert done.stderr == ""
    assert "\\u6771\\u4eac" in done.stdout


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), 2, "out of memory"),
        (RecursionError("maximum recursion depth exceeded"), 2, "nested too deeply"),
        (OSError(28, "No space left on device", "x\x1b.bin"), 2, "x\\u001b.bin: No space left on device"),
        (PermissionError(13, "Permission denied", "x"), 2, "x: Permission denied"),
        (ModuleNotFoundError("No module named 'spacy'", name="spacy"), 2, "spacy is not installed"),
        (KeyError("x"), 1, "internal error: KeyError: 'x' (run with ASSAY_DEBUG=1 for the traceback)"),
    ],
)
def test_any_exception_is_one_line(file, error, code, said, capsys, monkeypatch):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.delenv("ASSAY_DEBUG", raising=False)
    monkeypatch.setattr("assay.cli.score.run", fail)
    assert main(["score", file]) == code
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert said in err
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    assert main(["score", file]) == code
    assert ("Traceback" in capsys.readouterr().err) == (code == 1)
