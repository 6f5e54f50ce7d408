"""Words of a contributor in another text: as they stand, in other forms, and most of them."""

from __future__ import annotations

import pytest

from assay.errors import UnknownName
from assay.pyramid.find_words import find_words, list_steps


def words(text, parts, step):
    return [text[start:end] for start, end in find_words(text, parts, step)]


def test_each_method():
    text = "Ten schools were shut. The ministry is sending new vaccines to the north."
    assert words(text, ["schools were shut"], "exact") == ["schools were shut"]
    assert words(text, ["school were shut"], "exact") == []
    assert words(text, ["school were shut"], "lemma") == ["schools were shut"]
    assert words(text, ["The ministry sent a vaccine"], "lemma") == []
    assert words(text, ["The ministry sent a vaccine"], "partial") != []
    assert words(text, ["The navy sent three ships"], "partial") == []


def test_all_parts_are_needed():
    assert words("a ferry full of trucks capsized", ["a ferry", "capsized"], "exact") == ["a ferry", "capsized"]
    assert words("a ferry full of trucks", ["a ferry", "capsized"], "exact") == []
    assert words("a ferry full of trucks", [""], "exact") == []


def test_steps_add_to_each_other():
    assert list_steps("partial") == ("exact", "lemma", "partial")
    with pytest.raises(UnknownName, match="unknown method 'fuzzy'"):
        list_steps("fuzzy")


def test_two_content_words_are_enough_for_a_match_in_part():
    assert find_words("The schools in the county were closed.", ["closed schools"], "partial")
    assert find_words("The schools in the county were closed.", ["closed"], "partial") == ()
