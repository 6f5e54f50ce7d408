"""Each family of constraints, at work on a sentence."""

from __future__ import annotations

import itertools

import pytest

from assay.systems.compress.truth.constraints import FAMILIES, rows
from assay.text.parse.flat import parse_texts


def allowed(text: str, family: str, kept: str) -> bool:
    """Whether keeping these words (of a text without repeated words) obeys a family."""
    [a] = parse_texts([text])
    found = list(FAMILIES[family](a))
    assert found, "the family says nothing of this sentence"
    words = kept.split()
    assert set(words) <= {t.text for t in a.tokens}
    return all(row.holds([t.text in words for t in a.tokens]) for row in found)


@pytest.mark.parametrize(
    ("family", "text", "good", "bad"),
    [
        ("modifiers", "The old dog barked loudly.", ["dog barked", "The old dog barked loudly"], ["old barked", "The"]),
        ("negation", "She did not leave.", ["She did not leave", "She did"], ["She did leave", "did not"]),
        ("possessives", "John's dog barked.", ["John 's dog barked", "barked"], ["John dog barked", "dog", "John 's"]),
        ("arguments", "The dogs chased a cat.", ["dogs chased cat", "."], ["dogs chased", "chased", "cat", "dogs"]),
        ("arguments", "The plan is dead.", ["plan is dead", "The"], ["plan dead", "is dead", "plan is"]),
        ("verb", "The dogs who chased a cat barked.", ["barked", "chased"], ["dogs cat", "."]),
        ("phrases", "She sat near the old house.", ["She sat", "sat near house", "near the"], ["near", "sat house"]),
        ("phrases", "He left because it rained.", ["He left", "because rained"], ["He left because", "left it rained"]),
        ("coordination", "Ann and Bob won.", ["Ann and Bob", "Ann", "Bob"], ["Ann Bob", "Ann and", "and"]),
        ("brackets", "Ann (a baker) won.", ["Ann won"], ["Ann baker won", "("]),
        ("pronouns", "Today she saw him.", ["she him"], ["she saw", "Today"]),
        ("unspaced", "A well-known man came.", ["well - known", "man"], ["well", "known man", "- known"]),
    ],
)
def test_family(family, text, good, bad):
    for kept in good:
        assert allowed(text, family, kept), kept
    for kept in bad:
        assert not allowed(text, family, kept), kept


def test_three_conjuncts():
    """With more than two, the conjunction needs the last and any one before it."""
    text = "Ann, Bob and Eve won."
    assert allowed(text, "coordination", "Bob and Eve")
    assert not allowed(text, "coordination", "Bob Eve")
    assert not allowed(text, "coordination", "Ann and Bob")


def test_everything_kept_is_allowed_without_brackets():
    for text in ("The dog that she saw did not bark at John's old cat, and it left.", "Yes.", "He said that it rains."):
        [a] = parse_texts([text])
        for row in rows(a):
            assert row.holds([True] * len(a.tokens)), row


def test_a_allowed_choice_always_exists():
    for text in ("She (he said) left.", "No!", "(I see)", "Not now", "and or but"):
        [a] = parse_texts([text])
        found = rows(a)
        assert any(
            any(keep) and all(row.holds(keep) for row in found)
            for keep in itertools.product((False, True), repeat=len(a.tokens))
        ), text
