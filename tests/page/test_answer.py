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
        ([0.2, 0.8], None, "B is significantly better than A by m."),
        ([0.2, 0.8], [1, 4], "People rate B significantly better than A for meaning; m also puts B first."),
        ([0.2, 0.5, 0.8], [1, 2, 4], "People rate C best of 3 systems for meaning; m also puts C first."),
        (
            [0.2, 0.5, 0.8],
            [1, 4, 4],
            "People rate B first of 3 systems for meaning, but not significantly better than C; m puts C first.",
        ),
    ],
)
def test_settled(means, judged, answer):
    assert make_answer(made(means, judged=judged)).sentences[0] == answer


def test_people_decide_where_a_metric_contradicts_them():
    answer = make_answer(made([0.2, 0.8], judged=[4, 1]))
    assert answer.sentences[0] == "People rate A significantly better than B for meaning, but m puts B first."
    assert answer.settled


def test_the_headline_does_not_follow_the_order_of_the_metrics():
    """The metric that agrees with people is named, whichever was asked for first."""
    found = made([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], judged=[1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5])
    good = found.metrics["m"]
    rng = np.random.default_rng(3)
    bad = Scores(rng.normal(size=good.values.shape), good.systems, good.items, "bad")
    answers = {
        make_answer(report(found.data, dict(order), resamples=100)).sentences[0]
        for order in ([("m", good), ("bad", bad)], [("bad", bad), ("m", good)])
    }
    assert answers == {
        "People rate H best of 8 systems for meaning; m, the metric that agrees best with them, also puts H first."
    }


def test_open_says_what_the_items_find():
    answer = make_answer(made([0.50, 0.51], n=20))
    assert not answer.settled
    assert answer.sentences[0].startswith("No significant difference between ")
    assert any("These items find a difference of " in sentence for sentence in answer.sentences)


def test_people_judged_other_systems():
    """Twelve systems were judged and follow the metric; the two best were not."""
    rising = np.linspace(0, 1, 12)
    answer = make_answer(made([*rising, 2.0, 3.0], judged=[*rising * 4, np.nan, np.nan], n=12))
    assert answer.sentences[0].endswith("m puts N first, which people did not judge.")


def test_one_system():
    answer = make_answer(made([0.5]))
    assert answer.sentences[0].startswith("A is the only system, and there is nothing to compare it with: m 0.4970.")
    assert len(answer.sentences) == 1


def test_people_alone():
    found = made([0.1, 0.2], judged=[1, 4])
    answer = make_answer(report(found.data, {}, resamples=50))
    assert answer.sentences[0] == "People rate B significantly better than A for meaning."


def test_a_leak_is_a_caution():
    data = EvalSet.from_texts({"A": ["a b c d"] * 8, "B": ["x"] * 8}, [["a b c d"]] * 8)
    scores = Scores(np.array([[1.0] * 8, np.linspace(0, 0.5, 8)]), data.systems, data.items, "m")
    assert "among their own references" in make_answer(report(data, {"m": scores}, resamples=20)).cautions[0]
