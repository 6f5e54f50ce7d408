"""Simulated raters against a plain loop, and each rater against the rest."""

import numpy as np
import pytest
import sklearn.metrics

from assay import stats
from assay.errors import InputError, UndefinedWarning


def ratings(seed=0, missing=0.2):
    rng = np.random.default_rng(seed)
    table = np.clip(np.rint(rng.normal(2, 0.6, size=(80, 1)) + rng.normal(0, 0.6, size=(80, 5))), 1, 3)
    table[rng.random(table.shape) < missing] = np.nan
    return table


def plain(table, picks, half, weights):
    """One random rater against the rounded mean of the rest, item by item."""
    agreement, kappas = [], []
    rows = [row[~np.isnan(row)] for row in table]
    rows = [row for row in rows if len(row) >= 2]
    for pick in picks:
        a, b = [], []
        for row, u in zip(rows, pick, strict=True):
            k = int(u * len(row))
            rest = np.delete(row, k).mean()
            a.append(row[k])
            b.append({"up": np.floor(rest + 0.5), "even": np.rint(rest), "down": np.ceil(rest - 0.5)}[half])
        agreement.append(np.mean(np.equal(a, b)))
        kappas.append(sklearn.metrics.cohen_kappa_score(a, b, weights=weights, labels=[1, 2, 3]))
    return np.mean(agreement), np.mean(kappas)


@pytest.mark.parametrize("half", ["up", "even", "down"])
@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_simulation_equals_loop(half, weights):
    table = ratings()
    result = stats.two_raters(table, weights=weights, half=half, simulations=30, seed=4)
    picks = np.random.default_rng(4).random((30, result.items))
    assert (result.agreement, result.kappa) == pytest.approx(plain(table, picks, half, weights), abs=1e-12)
    assert result.items + result.left_out == 80
    assert result.kappa_low < result.kappa < result.kappa_high


def test_simulation_of_nothing():
    with pytest.warns(UndefinedWarning, match="none of 2 items was rated twice"):
        assert np.isnan(stats.two_raters([[1, np.nan], [np.nan, 2]]).kappa)
    with pytest.warns(UndefinedWarning, match="one category"):
        result = stats.two_raters(np.full((5, 3), 2.0), simulations=5)
    assert (result.agreement, np.isnan(result.kappa)) == (1, True)
    with pytest.raises(InputError, match="whole-number"):
        stats.two_raters([[1.5, 2]])


def test_leave_one_out_equals_loop():
    table = ratings(1)
    result = stats.leave_one_out(table)
    for r in range(5):
        rest = np.array(
            [np.nanmean(np.delete(row, r)) if (~np.isnan(np.delete(row, r))).any() else np.nan for row in table]
        )
        there = ~np.isnan(rest + table[:, r])
        expected = np.corrcoef(table[there, r], rest[there])[0, 1]
        assert result.per_rater[r] == pytest.approx(expected, abs=1e-12)
        assert result.items[r] == there.sum()
    assert result.value == pytest.approx(result.per_rater.mean())


def test_one_rater_has_nobody_to_agree_with():
    with pytest.warns(UndefinedWarning, match=r"rater\(s\) \[0\]"):
        assert np.isnan(stats.leave_one_out([[1], [2], [3], [4]]).value)
