"""Budgets: exact whole numbers, or one clear error."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.systems.budget import Budget, Limit, count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("  ", 0),
        ("...", 0),
        ("one", 1),
        ("It isn't far , is it ?", 5),
        ("a—b c-d", 2),
        ("東京へ", 3),
        ("$5m", 1),
        ("-a!b-東 ...", 2),
        ("!" * 100_000, 0),  # in a time that grows with the length, not with its square
    ],
    ids=lambda value: str(value)[:20],
)
def test_words(text, words):
    assert count_words(text) == words


@pytest.mark.parametrize(
    ("ratio", "words", "most"), [(0.29, 100, 29), (0.43, 10, 4), (0.1, 3, 1), (1, 7, 7), (0.7, 10, 7)]
)
def test_ratio_is_exact(ratio, words, most):
    assert Budget(ratio=ratio).limit("word " * words) == Limit(most, "words")


def test_no_budget():
    assert not Budget()
    assert Budget().limit("some words") is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ratio": 0}, "ratio must be above 0 and at most 1"),
        ({"ratio": -0.5}, "ratio must be above 0"),
        ({"ratio": 1.01}, "got 1.01"),
        ({"ratio": float("nan")}, "ratio must be above 0"),
        ({"words": 0}, "words must be a whole number above 0; got 0"),
        ({"words": 2.5}, "words must be a whole number above 0; got 2.5"),
        ({"chars": -1}, "chars must be a whole number above 0"),
        ({"words": 3, "chars": 20}, "give one of ratio, words and chars, not words and chars"),
    ],
)
def test_bad_budgets(given, message):
    with pytest.raises(InputError, match=message):
        Budget(**given)
