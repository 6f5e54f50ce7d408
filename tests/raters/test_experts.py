"""Experts against the crowd."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import NAN, ratings
from sklearn.metrics import cohen_kappa_score

from assay.errors import InputError, UndefinedWarning, UnknownName
from assay.raters import experts

ROWS = {"e1": [1, 2, 3, 3, 1], "e2": [1, 2, 3, 2, 1], "w1": [1, 3, 3, 3, 1], "w2": [2, 2, 3, 3, NAN]}
EXPERTS, CROWD = [1, 2, 3, 2, 1], [2, 2, 3, 3, 1]  # means, .5 to the even neighbour


def test_rounded_means_against_scikit_learn():
    result = experts(ratings(ROWS), experts=["e1", "e2"], resamples=500, seed=3)
    m = result.expert_crowd
    assert result.crowd == ("w1", "w2")
    assert (m.n, m.agreement) == (5, 0.6)
    assert m.kappa == pytest.approx(cohen_kappa_score(EXPERTS, CROWD, weights="quadratic"))
    assert m.kappa_low < m.kappa < m.kappa_high
    assert m.agreement_low < m.agreement < m.agreement_high
    assert (result.resamples, result.seed) == (500, 3)
    assert "equal for 60% of 5 outputs" in result.view().headline


def test_two_experts_directly():
    result = experts(ratings(ROWS), experts=lambda name: name.startswith("e"), resamples=0)
    kappa = cohen_kappa_score(ROWS["e1"], ROWS["e2"], weights="quadratic")
    assert (result.agreement_of_experts, result.kappa_of_experts) == pytest.approx((0.8, kappa))
    assert result.two_crowd_raters.items == 4


def test_half():
    """Crowd means 1.5, 2.5, 3, 3, 1 go to 2, 3, 3, 3, 1 if .5 goes up, and the experts' 2.5 to 3: 1 2 3 3 1."""
    up = experts(ratings(ROWS), experts=["e1", "e2"], half="up", resamples=0).expert_crowd
    assert up.kappa == pytest.approx(cohen_kappa_score([1, 2, 3, 3, 1], [2, 3, 3, 3, 1], weights="quadratic"))


def test_nobody_is_in_both_groups():
    with pytest.raises(InputError, match="rater 'e1' is in both groups, experts and crowd"):
        experts(ratings(ROWS), experts=["e1"], crowd=["e1", "w1"])
    with pytest.raises(InputError, match="none of the 4 raters of 'meaning' is among the crowd"):
        experts(ratings(ROWS), experts=list(ROWS))
    with pytest.raises(UnknownName, match=r"unknown rater 'e9'.*given as experts"):
        experts(ratings(ROWS), experts=["e9"])


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({"e1": [1, 2, NAN], "w1": [NAN, NAN, 1]}, "no output was rated by both"),
        ({"e1": [1.5, 2, 3], "w1": [1, 2, 4]}, "not one of a few whole numbers"),
        ({"e1": [2, 2, 2], "w1": [2, 2, 2]}, "all 3 rounded means are in one category"),
        ({"e1": [2, 2, 2], "w1": [2, 3, 1]}, "one side is constant"),
    ],
)
def test_undefined(rows, why):
    with pytest.warns(UndefinedWarning, match=why):
        result = experts(ratings(rows), experts=["e1"], resamples=10)
    assert np.isnan([result.expert_crowd.kappa, result.expert_crowd.correlation]).any()
    assert result.view().headline


def test_summeval(shared):
    """Experts agree with each other on relevance, and with the crowd hardly at all."""
    result = experts(shared("summeval.jsonl.gz"), "relevance", experts=lambda name: name.startswith("expert"))
    assert result.expert_crowd.n == 1600
    assert result.kappa_of_experts > 0.4
    assert result.expert_crowd.kappa_high < 0.15
