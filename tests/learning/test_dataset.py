"""What scorers are fitted to: features, judgments, topics and people."""

from __future__ import annotations

import numpy as np
import pytest
from learning_made import quick

from assay import EvalSet, score
from assay.errors import InputError, UnknownName
from assay.learning import build_training_set


def test_people_scored_against_themselves_are_told_apart(make_set):
    data = make_set(people=True)
    kept = quick(data, people="include", features=["rouge1(own=keep)", "rouge2"])
    assert kept.scorer.record["jackknifed"] is False
    assert "include themselves" in kept.scorer.record["people"]
    left = quick(data)
    assert left.scorer.record["people"] == "left out"
    assert left.predicted.systems == ("s0", "s1", "s2", "s3", "s4")


def test_metrics_that_read_the_whole_set_do_not_read_the_topic_left_out(make_set):
    """nist weighs words by all references: in a fold, by those of the other topics."""
    data = make_set()
    given = build_training_set(data, dimension="content", features=["nist", "rouge1"])
    unseen = given.unseen("i2")
    others = EvalSet([item for item in data if item.id != "i2"])
    wanted = score(data, "nist", background=others).values
    assert (unseen.x[:, 0] == wanted[unseen.cell]).all()
    assert not np.allclose(unseen.x[:, 0], given.examples().x[:, 0])
    assert (unseen.x[:, 1] == given.examples().x[:, 1]).all()
    assert quick(data, features=["nist", "rouge1"]).correlations[0].value > 0.7


def test_groups_are_left_out_together(make_set):
    data = make_set(items=8, group=2)
    assert quick(data, topic="group").scorer.record["cross_validated"]["folds"] == 4
    with pytest.raises(InputError, match="has no group"):
        quick(make_set(), topic="group")


def test_raters_by_pattern(make_set):
    data = make_set(raters=("expert1", "expert2", "turker1"))
    lesson = quick(data, raters=["expert*"])
    both = np.mean([data.human("content", rater=f"expert{i}").values for i in (1, 2)], axis=0)
    assert np.allclose(lesson.human.values, both)
    assert lesson.scorer.record["raters"] == ["expert1", "expert2"]
    with pytest.raises(UnknownName, match="unknown rater 'judge"):
        quick(data, raters=["judge*"])


def test_bad_input(make_set):
    with pytest.raises(InputError, match="2 topics are too few"):
        quick(make_set(items=2))
    with pytest.raises(InputError, match="was given twice"):
        quick(make_set(), features=["rouge1", "ROUGE-1"])
    with pytest.raises(UnknownName, match="unknown dimension 'pyramid'"):
        quick(make_set(), dimension="pyramid")
    with pytest.raises(InputError, match="no human judgments"):
        quick(EvalSet.from_texts(["a"], ["b"]))
    bare = EvalSet([_without_sources(item) for item in make_set()])
    with pytest.raises(InputError, match="feature 'rate' has no score"):
        quick(bare, features=["rate", "rouge1"])


def _without_sources(item):
    from dataclasses import replace

    return replace(item, sources=())
