"""score: from sets to Scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import InputError

DATA = assay.EvalSet.from_texts({"A": ["a b", "c"], "B": ["a", ""]}, ["a b", "c d"])


def test_one_metric_or_several():
    one = assay.score(DATA, "rouge1")
    assert isinstance(one, assay.Scores)
    several = assay.score(DATA, ["rouge1", assay.metric("bleu")])
    assert list(several) == ["rouge1", assay.metric("bleu").signature()]
    np.testing.assert_array_equal(several["rouge1"].values, one.values)


def test_no_metric():
    with pytest.raises(InputError, match="no metric was asked for"):
        assay.score(DATA, [])


def test_missing_outputs_are_nan_and_shift_nothing():
    items = [
        assay.Item("1", (assay.Reference("a"),), {"A": "a"}),
        assay.Item("2", (assay.Reference("b"),), {"A": "x", "B": "b"}),
    ]
    scores = assay.score(assay.EvalSet(items, allow_missing=True), "rouge1")
    np.testing.assert_array_equal(scores.values, [[1.0, 0.0], [np.nan, 1.0]])
    assert scores.counts().tolist() == [2, 1]


def test_people_are_not_scored_against_themselves():
    refs = (assay.Reference("a b", "ann"), assay.Reference("a c", "bob"))
    data = assay.EvalSet([assay.Item("1", refs, {"ann": "a b", "A": "a b"})])
    assert assay.score(data, "rouge1(refs=max)").values.ravel().tolist() == [0.5, 1.0]
    assert assay.score(data, "rouge1(refs=max, own=keep)").values.ravel().tolist() == [1.0, 1.0]


def test_metrics_with_a_corpus_score_say_so():
    data = assay.EvalSet.from_texts({"A": ["the cat sat"]}, [["the cat"]], sources=["the cat sat down"])
    for name in ("bleu", "chrf", "ter", "wer", "ssa", "meteor", "nist", "deletionf1", "bleus", "rouge1", "rate"):
        metric = assay.metric(name)
        assert metric.has_corpus_score == (assay.score(data, name).statistics is not None), name


def test_lists_of_texts_are_scored_without_a_set():
    expected = assay.score(assay.EvalSet.from_texts(["a b", "c"], ["a b c", "c d"]), "rouge1").values
    assert assay.score(["a b", "c"], ["a b c", "c d"], "rouge1").values == pytest.approx(expected)
    several = assay.score({"A": ["a b"], "B": ["c"]}, [["a b c", "c"]], metrics=["rouge1", "bleu"])
    assert several["bleu"].systems == ("A", "B")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], "rouge1"), "for texts write score\\(outputs, references, metrics\\)"),
        ((["a"], ["b"], "rouge1", 3), "score takes an evaluation set and metrics"),
        ((["a", "b"], ["b"], "rouge1"), "references"),
        ((3, "rouge1"), "got int"),
        ((), "score takes"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_line(arguments, message):
    with pytest.raises(InputError, match=message):
        assay.score(*arguments)


def test_the_order_of_systems_may_differ_from_item_to_item():
    items = [
        assay.Item("1", (assay.Reference("a b"),), {"A": "a b", "B": "a"}),
        assay.Item("2", (assay.Reference("c d"),), {"B": "c d", "A": "x"}),
    ]
    scores = assay.score(assay.EvalSet(items), ["rouge1", "rouge2"])
    assert scores["rouge1"].values.round(3).tolist() == [[1.0, 0.0], [0.667, 1.0]]
    some = assay.score(assay.EvalSet([items[0], replace(items[1], outputs={"B": "c"})], allow_missing=True), "rouge1")
    assert np.isnan(some.values[0, 1])
    assert some.values[1].round(3).tolist() == [0.667, 0.667]
