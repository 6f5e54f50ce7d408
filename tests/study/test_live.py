"""Agreement so far is what `assay agree` says."""

from __future__ import annotations

import pytest

import assay
from assay.data.scale import Scale
from assay.study.live import live_agreement


def test_alpha_is_that_of_agree(judged):
    row = live_agreement(judged)[0]
    assert row["value"] == pytest.approx(assay.agreement(judged, "meaning").alpha.value)
    assert (row["measure"], row["raters"]) == ("alpha", 3)


def test_ranks_have_tau(judged):
    row = live_agreement(judged.with_scales({"meaning": Scale("high", kind="ranking")}))[0]
    assert row["measure"] == "tau"
    assert -1 <= row["value"] <= 1


def test_one_rater_has_no_agreement():
    item = assay.Item("1", outputs={"A": "a"}, judgments=(assay.Judgment("A", "ann", "meaning", 1.0),))
    [row] = live_agreement(assay.EvalSet([item]))
    assert row["value"] is None
    assert row["outputs"] == 0  # the page says "judged by two or more"


def test_outputs_that_two_judged_are_counted():
    ratings = [("A", "ann", 1.0), ("A", "bob", 2.0), ("B", "ann", 2.0), ("C", "bob", 3.0), ("C", "ann", 3.0)]
    judgments = tuple(assay.Judgment(system, rater, "meaning", score) for system, rater, score in ratings)
    item = assay.Item("1", outputs={"A": "a", "B": "b", "C": "c"}, judgments=judgments)
    assert live_agreement(assay.EvalSet([item]))[0]["outputs"] == 2
