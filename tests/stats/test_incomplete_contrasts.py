"""Ratings of which cells are missing: the complete case, what raters who saw one system add, and the level."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.incomplete_contrasts import fit_incomplete
from assay.stats.rating_contrasts import rating_contrasts
from assay.stats.variance_components import VarianceComponents, variance_components

PARTS = {
    "item": 0.105,
    "rater": 0.139,
    "system_item": 0.506,
    "system_rater": 0.0854,
    "item_rater": 0.034,
    "rest": 0.414,
}
AXES = {
    "item": (1,),
    "rater": (2,),
    "system_item": (0, 1),
    "system_rater": (0, 2),
    "item_rater": (1, 2),
    "rest": (0, 1, 2),
}


def draw(rng, shape):
    table = np.zeros(shape)
    for name, axes in AXES.items():
        size = [shape[axis] if axis in axes else 1 for axis in range(3)]
        table = table + rng.normal(0, np.sqrt(PARTS[name]), size)
    return table


def assign(rng, kind, shape, per_output):
    systems, items, raters = shape
    mask = np.zeros(shape, dtype=bool)
    for item in range(items):
        order = rng.permutation(raters)
        for system in range(systems):
            if kind == "items apart":
                mask[system, item, order[:per_output]] = item % 4 in (system, system + 1)
            elif kind == "together":
                mask[system, item, order[:per_output]] = True
            elif kind == "square":
                mask[system, item, order[system * per_output : (system + 1) * per_output]] = True
            else:
                mask[system, item, rng.permutation(raters)[:per_output]] = True
    return mask


def test_a_complete_table_gives_the_closed_form():
    table = draw(np.random.default_rng(1), (3, 12, 4))
    codes = list(np.indices(table.shape).reshape(3, -1))
    parts = variance_components(table.ravel(), *codes, clip=False)
    whole = rating_contrasts(table.ravel(), *codes)
    fit = fit_incomplete(table.ravel(), codes, parts, new_raters=True)
    assert fit.means == pytest.approx(table.mean(axis=(1, 2)))
    assert fit.error[0, 1] == pytest.approx(whole.error[0, 1])
    assert fit.df[0, 1] == pytest.approx(whole.df[0, 1])


def test_means_and_errors_are_those_of_a_dense_covariance():
    """With V written out in full: means (X'V^-1 X)^-1 X'V^-1 y, and the variance of a difference is w'Vw."""
    rng = np.random.default_rng(2)
    table = draw(rng, (3, 9, 5))
    mask = rng.random(table.shape) < 0.5
    codes = list(np.nonzero(mask))
    parts = VarianceComponents(0.3, **PARTS, systems=3, items=9, raters=5, ratings=int(mask.sum()))
    fit = fit_incomplete(table[mask], codes, parts, new_raters=True)
    v = PARTS["rest"] * np.eye(mask.sum())
    for name, axes in AXES.items():
        if name != "rest":
            same = np.all([codes[a][:, None] == codes[a] for a in axes], axis=0)
            v = v + PARTS[name] * same
    x = np.eye(3)[codes[0]]
    covariance = np.linalg.inv(x.T @ np.linalg.solve(v, x))
    means = covariance @ x.T @ np.linalg.solve(v, table[mask])
    assert fit.means == pytest.approx(means)
    assert fit.covariance == pytest.approx(covariance)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert fit.error[0, 1] ** 2 == pytest.approx(variance)


def test_systems_without_a_common_item_are_compared_by_all_their_ratings():
    rng = np.random.default_rng(4)
    rater = np.tile(np.arange(4), 40)
    values = rng.normal(size=160) + rng.normal(size=40).repeat(4)
    result = rating_contrasts(values + 2 * (np.arange(160) < 80), np.arange(160) // 80, np.arange(160) // 4, rater)
    assert result.difference[0, 1] == pytest.approx(values[:80].mean() + 2 - values[80:].mean())
    assert result.pvalue[0, 1] < 0.001
    assert result.df[0, 1] < 45


def test_one_rating_of_each_output_leaves_system_x_item_in_the_rest():
    rng = np.random.default_rng(3)
    table = draw(rng, (2, 60, 10))
    mask = assign(rng, "together", table.shape, 1)
    parts = variance_components(table[mask], *np.nonzero(mask))
    assert np.isnan(parts.system_item)
    assert parts.rest == pytest.approx(PARTS["rest"] + PARTS["system_item"], rel=0.4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "shape", "per_output"),
    [
        ("together", (2, 60, 10), 2),
        ("square", (2, 60, 10), 1),
        ("square", (4, 40, 12), 2),
        ("apart", (2, 60, 20), 2),
        ("apart", (6, 40, 30), 1),
        ("items apart", (2, 60, 10), 3),
        ("items apart", (2, 120, 4), 2),
    ],
)
def test_the_level_with_missing_cells(kind, shape, per_output):
    """Equal systems, judged together, in a Latin square or by whoever comes: at most .06, and not far below .05."""
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(1500):
        table, mask = draw(rng, shape), assign(rng, kind, shape, per_output)
        rejected += rating_contrasts(table[mask], *np.nonzero(mask)).pvalue[0, 1] < 0.05
    assert 0.02 <= rejected / 1500 <= 0.065
