"""Fixtures shared by all tests: the research data, and sets read from it once; how Hypothesis draws; time limits.

`make test` draws the same examples every time; `make test-random` (ASSAY_RANDOM=1) draws others, twenty times as many.
"""

from __future__ import annotations

import faulthandler
import os
import re
import signal
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

import assay

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests"))  # of answers.py

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it; commands would fit their tables to it

RANDOM = os.environ.get("ASSAY_RANDOM") == "1"
MORE = 20  # how many times as many examples `make test-random` draws

# No database: a failing example found once would change what the next run draws. No deadline: machines are shared.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("random", derandomize=False, database=None, deadline=None)
settings.load_profile("random" if RANDOM else "repeatable")
_examples: list[str] = []


# A test that hangs fails. CPU seconds, as machines are shared; a test that waits for ever uses none, so that seconds of
# the clock are limited as well. tools/mutants.py sets fewer.
TEST_SECONDS = float(os.environ.get("ASSAY_TEST_SECONDS", "180"))
CLOCK_SECONDS = 5 * TEST_SECONDS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Fail a test that takes too long; end the process where not even signals are handled any more."""
    if item.get_closest_marker("slow") or not hasattr(signal, "setitimer"):
        return (yield)

    def stop(number, _):
        limit = f"{TEST_SECONDS:g} CPU" if number == signal.SIGPROF else f"{CLOCK_SECONDS:g}"
        pytest.fail(f"still running after {limit} seconds")

    timers = [(signal.ITIMER_PROF, signal.SIGPROF, TEST_SECONDS), (signal.ITIMER_REAL, signal.SIGALRM, CLOCK_SECONDS)]
    before = [signal.signal(number, stop) for _, number, _ in timers]
    faulthandler.dump_traceback_later(CLOCK_SECONDS + 60, exit=True)
    for timer, _, seconds in timers:
        signal.setitimer(timer, seconds, seconds / 10)  # again, as Hypothesis repeats what failed
    try:
        return (yield)
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
        faulthandler.cancel_dump_traceback_later()


def pytest_collection_modifyitems(items):
    for item in items if RANDOM else ():
        test = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        if getattr(test, "is_hypothesis_test", False):
            own = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(own, max_examples=MORE * own.max_examples)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keep what Hypothesis found as a line to paste above the test."""
    for note in getattr(call.excinfo.value, "__notes__", ()) if call.excinfo else ():
        drawn = re.match(r"(?:Falsifying example|Failing test case): \w+\((.*)\)", note, re.DOTALL)
        if drawn:
            arguments = " ".join(drawn[1].split()).rstrip(",")
            _examples.append(f"# {item.nodeid}\n@example({arguments})")
    return (yield)


def pytest_terminal_summary(terminalreporter):
    if _examples:
        terminalreporter.section("failing examples, to paste above their tests")
        terminalreporter.write_line("\n".join(_examples))


def data_folder() -> Path:
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


@cache
def _read(name: str) -> assay.EvalSet:
    return assay.read(data_folder() / name)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Parses are remembered in a folder of the test run's own, never in the user's."""
    before = os.environ.get("ASSAY_CACHE")
    os.environ["ASSAY_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["ASSAY_CACHE"]
    else:
        os.environ["ASSAY_CACHE"] = before


@pytest.fixture(scope="session")
def shared():
    """shared("tac2008.jsonl.gz") reads a set of the research data; the test is skipped where there is none."""

    def get(name: str) -> assay.EvalSet:
        if not (data_folder() / name).exists():
            pytest.skip(f"needs {name} in ../shared/data (or the folder named by ASSAY_DATA)")
        return _read(name)

    return get


@pytest.fixture(scope="session")
def shared_file():
    """shared_file("pairs.tsv.gz") is the place of a file of the research data; the test is skipped without it."""

    def get(name: str) -> Path:
        if not (data_folder() / name).exists():
            pytest.skip(f"needs {name} in ../shared/data (or the folder named by ASSAY_DATA)")
        return data_folder() / name

    return get


@pytest.fixture(scope="session")
def golden_folder() -> Path:
    folder = data_folder().parent / "golden"
    if not folder.exists():
        pytest.skip("needs ../shared/golden (beside the folder named by ASSAY_DATA)")
    return folder


@pytest.fixture(scope="session")
def judged() -> assay.EvalSet:
    """A small set with two more systems, and ratings of two raters made up from what the outputs share."""
    import numpy as np

    rng = np.random.default_rng(7)
    items = []
    for item in assay.read(ROOT / "tests" / "three-systems.jsonl"):
        words = item.references[0].text.split()
        outputs = {**item.outputs, "cut": " ".join(words[: len(words) * 2 // 3]), "mixed": " ".join(sorted(words))}
        known = set(" ".join(r.text for r in item.references).lower().split())
        ratings = []
        for system, text in outputs.items():
            share = np.mean([w.lower() in known for w in text.split()]) * min(1, len(text.split()) / 10)
            for rater, lean in (("ann", 0.0), ("bob", -0.5), ("cy", 0.3)):
                score = float(np.clip(round(1 + 4 * share + lean + rng.normal(0, 0.4)), 1, 5))
                ratings.append(assay.Judgment(system, rater, "meaning", score))
        items.append(assay.Item(item.id, item.references, outputs, item.sources, item.group, tuple(ratings)))
    return assay.EvalSet(items)


@pytest.fixture
def by_hand(monkeypatch):
    """A text is the name of a parse in tests/units/parses.py, so that no parser is needed."""
    from assay.text import Texts

    sys.path.insert(0, str(Path(__file__).parent / "units"))
    import parses

    def lookup(self, model="en", **_):
        return self.remember(("parses", model), lambda: [getattr(parses, text) for text in self.strings])

    monkeypatch.setattr(Texts, "parses", lookup)
    return parses
