"""Agreement of rankings: by hand, with scipy, and with R's example of an incomplete design."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import friedmanchisquare, kendalltau

from assay import stats
from assay.data.rankings import Rankings
from assay.errors import InputError
from assay.raters import ranking_agreement

NAN = np.nan


def make(rows, items, raters):
    table = np.array(rows, dtype=float)
    return Rankings(table, tuple("ABCDE"[: table.shape[1]]), tuple(items), tuple(raters), "rank")


COMPLETE = make([[1, 2, 3], [1, 3, 2], [1, 1, 3], [2, 1, 3], [1, 2, 3], [3, 2, 1]], "111222", "abcabc")


def test_tau_within_items_and_a_common_order_of_complete_rankings():
    result = ranking_agreement(COMPLETE, resamples=200)
    rows = COMPLETE.values
    pairs = [(0, 1), (0, 2), (1, 2)]
    taus = [np.mean([kendalltau(rows[3 * i + a], rows[3 * i + b]).statistic for a, b in pairs]) for i in range(2)]
    assert result.tau.value == pytest.approx(np.mean(taus))
    assert result.tau.low <= result.tau.value <= result.tau.high
    assert result.w.value == pytest.approx(np.mean([stats.kendall_w(rows[:3]).value, stats.kendall_w(rows[3:]).value]))
    friedman = friedmanchisquare(*rows.T)
    assert (result.chi_square, result.pvalue) == pytest.approx((friedman.statistic, friedman.pvalue))
    assert (result.order, result.chance, result.compared_items, result.complete_items) == ("kendall-w", 1 / 3, 2, 2)


def test_partial_rankings_are_tested_by_skillings_mack():
    table = [[1, 2, 3], [1, 2, NAN], [NAN, 1, 2], [1, 3, 2], [2, NAN, 3]]
    result = ranking_agreement(make(table, "11223", "ababa"))
    expected = stats.skillings_mack(table)
    assert result.order == "skillings-mack"
    assert (result.chi_square, result.pvalue, result.df) == (expected.statistic, expected.pvalue, expected.df)
    assert np.isnan(result.order_w)
    assert result.complete_items == 0
    assert result.compared_items == 2


def test_ties_against_an_order_are_no_agreement():
    assert ranking_agreement(make([[1, 1], [1, 2]], "11", "ab")).tau.value == 0
    assert ranking_agreement(make([[1, 1], [1, 1]], "11", "ab")).tau.value == 1


def test_one_rater_per_item_says_so():
    result = ranking_agreement(make([[1, 2], [1, 2], [1, 2]], "123", "aaa"))
    assert np.isnan(result.tau.value)
    assert result.view().headline.startswith("No item was ranked by two raters")


def test_systems_never_ranked_together_are_refused_by_name():
    with pytest.raises(InputError, match=r"A, B \| C, D"):
        ranking_agreement(make([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], "12", "aa"))
    with pytest.raises(InputError, match="no rater ranked two systems"):
        ranking_agreement(make([[1, NAN], [NAN, 1]], "12", "aa"))


def test_headline_quotes_the_table():
    rows = np.tile(COMPLETE.values, (10, 1)).tolist()
    many = make(rows, [str(k // 3) for k in range(60)], ["a", "b", "c"] * 20)
    view = ranking_agreement(many).view()
    value = view.tables[0].columns[1].cells[0]
    assert f"two rankings of an item have tau {value}" in view.headline
    few = ranking_agreement(COMPLETE).view()
    assert few.headline == (
        "Too few items that two raters ranked (2) to say how far they agree on the order by rank: 20 are needed."
    )
    assert len(few.sentences) == 1  # nor is anything said of a common order of two items
