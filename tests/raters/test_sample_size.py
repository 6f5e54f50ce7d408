"""How many ratings, items and raters: from the components of the ratings."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import ratings

from assay import stats
from assay.data.ratings import Ratings
from assay.errors import InputError, UndefinedWarning
from assay.raters import rating_components, sample_size
from assay.stats.rating_contrasts import ContrastDesign, contrast_power

SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def drawn(systems=3, items=20, raters=4, lean=0.5, seed=0):
    rng = np.random.default_rng(seed)
    table = rng.normal(3, 1, (1, systems, items)) + rng.normal(0, 0.5, (raters, systems, items))
    table += rng.normal(0, lean, (raters, systems, 1))
    names = [f"s{s}" for s in range(systems) for _ in range(items)]
    return Ratings(
        table.reshape(raters, -1),
        tuple("abcdefghij"[:raters]),
        tuple(names),
        tuple(str(i) for _ in range(systems) for i in range(items)),
        "meaning",
    )


def test_the_reliability_of_outputs_is_the_intraclass_correlation():
    """Shrout and Fleiss (1979): ICC(2,1) = .29 and ICC(2,k) = .62 of six targets and four judges."""
    rows = {name: [row[k] for row in SHROUT] for k, name in enumerate("abcd")}
    with pytest.warns(UndefinedWarning, match="two systems"):
        result = sample_size(ratings(rows, systems="AAAAAA", items="123456"))
    assert result.reliability(1) == pytest.approx(stats.icc(SHROUT, form="2,1").value)
    assert result.reliability(4) == pytest.approx(stats.icc(SHROUT, form="2,k").value)
    assert result.one_rater_reliability == pytest.approx(0.29, abs=0.005)


def test_the_fewest_ratings_that_reach_the_target():
    result = sample_size(drawn(), target=0.9)
    needed = result.raters_needed
    assert result.reliability(needed) >= 0.9 > result.reliability(needed - 1)


def test_positions_are_not_told_apart():
    """Without knowing who rated, raters are part of the rest: ICC(1,1)."""
    rows = {f"rater{k + 1}": [float(row[k]) for row in SHROUT] for k in range(3)}
    rows["rater3"][5] = np.nan
    named = ratings(rows, systems="AABBCC", items="121212")
    assert np.isnan(sample_size(named).detectable)
    assert rating_components(named).rater == 0


def test_new_raters_need_more_than_these():
    result = sample_size(drawn(), difference=0.8)
    assert result.detectable > result.detectable_these
    parts = result.components
    power = contrast_power(result.detectable, parts, ContrastDesign(3, 20, 4, 4))
    assert power == pytest.approx(0.8, abs=1e-6)


def test_where_items_are_not_enough_raters_are_named():
    result = sample_size(drawn(lean=1.0, raters=3), difference=0.5)
    assert result.items_needed is None
    assert result.all_raters_needed > 3
    sentence = result.view().sentences[-1]
    assert f"it takes at least {result.all_raters_needed} raters: more items are not enough" in sentence


def test_where_items_are_enough_they_are_counted():
    result = sample_size(drawn(lean=0.0, raters=6), difference=0.4)
    assert result.items_needed > 20
    assert f"{result.items_needed - 20} more items are needed" in result.view().sentences[-1]
    assert sample_size(drawn(lean=0.0), difference=100).view().sentences[-1].endswith("no more items are needed.")


def test_undefined():
    with pytest.warns(UndefinedWarning, match=r"no output was rated twice.*two systems"):
        result = sample_size(ratings({"ann": [1, 2, 3]}))
    assert np.isnan(result.one_rater_reliability)
    assert result.raters_needed is None
    assert result.more_items is None
    assert "is undefined" in result.view().headline
    with pytest.raises(InputError, match="difference must be above 0"):
        sample_size(drawn(), difference=0)


def test_raters_who_disagree_do_not_help_by_being_many():
    rows = {"ann": [1, 3, 1, 3], "bob": [3, 1, 3, 1]}
    result = sample_size(ratings(rows, systems="AABB", items="1212"))
    assert "more raters would not help" in result.view().headline
