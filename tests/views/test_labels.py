"""Names next to points do not cover each other, at any width of the page."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.views._labels import _WIDTHS, _box, _dot, _overlap, place_labels, shorten_label


@pytest.mark.parametrize("count", [2, 16, 60, 200])
@pytest.mark.parametrize("width", [*_WIDTHS, 290, 400, 900])
def test_no_name_covers_another_or_a_point(count, width):
    """Placed once, they stay apart whatever the width."""
    rng = np.random.default_rng(count)
    points = [(float(x), float(y)) for x, y in 0.1 + 0.8 * rng.random((count, 2))]
    names = [f"system-{i:03d}" for i in range(count)]
    sides = place_labels(points, names)
    boxes = {i: _box(points[i], names[i], side, width, 300) for i, side in enumerate(sides) if side}
    dots = {i: _dot(p, width, 300) for i, p in enumerate(points)}
    clashes = [(a, b) for a, b in combinations(boxes, 2) if _overlap(boxes[a], boxes[b])]
    covered = [(a, b) for a in boxes for b in dots if a != b and _overlap(boxes[a], dots[b])]
    if width in _WIDTHS:
        assert (clashes, covered) == ([], [])
    else:
        assert len(clashes) + len(covered) <= 1 + count // 50  # between the widths that were tried
    assert len(boxes) >= min(count, 5)


def test_points_on_one_place_have_no_names_on_each_other():
    sides = place_labels([(0.5, 0.5)] * 6, list("abcdef"))
    assert sorted(side for side in sides if side) == sorted({side for side in sides if side})


def test_a_long_name_is_cut():
    assert shorten_label("a" * 40) == "a" * 21 + "…"
