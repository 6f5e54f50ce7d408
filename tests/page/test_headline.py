"""The answer in words, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment, Reference, Scores
from assay.page.findings import find
from assay.page.headline import cautions, headline


def made(means, n=40, noise=0.05, judged=None, seed=0, judged_noise=0.2):
    """A set and scores of systems A, B, ... with these means; `judged` are the means of their ratings, NaN for none."""
    rng = np.random.default_rng(seed)
    names = [chr(65 + i) for i in range(len(means))]
    values = np.array(means)[:, None] + noise * rng.normal(size=(len(means), n))
    ratings = None if judged is None else np.array(judged)[:, None] + judged_noise * rng.normal(size=(len(means), n))
    items = [
        Item(
            str(k), (Reference("r"),), {s: f"{s} {k}" for s in names},
            judgments=() if ratings is None else tuple(
                Judgment(s, rater, "meaning", float(ratings[i, k]))
                for i, s in enumerate(names) for rater in ("ann", "bob") if ratings[i, k] == ratings[i, k]
            ),
        )
        for k in range(n)
    ]  # fmt: skip
    data = EvalSet(items)
    return find(data, {"m": Scores(values, data.systems, data.items, "m")}, resamples=50)


@pytest.mark.parametrize(
    ("means", "judged", "answer"),
    [
        ([0.2, 0.8], None, "B is better than A; whether a human would agree cannot be said without judgments."),
        ([0.2, 0.8], [1, 4], "B is better than A; people say the same."),
        ([0.2, 0.8], [4, 1], "B is better than A; but people say the opposite."),
        ([0.2, 0.8], [3, 3], "B is better than A; people have not settled it."),
        ([0.2, 0.5, 0.8], [1, 2, 4], "C is the best of 3 systems; people say the same."),
        ([0.2, 0.5, 0.8], [1, 4, 2], "C is the best of 3 systems; but people prefer B."),
        ([0.2, 0.5, 0.8], [1, 4, 4], "C is the best of 3 systems; people put it first too, with B."),
    ],
)
def test_settled(means, judged, answer):
    said = headline(made(means, judged=judged))
    assert said.answer == answer
    assert said.settled


def test_open_says_how_many_more_items():
    said = headline(made([0.50, 0.51], n=20))
    assert not said.settled
    assert said.answer.startswith("Cannot tell ")
    assert "more items are needed" in said.answer


def test_a_hopeless_difference_is_not_counted_out():
    rng = np.random.default_rng(1)
    half = rng.normal(size=30)
    values = np.stack([np.concatenate([half, -half]), np.concatenate([-half, half]) + 1e-3])
    data = EvalSet.from_texts({"A": ["a"] * 60, "B": ["b"] * 60}, [["r"]] * 60)
    said = headline(find(data, {"m": Scores(values, data.systems, data.items, "m")}, resamples=50))
    assert "practically equal" in said.answer or "no clear difference" in said.answer


def test_people_judged_other_systems():
    """Twelve systems were judged and follow the metric; the two best were not."""
    rising = np.linspace(0, 1, 12)
    said = headline(made([*rising, 2.0, 3.0], judged=[*rising * 4, np.nan, np.nan], n=12))
    assert said.answer.startswith("N is the best of 14 systems; ")
    assert "human" in said.answer


def test_one_system():
    said = headline(made([0.5]))
    assert said.answer == "There is one system, A, and nothing to compare it with."


def test_people_alone():
    found = made([0.1, 0.2], judged=[1, 4])
    said = headline(find(found.data, {}, resamples=50))
    assert said.answer == "B is better than A; people said so."


def test_a_leak_is_a_caution():
    data = EvalSet.from_texts({"A": ["a b c d"] * 8, "B": ["x"] * 8}, [["a b c d"]] * 8)
    scores = Scores(np.array([[1.0] * 8, np.linspace(0, 0.5, 8)]), data.systems, data.items, "m")
    assert "among their own references" in cautions(find(data, {"m": scores}, resamples=20))[0]
