"""The answer of a whole evaluation: who leads, and what people think of it."""

from __future__ import annotations

import numpy as np
import pytest

from assay import Scores, compare
from assay.comparison.verdict import JudgedPairs, verdict


def scores(*means: float, name: str = "m", systems: str = "ABCDEF", n: int = 40) -> Scores:
    values = np.array(means)[:, None] + 0.05 * np.random.default_rng(0).normal(size=(len(means), n))
    return Scores(values, tuple(systems[: len(means)]), tuple(map(str, range(n))), name)


@pytest.mark.parametrize(
    ("means", "human", "people"),
    [
        ((0, 1), None, "none"),
        ((0, 1), (0, 1), "agree"),
        ((0, 1), (1, 0), "disagree"),
        ((0, 1), (1, 1), "undecided"),
        ((0, 1, 2), (0, 2, 2), "shared"),
        ((0, 1, 2), (0, 2, 1), "disagree"),
    ],
)
def test_what_people_think_of_it(means, human, people):
    judged = None if human is None else compare(scores(*human, name="meaning"))
    result = verdict(compare(scores(*means)), judged)
    assert (result.settled, result.people) == (True, people)
    assert result.leaders == (result.systems[0],)


def test_equal_systems_are_not_settled():
    result = verdict(compare(scores(1, 1, 0)))
    assert not result.settled
    assert set(result.leaders) == {"A", "B"}


@pytest.mark.parametrize(("pairs", "people"), [(30, "likely"), (5, "few")])
def test_other_systems_were_judged(pairs, people):
    human = compare(scores(0, 1, name="meaning", systems="CD"))
    result = verdict(compare(scores(0, 1, systems="AB")), human, judged=[JudgedPairs(1.0, pairs, pairs)])
    assert (result.people, result.judged_pairs) == (people, pairs)


def test_records_are_one_line_without_the_parts():
    (record,) = verdict(compare(scores(0, 1))).records()
    assert (record["kind"], record["settled"], record["leaders"]) == ("verdict", True, ["B"])
    assert "comparison" not in record
