"""What is said of a set."""

from __future__ import annotations

from assay.corpus.check import DataCheck
from assay.views.data_check import list_facts

WHOLE = DataCheck(8, 3, (), 1, 4, 2, ("meaning",), 0, 0)


def test_nothing_odd_is_said():
    assert WHOLE.view().sentences == ["Every system has an output for every item, and none is empty."]


def test_a_sentence_for_each_thing_to_know():
    check = DataCheck(8, 3, ("P",), 1, 1, 0, (), 1, 12)
    assert check.view().sentences == [
        "1 output is empty.",
        "12 outputs are missing and not scored.",
        "Some of the systems are people (P). They are left out of rankings and correlations.",
    ]


def test_facts():
    assert list_facts(WHOLE) == [
        ("items", "8"),
        ("systems", "3"),
        ("references per item", "1 to 4"),
        ("raters", "2"),
        ("judged", "meaning"),
    ]
