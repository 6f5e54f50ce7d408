"""Users' patterns: what could run for ever is refused or stopped."""

from __future__ import annotations

import threading
import time

import pytest

import assay
from assay.errors import InputError
from assay.patterns import check_pattern, find_spans


@pytest.mark.parametrize(
    "pattern",
    [
        "ACME|#[0-9]+",
        r"\d+ (?:euros?|dollars?)",
        "(ab)+",
        "(?:foo|bar)+",
        r"\w+ \w+ \w+",
        "a{3}",
        "(a{2}b)*",
        "(?i)x|y",
        "(?=a+)b",
        "[ab]+",
        "(a?b){3}",
        "(a|A)+b",
    ],
)
def test_usual_patterns_are_fine(pattern):
    check_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a*)*b",
        "(a|aa)+$",
        "(a|a)*b",
        "(?:a?){99}b",
        "([a-z]+)*X",
        "((a+)b?)+c",
        "(?:x+x+)+y",
        "(?:(?:a+)b)*",
        "(?=(a+)+b)",
        "(?>(a+)+)b",
    ],
)
def test_repeats_in_repeats_are_refused(pattern):
    with pytest.raises(InputError, match="repeats a part"):
        check_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", ["(", "[", "a{99999999999999999999}", "(?P<x", "*", b"a", None, "(" * 2000 + ")" * 2000, "a" * 20_000]
)
def test_what_is_no_pattern_is_refused(pattern):
    with pytest.raises(InputError):
        check_pattern(pattern)


def test_slow_patterns_are_stopped():
    start = time.process_time()
    with pytest.raises(InputError, match="took more than 2 s on a text of 10,000 characters"):
        find_spans("a*a*a*a*b", "a" * 10_000)
    assert time.process_time() - start < 10


def test_other_threads_match_too():
    found: list[list[tuple[int, int]]] = []
    thread = threading.Thread(target=lambda: found.append(find_spans("a+", "baab")))
    thread.start()
    thread.join()
    assert found == [[(1, 3)]]


@pytest.mark.parametrize(
    "texts",
    ["one text", None, 3, [1], [["a"]], [b"a"], ["a \ud800 b"]],
    ids=["str", "none", "int", "ints", "lists", "bytes", "half"],
)
def test_compress_and_fuse_refuse_what_is_no_list_of_texts(texts):
    with pytest.raises(InputError):
        assay.compress(texts, "lead", words=2)
    with pytest.raises(InputError):
        assay.fuse(texts if texts is None or isinstance(texts, (str, int)) else [texts], "longer")


@pytest.mark.parametrize(
    "budget", [{"words": 10**30}, {"chars": 10**30}, {"ratio": "x"}, {"ratio": float("nan")}, {"words": 1.5}]
)
def test_budgets_out_of_range(budget):
    with pytest.raises(InputError):
        assay.compress(["a b c"], "lead", **budget)
