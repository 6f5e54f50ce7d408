"""How many systems or items a question needs before it is answered, and from where a system is an outlier."""

from __future__ import annotations

from ..stats import fewest_systems

MIN_SYSTEMS = 6  # for a test between metrics: with 5 there are 32 ways to swap, none of which reaches .05
ITEM_SYSTEMS = 3  # judged systems of an item that counts for correlations within items
MIN_JUDGED_ITEMS = 20  # such items, below which correlations within items are not computed
MIN_COMPARED_PAIRS = 100  # pairs of outputs of an item that people scored differently, for the same
MIN_ITEMS = 6  # for a two-sided signed-rank test of two systems to reach .05
MIN_FOR_OUTLIERS = 10  # systems; with fewer, the median deviation says too little
OUTLIER_THRESHOLD = 2.5  # of |mean - median| / (1.483 MAD), as in Mathur et al. (2020)


def points_needed(level: str, method: str) -> int:
    """Return how many points a correlation at a level needs before it means anything.

    >>> points_needed("system", "kendall"), points_needed("pooled", "kendall")
    (8, 6)
    """
    return fewest_systems(method) if level == "system" else MIN_SYSTEMS
