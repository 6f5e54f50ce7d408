"""The test for new raters: its figures, its level and its power."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError
from assay.planning.components import read_study
from assay.stats.rating_contrasts import (
    ContrastDesign,
    contrast_level,
    contrast_power,
    contrast_variance,
    detectable_difference,
    rating_contrasts,
)
from assay.stats.variance_components import VarianceComponents

COHERENCE = VarianceComponents(0.309, 0.105, 0.139, 0.506, 0.0854, 0.034, 0.414)


def draw(rng, systems, items, raters, parts=COHERENCE, difference=0.0):
    table = rng.normal(0, np.sqrt(parts.system_item), (systems, items, 1))
    table = table + rng.normal(0, np.sqrt(parts.system_rater), (systems, 1, raters))
    table = table + rng.normal(0, np.sqrt(parts.item_rater), (1, items, raters))
    table = table + rng.normal(0, np.sqrt(parts.rest), (systems, items, raters))
    table[0] += difference
    return table


def p_of(table, **options):
    return rating_contrasts(table.ravel(), *np.indices(table.shape).reshape(3, -1), **options).pvalue[0, 1]


@pytest.mark.parametrize(("systems", "expected"), [(16, 0.76), (2, 1.18)])
def test_detectable_differences_of_summeval(systems, expected):
    """Coherence, 100 items x 3 raters, power .8: .76 in a study of 16 systems, 1.18 in a study of 2."""
    assert detectable_difference(COHERENCE, ContrastDesign(systems, 100, 3, 3)) == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(
    ("dimension", "bounds"),
    [
        ("coherence", (1.22, 0.74, 1.18, 0.32)),
        ("consistency", (0.44, 0.34, 0.36, 0.29)),
        ("fluency", (0.38, 0.29, 0.31, 0.25)),
        ("relevance", (0.82, 0.50, 0.77, 0.25)),
    ],
)
def test_with_normal_quantiles_the_bounds_come_out(dimension, bounds):
    """SummEval's experts: 100 items x 1 rater, 100 x 3, 300 x 1, and 100 x 3 for the same raters, to .01."""
    parts = read_study("summeval-expert", dimension).parts
    designs = ((100, 1, True), (100, 3, True), (300, 1, True), (100, 3, False))
    for (items, raters, new_raters), expected in zip(designs, bounds, strict=True):
        variance = parts.difference_variance(items, raters, raters, new_raters=new_raters)
        assert (1.95996 + 0.84162) * np.sqrt(variance) == pytest.approx(expected, abs=0.01)


def test_the_level_with_few_raters_is_known():
    """Two systems, 100 items: .076 with 3 raters, .063 with 4; with 10 it is near .05."""
    levels = {k: contrast_level(COHERENCE, ContrastDesign(2, 100, k, k)) for k in (3, 4, 10)}
    assert levels[3] == pytest.approx(0.076, abs=0.012)
    assert levels[4] == pytest.approx(0.063, abs=0.012)
    assert levels[10] == pytest.approx(0.05, abs=0.01)
    assert np.isnan(contrast_level(COHERENCE, ContrastDesign(2, 100, 1, 1)))


def test_one_rating_of_each_output_is_tested_by_raters_alone():
    """The rest cannot be told from system x item then: as many degrees of freedom as raters give."""
    assert contrast_variance(COHERENCE, ContrastDesign(2, 100, 15, 1))[1] == 14


