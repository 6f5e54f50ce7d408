"""Shares of the same items: McNemar's mid-p and Tango's interval, against published figures and other programs."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from assay.stats import mcnemar, tango

Z = 1.959963984540054


def test_published():
    """Fagerland, Lydersen and Laake (2013, 2014): airway reactivity, 1 and 7 of 21 pairs; mid-p .0391."""
    assert mcnemar(1, 7) == pytest.approx(0.0390625)
    low, high = tango([1], [7], [21], [Z])
    assert (round(low[0], 3), round(high[0], 3)) == (-0.517, -0.026)


@pytest.mark.parametrize(("b", "c"), [(0, 5), (3, 10), (12, 12), (1, 0), (20, 7)])
def test_mid_p_is_exact_less_half_the_point(b, c):
    exact = scipy_stats.binomtest(b, b + c).pvalue
    at = scipy_stats.binom.pmf(b, b + c, 0.5)
    assert mcnemar(b, c) == pytest.approx(exact - at if b != c else 1 - at / 2)
    assert mcnemar(b, c) == mcnemar(c, b)


@pytest.mark.parametrize(("b", "c", "n"), [(12, 2, 50), (1, 7, 21), (5, 5, 30), (0, 9, 100), (40, 3, 60)])
def test_bounds_solve_the_quartic(b, c, n):
    """Yang, Sun and Hardin (2013): Tango's bounds are roots of a polynomial of degree 4."""
    g, d = Z**2, b - c
    polynomial = [
        n**2 * (n / g + 1) ** 2,
        -n * d * (n / g + 1) * (4 * n / g + 1),
        2 * n * d**2 * (3 * n / g + 2) / g - n**2 * ((b + c) / g + 1),
        n * d * (2 * (b + c) / g + 1) - d**3 * (4 * n / g + 1) / g,
        d**2 * (d**2 / g - (b + c)) / g,
    ]
    roots = np.roots(polynomial)
    roots = roots[np.abs(roots.imag) < 1e-6].real
    low, high = tango([b], [c], [n], [Z])
    assert np.abs(roots - low[0]).min() < 1e-9
    assert np.abs(roots - high[0]).min() < 1e-9
    assert low[0] < d / n < high[0]


def test_ends():
    low, high = tango([0, 20, 0], [0, 0, 20], [20, 20, 20], [Z, Z, Z])
    assert low[0] == pytest.approx(-high[0])
    assert 0.1 < high[0] < 0.2
    assert high[1] == 1
    assert low[2] == -1
    assert low[1] == pytest.approx(-high[2])
    assert 0.6 < low[1] < 0.9


def test_leaves_out_0_where_the_score_test_rejects():
    rng = np.random.default_rng(0)
    b, c = rng.integers(0, 12, size=(2, 300)).astype(float)
    keep = b + c > 0
    b, c = b[keep], c[keep]
    low, high = tango(b, c, 30, Z)
    statistic = np.abs(b - c) / np.sqrt(b + c)
    assert (((low > 0) | (high < 0)) == (statistic > Z)).all()
