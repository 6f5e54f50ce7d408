"""Is there enough to correlate within items? Else the level of systems answers."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ..data.alignment import align_scores
from ..data.scores import Floats, Scores
from ..errors import MismatchWarning
from ..stats.levels import level_name
from .minimums import ITEM_SYSTEMS, MIN_COMPARED_PAIRS, MIN_JUDGED_ITEMS


def find_problem(
    human: Scores, metrics: Iterable[Scores], *, systems: Sequence[str] | None, without: Collection[str] | None
) -> str:
    """Say why these metrics are not correlated with people within items; "" where they can be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MismatchWarning)  # the correlations themselves warn
        pairs = [align_scores(human, own, systems=systems, without=without) for own in metrics]
    return next(filter(None, (find_item_problem(h.values, m.values) for h, m in pairs)), "")


def choose_levels(levels: Sequence[str], problem: str) -> tuple[list[str], str]:
    """Return the levels, with that of systems for within items where there is a problem, which is then returned too."""
    names = [level_name(level) for level in levels]
    if not problem or "item" not in names:
        return list(dict.fromkeys(names)), ""
    return list(dict.fromkeys("system" if name == "item" else name for name in names)), problem


def find_item_problem(human: Floats, metric: Floats) -> str:
    """Say why correlations within items mean nothing here; "" where enough items and pairs of outputs were judged.

    A pair of outputs of an item can be compared where people scored them differently.

    >>> find_item_problem(np.arange(60.0).reshape(3, 20), np.ones((3, 20)))
    'correlations within items need 100 pairs of outputs that people scored differently; there are 60'
    """
    judged = np.where(np.isnan(metric), np.nan, human)
    counts = np.asarray((~np.isnan(judged)).sum(axis=0))
    items = int((counts >= ITEM_SYSTEMS).sum())
    if items < MIN_JUDGED_ITEMS:
        return (
            f"correlations within items need {MIN_JUDGED_ITEMS} items with {ITEM_SYSTEMS} or more judged systems; "
            f"there are {items}"
        )
    pairs = sum(map(_count_pairs, judged.T))
    if pairs < MIN_COMPARED_PAIRS:
        return (
            f"correlations within items need {MIN_COMPARED_PAIRS} pairs of outputs that people scored differently; "
            f"there are {pairs}"
        )
    return ""


def _count_pairs(scores: Floats) -> int:
    """Count the pairs of scores that differ."""
    counts = np.unique(scores[~np.isnan(scores)], return_counts=True)[1]
    return int((counts.sum() ** 2 - (counts**2).sum()) // 2)
