"""What a terminal sees: colour, progress, quiet, completion, Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.cli._progress import Progress
from assay.cli.main import commands, main

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


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_knows_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in commands())


def test_bash_completes(tmp_path):
    script = subprocess.run([sys.executable, "-c", CODE, "completion", "bash"], capture_output=True, text=True).stdout
    (tmp_path / "assay.bash").write_text(script)
    # what Tab does: the words so far, then the function that bash was told of
    ask = """source assay.bash; COMP_WORDS=(assay comp); COMP_CWORD=1; COMP_LINE="assay comp"; COMP_POINT=10
    $(complete -p assay | sed -E 's/.*-F ([^ ]+).*/\\1/') assay comp assay; echo "${COMPREPLY[@]}" """
    done = subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True)
    assert {"compare", "completion"} <= set(done.stdout.split()), done.stderr


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
