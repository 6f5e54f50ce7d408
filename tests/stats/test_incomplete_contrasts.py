"""Ratings of which cells are missing: the complete case, what raters who saw one system add, and the level."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.incomplete_contrasts import test_incomplete as contrast_incomplete
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
            if kind == "together":
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
    difference, error, df = contrast_incomplete(table.ravel(), codes, parts, new_raters=True)
    assert difference == pytest.approx(whole.difference)
    assert error[0, 1] == pytest.approx(whole.error[0, 1])
    assert df[0, 1] == pytest.approx(whole.df[0, 1])


def test_the_variance_of_a_small_design_by_hand():
    """Two items; ann judged A on both and B on the first, bob B on the second: weights 1/2, 1/2, -1/2 and -1/2."""
    codes = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 0, 0, 1])]
    parts = VarianceComponents(0, 0.1, np.nan, 2.0, 4.0, 8.0, 16.0, systems=2, items=2, raters=2, ratings=4)
    _, error, _ = contrast_incomplete(np.zeros(4), codes, parts, new_raters=True)
    # system x item: 4 / 4; system x rater: 1 + 1/4 + 1/4; item x rater: 0 + 1/4 + 1/4; rest: 4 / 4
    assert error[0, 1] ** 2 == pytest.approx(2.0 * 1 + 4.0 * 1.5 + 8.0 * 0.5 + 16.0)


def test_pairs_are_compared_on_common_items():
    values = np.array([5.0, 4.0, 1.0, 3.0, 2.0, 1.0, 1.0, 2.0])
    codes = [np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 0, 0, 2, 2]), np.array([0, 1] * 4)]
    result = rating_contrasts(values, *codes)
    assert result.difference[0, 1] == 3.0  # item 0 only: 4.5 and 1.5


def test_systems_without_a_common_item_are_not_tested():
    codes = [np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])]
    assert np.isnan(rating_contrasts([1.0, 2.0, 3.0, 5.0], *codes).pvalue[0, 1])


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
