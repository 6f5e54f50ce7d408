"""Shortening to a length that the server enforces."""

from __future__ import annotations

from typing import Any

import pytest

from assay import Item
from assay.errors import InputError, RefusedEvent
from assay.study.protocols import PROTOCOLS
from assay.study.protocols.shorten import is_deletion
from assay.study.task import Task

SOURCE = "the old cat slept on the mat"  # 28 characters: 21 is 75 %
ITEM = Item("1", sources=(SOURCE,))
TASK = Task("1")
SHORTEN: Any = PROTOCOLS.build("shorten")


def read(text, protocol=SHORTEN):
    return protocol.read_answer({"text": text}, ITEM, TASK, ())


def test_a_quarter_of_the_characters_goes():
    assert SHORTEN.bounds(ITEM) == (0, 21)
    assert read("  the cat   slept   on it ") == {"text": "the cat slept on it"}
    assert read("x" * 21) == {"text": "x" * 21}
    with pytest.raises(RefusedEvent, match="too long: 22 characters, at most 21") as error:
        read("x" * 22)
    assert error.value.code == "too_long"


def test_combining_marks_and_emoji_count_as_the_rule_says():
    assert read("e\u0301" * 21) == {"text": "\u00e9" * 21}
    assert read("\U0001f600" * 21) == {"text": "\U0001f600" * 21}
    with pytest.raises(RefusedEvent):
        read("q\u0301" * 11)


def test_the_limit_may_be_words_or_a_range():
    half: Any = PROTOCOLS.build("shorten(at_most=0.6, at_least=0.4, unit=words)")
    assert half.bounds(ITEM) == (3, 4)
    assert read("cat slept on mat", half)
    for text, code in (("cat slept", "too_short"), ("the cat slept on mat", "too_long")):
        with pytest.raises(RefusedEvent) as error:
            read(text, half)
        assert error.value.code == code


def test_shares_that_binary_cannot_hold_are_not_off_by_one():
    item = Item("1", sources=("x" * 100,))
    most: Any = PROTOCOLS.build("shorten(at_most=0.29)")
    exact: Any = PROTOCOLS.build("shorten(at_most=0.7, at_least=0.7)")
    assert most.bounds(item) == (0, 29)
    assert exact.bounds(Item("1", sources=("x" * 10,))) == (7, 7)


def test_only_deletions_where_that_is_the_mode():
    delete = PROTOCOLS.build("shorten(mode=delete)")
    assert read("the cat slept", delete)
    with pytest.raises(RefusedEvent) as error:
        read("the cat sleeps", delete)
    assert error.value.code == "not_deleted_only"
    assert not is_deletion("a b", "a a")


@pytest.mark.parametrize("answer", [{}, {"text": 1}, {"text": "  "}, {"text": "a", "more": 1}])
def test_other_answers_are_refused(answer):
    with pytest.raises(RefusedEvent):
        SHORTEN.read_answer(answer, ITEM, TASK, ())


@pytest.mark.parametrize("text", ["shorten(unit=lines)", "shorten(at_most=0)", "shorten(at_most=0.5, at_least=0.6)"])
def test_impossible_parameters_are_refused(text):
    with pytest.raises(InputError):
        PROTOCOLS.build(text)


def test_items_that_cannot_be_shortened_are_refused():
    for item in (Item("1"), Item("1", sources=(" ",)), Item("1", sources=("x",))):
        with pytest.raises(InputError):
            SHORTEN.check_item(item)


def test_the_screen_knows_the_limit():
    screen = SHORTEN.view_page(ITEM, TASK, 1)
    assert screen["limit"] == {"least": 0, "most": 21, "unit": "characters", "source": 28}
    assert SHORTEN.view_page(Item("1", sources=("a b", "c")), TASK, 1)["source"] == ["a b\nc"]
