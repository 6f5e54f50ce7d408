"""Processes that parse: the same parses, whatever becomes of a helper or of the caller."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pipelines import NAME

from assay.text.parse import engines, workers
from assay.text.parse.engines import GROUP, engine
from assay.text.parse.helper import send as send_message
from assay.text.parse.sentence import Word
from assay.text.parse.workers import MIN_BLOCKS, _Helpers, default_processes, parse_chunks, stop_helpers

LINES = [f"Number {i} is a number." for i in range(MIN_BLOCKS + 2 * GROUP + 5)]


@pytest.fixture
def helpers(monkeypatch):
    """Helpers of a test's own; none is left behind. Threads that other tests left do nothing that a fork would harm."""
    own = _Helpers()
    monkeypatch.setattr(workers, "_may_fork", lambda: True)
    monkeypatch.setattr(workers, "_helpers", own)
    yield own
    own.stop()


@pytest.fixture
def fake(monkeypatch):
    """The English parser, loaded, whose parses are the lines themselves; a fork takes it along."""
    parser = engine(NAME)
    parser.parse(["Cats sleep."])
    monkeypatch.setattr(parser, "parse", lambda parts: [block(line) for line in parts])
    return parser


def block(line: str):
    return ((Word(line, "", "", "", "", -1, "root"),),)


def share(parser, chunks, processes=2):
    return list(parse_chunks(parser, chunks, processes))


def has_ended(process: int) -> bool:
    """Wait a while for the end of a process; a zombie has ended."""
    for _ in range(200):
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_the_same_parses_in_the_same_order(helpers):
    chunks = [LINES[: 3 * GROUP], LINES[3 * GROUP :]]
    parser = engine(NAME)
    assert share(parser, chunks) == [parser.parse(chunk) for chunk in chunks]
    [helper] = helpers._kept
    assert share(parser, chunks, 3) == [parser.parse(chunk) for chunk in chunks]
    assert helpers._kept[0] is helper  # it stayed, and another came to it only if there is enough to do
    assert len(helpers._kept) == min(3, len(LINES) // workers._EACH) - 1


def test_few_blocks_are_parsed_here(helpers, fake):
    assert share(fake, [LINES[: MIN_BLOCKS - 1]]) == [[block(line) for line in LINES[: MIN_BLOCKS - 1]]]
    assert not helpers._kept


def test_helpers_do_part_of_the_work(helpers, fake, monkeypatch):
    here = os.getpid()
    monkeypatch.setattr(fake, "parse", lambda parts: [block(f"{os.getpid() == here}") for _ in parts])
    [blocks] = share(fake, [LINES])
    assert {b[0][0].form for b in blocks} == {"True", "False"}


def test_long_groups_do_not_block_both_sides(helpers, fake):
    """A group and its answer that a socket does not take at once: each side could wait for the other to read."""
    lines = [f"{i} " + "word " * 20_000 for i in range(MIN_BLOCKS)]
    assert share(fake, [lines]) == [[block(line) for line in lines]]


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_helper_that_is_killed(helpers, fake, monkeypatch, when):
    share(fake, [LINES])
    [helper] = helpers._kept
    if when == "before":
        os.kill(helper.process, signal.SIGKILL)
        assert has_ended(helper.process)
    else:
        plain = send_message

        def send(connection, message):
            plain(connection, message)
            if connection is helper.connection and helper.process:
                os.kill(helper.process, signal.SIGKILL)

        monkeypatch.setattr(workers, "send", send)
    assert share(fake, [LINES]) == [[block(line) for line in LINES]]
    assert helper not in helpers._kept


def test_a_helper_that_is_stuck(helpers, fake):
    share(fake, [LINES])
    [helper] = helpers._kept
    process = helper.process
    os.kill(process, signal.SIGSTOP)
    assert share(fake, [LINES]) == [[block(line) for line in LINES]]
    assert has_ended(process)
    assert not helpers._kept


def test_a_helper_that_meets_an_error(helpers, fake, monkeypatch):
    """It ends without a word, and its work is done here, where an error would be the caller's own."""
    here = os.getpid()
    monkeypatch.setattr(fake, "parse", lambda parts: [block(line) for line in parts] if os.getpid() == here else 1 / 0)
    assert share(fake, [LINES]) == [[block(line) for line in LINES]]
    assert not helpers._kept


def test_an_interrupted_caller_leaves_no_process(helpers, fake, monkeypatch):
    share(fake, [LINES])
    process = helpers._kept[0].process

    def interrupt(parts):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fake, "parse", interrupt)
        with pytest.raises(KeyboardInterrupt):
            share(fake, [LINES])
    assert has_ended(process)
    assert not helpers._kept
    assert share(fake, [LINES]) == [[block(line) for line in LINES]]


