"""The answer in words, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment, Reference, Scores
from assay.page.answer import make_answer
from assay.page.report import report


def made(means, n=40, noise=0.05, judged=None, seed=0, judged_noise=0.2):
    """A set and scores of systems A, B, ... with these means; `judged` are the means of their ratings, NaN for none."""
    rng = np.random.default_rng(seed)
    names = [chr(65 + i) for i in range(len(means))]
    values = np.array(means)[:, None] + noise * rng.normal(size=(len(means), n))
    ratings = None if judged is None else np.array(judged)[:, None] + judged_noise * rng.normal(size=(len(means), n))
    items = [
        Item(
            str(k),
            (Reference("r"),),
            {s: f"{s} {k}" for s in names},
            judgments=()
            if ratings is None
            else tuple(
                Judgment(s, rater, "meaning", float(ratings[i, k]))
                for i, s in enumerate(names)
                for rater in ("ann", "bob")
                if ratings[i, k] == ratings[i, k]
            ),
        )
        for k in range(n)
    ]
    data = EvalSet(items)
    return report(data, {"m": Scores(values, data.systems, data.items, "m")}, resamples=50)


@pytest.mark.parametrize(
    ("means", "judged", "answer"),
    [
        ([0.2, 0.8], None, "B is better than A; without human judgments it is unknown whether people would agree."),
        ([0.2, 0.8], [1, 4], "B is better than A; people agree."),
        ([0.2, 0.8], [4, 1], "B is better than A, but people prefer A."),
        ([0.2, 0.8], [3, 3], "B is better than A; people see no significant difference."),
        ([0.2, 0.5, 0.8], [1, 2, 4], "C is the best of 3 systems; people agree."),
        ([0.2, 0.5, 0.8], [1, 4, 2], "C is the best of 3 systems, but people prefer B."),
        ([0.2, 0.5, 0.8], [1, 4, 4], "C is the best of 3 systems; people also put it first, together with B."),
    ],
)
def test_settled(means, judged, answer):
    verdict = make_answer(made(means, judged=judged))
    assert verdict.sentences[0] == answer
    assert verdict.settled


def test_open_says_how_many_more_items():
    answer = make_answer(made([0.50, 0.51], n=20))
    assert not answer.settled
    assert answer.sentences[0].startswith("No significant difference between ")
    assert "more items are needed" in answer.sentences[0]


def test_a_hopeless_difference_is_not_counted_out():
    rng = np.random.default_rng(1)
    half = rng.normal(size=30)
    values = np.stack([np.concatenate([half, -half]), np.concatenate([-half, half]) + 1e-3])
    data = EvalSet.from_texts({"A": ["a"] * 60, "B": ["b"] * 60}, [["r"]] * 60)
    answer = make_answer(report(data, {"m": Scores(values, data.systems, data.items, "m")}, resamples=50))
    assert "practically equal" in answer.sentences[0] or "no clear difference" in answer.sentences[0]


def test_people_judged_other_systems():
    """Twelve systems were judged and follow the metric; the two best were not."""
    rising = np.linspace(0, 1, 12)
    answer = make_answer(made([*rising, 2.0, 3.0], judged=[*rising * 4, np.nan, np.nan], n=12))
    assert answer.sentences[0].startswith("N is the best of 14 systems; ")
    assert "people" in answer.sentences[0]


def test_one_system():
    answer = make_answer(made([0.5]))
    assert answer.sentences[0] == "There is only one system, A, and nothing to compare it with."


def test_people_alone():
    found = made([0.1, 0.2], judged=[1, 4])
    answer = make_answer(report(found.data, {}, resamples=50))
    assert answer.sentences[0] == "B is better than A, according to people."


def test_a_leak_is_a_caution():
    data = EvalSet.from_texts({"A": ["a b c d"] * 8, "B": ["x"] * 8}, [["a b c d"]] * 8)
    scores = Scores(np.array([[1.0] * 8, np.linspace(0, 0.5, 8)]), data.systems, data.items, "m")
    assert "among their own references" in make_answer(report(data, {"m": scores}, resamples=20)).cautions[0]