def test_mean_squares_by_hand():
    """On a complete table the variance is 2 (MS_si + MS_sr - MS_e) / (n k)."""
    table = draw(np.random.default_rng(5), 3, 20, 4, replace(COHERENCE, system_rater=0.5))
    result = rating_contrasts(table.ravel(), *np.indices(table.shape).reshape(3, -1))
    si = table.mean(axis=2) - table.mean(axis=(1, 2))[:, None] - table.mean(axis=(0, 2)) + table.mean()
    sr = table.mean(axis=1) - table.mean(axis=(1, 2))[:, None] - table.mean(axis=(0, 1)) + table.mean()
    rest = (
        table
        - table.mean(axis=2)[:, :, None]
        - table.mean(axis=1)[:, None, :]
        - table.mean(axis=0)
        + table.mean(axis=(1, 2))[:, None, None]
        + table.mean(axis=(0, 2))[:, None]
        + table.mean(axis=(0, 1))
        - table.mean()
    )
    ms_si, ms_sr, ms_e = 4 * (si**2).sum() / 38, 20 * (sr**2).sum() / 6, (rest**2).sum() / 114
    assert result.error[0, 1] ** 2 == pytest.approx(2 * (ms_si + ms_sr - ms_e) / 80)
    df = (ms_si + ms_sr - ms_e) ** 2 / (ms_si**2 / 38 + ms_sr**2 / 6 + ms_e**2 / 114)
    assert result.df[0, 1] == pytest.approx(df)
    same = rating_contrasts(table.ravel(), *np.indices(table.shape).reshape(3, -1), new_raters=False)
    assert same.error[0, 1] ** 2 == pytest.approx(2 * ms_si / 80)
    assert same.df[0, 1] == pytest.approx(38)


def test_new_raters_cannot_be_tested_with_one():
    table = draw(np.random.default_rng(2), 2, 10, 1)
    assert np.isnan(p_of(table))
    assert not np.isnan(p_of(table, new_raters=False))
    assert np.isnan(contrast_power(0.5, COHERENCE, ContrastDesign(2, 10, 1, 1)))
    assert np.isnan(detectable_difference(COHERENCE, ContrastDesign(2, 10, 1, 1)))


def test_more_items_cannot_replace_raters():
    few, many = (contrast_variance(COHERENCE, ContrastDesign(2, n, 3, 3))[0] for n in (100, 100_000))
    assert many > 2 * COHERENCE.system_rater / 3 * 0.999
    assert many < few


def test_missing_cells():
    rng = np.random.default_rng(4)
    table = draw(rng, 4, 30, 6, difference=2.0)
    mask = rng.random(table.shape) < 0.5
    levels = np.indices(table.shape).reshape(3, -1)[:, mask.ravel()]
    result = rating_contrasts(table[mask], *levels)
    assert result.pvalue[0, 1] < 0.01
    assert result.difference[0, 1] == -result.difference[1, 0]


def test_one_system_is_refused():
    with pytest.raises(InputError, match="at least two systems"):
        rating_contrasts([1.0, 2.0, 3.0, 4.0], [0] * 4, [0, 0, 1, 1], [0, 1, 0, 1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("systems", "raters", "low", "high"),
    [(2, 3, 0.05, 0.10), (2, 6, 0.04, 0.06), (2, 10, 0.04, 0.06), (16, 3, 0.04, 0.06), (4, 4, 0.04, 0.06)],
)
def test_the_level_with_system_x_rater_variance(systems, raters, low, high):
    """.05 +- .01 wherever (systems - 1)(raters - 1) is at least 5; below that it is liberal, as two systems show."""
    rng = np.random.default_rng(7)
    rejected = np.mean([p_of(draw(rng, systems, 60, raters)) < 0.05 for _ in range(4000)])
    assert low <= rejected <= high


@pytest.mark.slow
def test_a_paired_test_over_items_takes_raters_for_the_whole_world():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(8)
    rejected = []
    for _ in range(1000):
        table = draw(rng, 2, 100, 3).mean(axis=2)
        rejected.append(ttest_rel(table[0], table[1]).pvalue < 0.05)
    assert 0.33 < np.mean(rejected) < 0.43


@pytest.mark.slow
@pytest.mark.parametrize("difference", [0.6, 1.0])
def test_simulated_power_is_that_of_the_noncentral_t(difference):
    rng = np.random.default_rng(9)
    design = ContrastDesign(6, 60, 5, 5)
    reached = np.mean([p_of(draw(rng, 6, 60, 5, difference=difference)) < 0.05 for _ in range(3000)])
    assert reached == pytest.approx(float(contrast_power(difference, COHERENCE, design)), abs=0.02)
