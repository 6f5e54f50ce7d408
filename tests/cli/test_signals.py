"""Commands that are ended from outside, by SIGTERM or SIGKILL, in the middle of writing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assay.cli.main import main

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for open files in /proc")

MAIN = "import sys; from assay.cli.main import main; sys.exit(main())"
NAMED = f"import os; del os.O_TMPFILE; {MAIN}"  # as on a system that has no files without a name
# The first file of the folder is whole, and the command waits for standard input.
HALF_A_FOLDER = f"import sys; import assay.files as files; files._sync_folder = lambda _: sys.stdin.read(); {MAIN}"
ITEM = {"references": ["the cat sat on the mat"], "outputs": {"A": "the cat sat", "B": ""}}


def write_items(path: Path, count: int = 3) -> Path:
    path.write_text("".join(json.dumps({"id": str(i), **ITEM}) + "\n" for i in range(count)))
    return path


def wait_until(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def has_open(process: subprocess.Popen[str], folder: Path) -> bool:
    """Check if the process has a file in the folder open, with a name or without."""
    place = f"/proc/{process.pid}/fd"
    try:
        return any(os.readlink(f"{place}/{name}").startswith(f"{folder}/") for name in os.listdir(place))
    except FileNotFoundError:  # closed meanwhile
        return False


@contextmanager
def command(code: str, *arguments: object, group: bool = False) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=group,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def half_a_score(code: str, out: Path) -> Iterator[subprocess.Popen[str]]:
    """Give a process that has opened what it writes, and waits for the next item."""
    with command(code, "score", "-", "-m", "rouge1", "--per-item", "--out", out) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"id": "1", **ITEM}) + "\n")
        process.stdin.flush()
        wait_until(lambda: has_open(process, out.parent), process)
        yield process


@contextmanager
def half_a_folder(source: Path, out: Path) -> Iterator[subprocess.Popen[str]]:
    with command(HALF_A_FOLDER, "convert", source, out, "--to", "lines") as process:
        wait_until(lambda: bool(files_of(out)), process)
        yield process


def files_of(out: Path) -> dict[Path, bytes]:
    """Read what is in the hidden folder that takes the place of `out`."""
    return {path: path.read_bytes() for path in out.parent.glob(f".{out.name}.*.part/**/*") if path.is_file()}


def end(process: subprocess.Popen[str], number: int) -> tuple[int, str]:
    process.send_signal(number)
    _, message = process.communicate(timeout=30)
    return process.returncode, message


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("code", [MAIN, NAMED], ids=["unnamed", "named"])
def test_sigterm_leaves_no_half_file(code, old, tmp_path):
    out = tmp_path / "scores.jsonl"
    if old is not None:
        out.write_text(old)
    with half_a_score(code, out) as process:
        assert end(process, signal.SIGTERM) == (143, "assay: terminated; nothing was written\n")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == ({} if old is None else {out.name: old})


def test_sigterm_leaves_no_half_folder(tmp_path):
    source, out = write_items(tmp_path / "in.jsonl"), tmp_path / "out"
    with half_a_folder(source, out) as process:
        assert end(process, signal.SIGTERM) == (143, "assay: terminated; nothing was written\n")
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_sigkill_leaves_no_half_file(tmp_path):
    with half_a_score(MAIN, tmp_path / "scores.jsonl") as process:
        assert end(process, signal.SIGKILL) == (-signal.SIGKILL, "")
    assert os.listdir(tmp_path) == []


def test_what_sigkill_leaves_of_a_file_with_a_name_goes_with_the_next_run(tmp_path):
    source, out = write_items(tmp_path / "in.jsonl"), tmp_path / "scores.jsonl"
    with half_a_score(NAMED, out) as process:
        end(process, signal.SIGKILL)
    assert len(list(tmp_path.glob(".scores.jsonl.*.part"))) == 1
    with command(NAMED, "score", source, "-m", "rouge1", "--out", out, "--quiet") as process:
        assert process.communicate()[1] == ""
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "scores.jsonl"]


def test_what_sigkill_leaves_of_a_folder_goes_with_the_next_run(tmp_path):
    source, out = write_items(tmp_path / "in.jsonl"), tmp_path / "out"
    with half_a_folder(source, out) as process:
        end(process, signal.SIGKILL)
    assert len(list(tmp_path.glob(".out.*.part"))) == 1
    assert main(["convert", str(source), str(out), "--to", "lines", "--quiet"]) == 0
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out"]


def test_a_folder_that_another_process_is_writing_stays(tmp_path):
    source, out = write_items(tmp_path / "in.jsonl"), tmp_path / "out"
    with half_a_folder(source, out) as process:
        half = files_of(out)
        assert main(["convert", str(source), str(out), "--to", "lines", "--quiet"]) == 0
        assert files_of(out) == half
        assert end(process, signal.SIGTERM)[0] == 143
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", "out"]


@pytest.mark.parametrize("to_all", [False, True], ids=["process", "group"])
@pytest.mark.parametrize("engine", ["threads", "dask"])
def test_sigterm_leaves_no_half_part_of_an_engine(engine, to_all, tmp_path):
    if engine == "dask":
        pytest.importorskip("distributed")
    out, pipe = tmp_path / "out", tmp_path / "part.jsonl"
    os.mkfifo(pipe)
    options = ("--per-item", "--engine", engine, "--out", out)
    with command(MAIN, "score", pipe, "-m", "rouge1", *options, group=True) as process:
        wait_until(lambda: any(out.glob(".part-*")), process)
        if to_all:
            os.killpg(process.pid, signal.SIGTERM)
        assert end(process, signal.SIGTERM) == (143, "assay: terminated; nothing was written\n")
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []


def run_code(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_a_second_sigterm_does_not_stop_the_cleaning_up():
    """`timeout` sends it to the process, and then to its group."""
    code = """
import signal
from assay.cli import _signals
_signals.raise_on_termination()
try:
    signal.raise_signal(signal.SIGTERM)
except _signals.Terminated as error:
    signal.raise_signal(signal.SIGTERM)
    _signals._TWICE = -1.0  # as if it came later
    try:
        signal.raise_signal(signal.SIGTERM)
    except _signals.Terminated:
        print("raised twice")
"""
    assert run_code(code).stdout == "raised twice\n"


def test_a_fork_ends_without_cleaning_up():
    code = """
import os, signal
from assay.cli._signals import raise_on_termination
raise_on_termination()
child = os.fork()
if not child:
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        print("cleaned up")
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run_code(code).stdout == "-15\n"


@pytest.mark.parametrize(
    ("before", "call"),
    [("signal.SIG_IGN", "main()"), ("signal.SIG_DFL", "main(['--version'])")],
    ids=["ignored by who started it", "called by a program"],
)
def test_the_handler_is_for_command_lines_only(before, call):
    code = f"""
import signal, sys
from assay.cli.main import main
sys.argv = ["assay", "--version"]
signal.signal(signal.SIGTERM, {before})
{call}
assert signal.getsignal(signal.SIGTERM) is {before}
"""
    assert run_code(code).stderr == ""
