"""Where conditions hang."""

from __future__ import annotations

import pytest

from assay.text.logic.attachment import raise_limits
from assay.text.logic.facts import Facts
from assay.text.parse.flat import parse_texts


def find_head(text: str, word: str) -> str:
    [a] = parse_texts([text])
    heads = raise_limits(Facts(a)).heads
    return a.tokens[heads[[token.text for token in a.tokens].index(word)]].text


@pytest.mark.parametrize(
    ("text", "word", "head"),
    [
        ("The court may order the firm to pay the workers if it finds a fault.", "finds", "order"),
        ("He said that she would stay if it rained.", "rained", "stay"),
        ("She stays if it rains.", "rains", "stays"),
    ],
)
def test_the_highest_clause(text, word, head):
    assert find_head(text, word) == head


def test_no_circle_comes_of_it():
    lines = [
        "The factory will stay open for another five years on condition that the unions accept lower wages.",
        "The firm is better prepared for a crisis than most of its rivals, analysts at the bank believe.",
        "Stop taking the tablets and call a doctor if you notice a rash, except in case of fever.",
    ]
    for a in parse_texts(lines):
        heads = raise_limits(Facts(a)).heads
        for i in range(len(heads)):
            steps, at = 0, i
            while at >= 0:
                at, steps = heads[at], steps + 1
                assert steps <= len(heads)


def test_a_text_without_limits_is_the_same():
    [a] = parse_texts(["A man bought a red car."])
    assert raise_limits(Facts(a)) is a