def test_a_caller_that_wants_no_more(helpers, fake):
    chunks = parse_chunks(fake, [LINES[:GROUP], LINES[GROUP:]], 2)
    next(chunks)
    process = helpers._kept[0].process
    chunks.close()
    assert not helpers.turn.locked()
    assert not helpers._kept or not helpers._kept[0].groups
    stop_helpers()
    assert has_ended(process)


def test_a_forked_process_has_helpers_of_its_own(helpers, fake):
    share(fake, [LINES])
    child = os.fork()
    if not child:
        helpers.forget()
        os._exit(0 if not helpers._kept and not helpers.turn.locked() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert share(fake, [LINES]) == [[block(line) for line in LINES]]


def test_workers_of_others_parse_alone(monkeypatch):
    import multiprocessing

    assert default_processes() == min(engines._MOST_THREADS, len(os.sched_getaffinity(0)))
    monkeypatch.setattr(multiprocessing, "parent_process", object)
    assert default_processes() == 1


THREADED = (
    f"NAME = {NAME!r}"
    + """

import os, sys, threading
from assay.text.parse import engines, workers
from assay.text.parse.engines import engine
from assay.text.parse.parser import parse

lines = [f"Number {i} is a number." for i in range(300)]
parses = []
thread = threading.Thread(target=lambda: parses.append(parse(lines, NAME, processes=2)))
thread.start()
thread.join()
here = engine(NAME).loaded
helper = workers._helpers._process.pid
with open(f"/proc/{helper}/task/{helper}/children") as file:
    print(here, parses[0] == parse(lines, NAME, processes=1), helper, file.read(), flush=True)
if sys.argv[1] == "wait":
    sys.stdin.read()
"""
)


@pytest.mark.parametrize("end", ["exit", "wait"])
def test_with_threads_a_fresh_process_loads_the_model_and_forks(end):
    """It ends with its caller, in peace or by a kill."""
    command = [sys.executable, "-c", THREADED, end]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as caller:
        loaded, same, *processes = caller.stdout.readline().split()
        if end == "wait":
            caller.kill()
    assert (loaded, same, len(processes)) == ("False", "True", 2)
    assert all(has_ended(int(process)) for process in processes)


@pytest.mark.parametrize("here", [False, True], ids=["", "with the current folder on the path"])
def test_modules_in_the_current_folder_are_not_imported(helpers, tmp_path, monkeypatch, here):
    """A msgspec.py or numpy.py that happens to lie where Assay is started does not run."""
    for name in ("msgspec", "numpy", "spacy"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if here:
        monkeypatch.setattr(sys, "path", ["", *sys.path])
    helpers._spawn(NAME, 1)
    work = workers._Work(engine(NAME), [["Cats sleep."]], helpers._kept)
    work._feed(helpers._kept[0])
    assert workers._readable(helpers._kept, None) == helpers._kept
    work._take(helpers._kept[0])
    assert work._done == {0: engine(NAME).parse(["Cats sleep."])}
    assert not (tmp_path / "was-run").exists()
