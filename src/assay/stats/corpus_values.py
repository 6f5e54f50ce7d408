"""Turn a corpus score into values by cluster with the same mean: what each cluster adds to it.

A corpus score (BLEU, chrF, TER) is a function of sums, not a mean. Leaving out one cluster at a time gives values with
the score as their mean and the scatter of the jackknife (Tukey 1958), so that corpus scores are compared as means are.
Where clusters are few, what one of them adds depends on the others: systems then swap the sums of clusters, not values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, Bools, Ints, floats
from .cluster_errors import number_clusters
from .contrasts import Contrasts, compare_all

Finish = Callable[[Array], Array]  # rows of summed statistics -> one score each
_FEW = 50  # clusters; with more the values of clusters may be swapped instead


def corpus_values(statistics: ArrayLike, finish: Finish, clusters: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the corpus score of each system, and its values by cluster (systems x clusters, NaN where it has none).

    statistics: systems x items x columns, NaN where a system lacks an item. With G clusters, S the score and S_-g that
    without cluster g, the value is S + (G - 1) (mean of S_-g - S_-g). A system of one cluster has its score there.

    >>> rows = np.array([[[3, 4], [2, 4], [4, 4.0]]])
    >>> scores, values = corpus_values(rows, lambda sums: sums[:, 0] / sums[:, 1])
    >>> scores, values
    (array([0.75]), array([[0.75, 0.5 , 1.  ]]))
    """
    sums, has = _sum_clusters(statistics, clusters)
    total = sums.sum(axis=1)
    scores = np.where(has.any(axis=1), finish(total), np.nan)
    return scores, np.where(has, _find_values(scores, total, sums, has, finish), np.nan)


def compare_corpora(
    statistics: ArrayLike, finish: Finish, clusters: ArrayLike | None = None, **options: Any
) -> Contrasts:
    """Compare the corpus scores of systems by their values by cluster (`compare_all`, which has the options).

    Two systems with statistics of the same clusters, at most 50, swap these, and scores and errors are computed anew:
    an exact test if they could be swapped.

    >>> rows = np.array([[[3, 4], [2, 4], [4, 4.0]], [[2, 4], [2, 4], [1, 4]]])
    >>> compare_corpora(rows, lambda sums: sums[:, 0] / sums[:, 1]).difference[0, 1].round(3)
    np.float64(0.333)
    """
    _, values = corpus_values(statistics, finish, clusters)
    sums, has = _sum_clusters(statistics, clusters)
    used = has.any(axis=0)
    values, sums, has = values[:, used], sums[:, used], has[:, used]
    if len(values) == 2 and has.all() and 1 < values.shape[1] <= _FEW:
        options["swap"] = partial(_swap_clusters, sums, finish)
    return compare_all(values, **options)


def _swap_clusters(sums: Array, finish: Finish, turned: Bools) -> Array:
    """Return the differences by cluster of two systems that swap some clusters, draws x clusters."""
    each = np.where(turned[None, :, :, None], sums[::-1, None], sums[:, None])
    flat = each.reshape(-1, *each.shape[2:])
    total = flat.sum(axis=1)
    values = _find_values(finish(total), total, flat, np.ones(flat.shape[:2], dtype=bool), finish)
    first, second = values.reshape(each.shape[:3])
    return np.asarray(first - second)


def _sum_clusters(statistics: ArrayLike, clusters: ArrayLike | None) -> tuple[Array, Bools]:
    """Return the sums of statistics by cluster, and which clusters each system has."""
    rows = floats(statistics, "statistics", ndim=3)
    codes: Ints = number_clusters(clusters, rows.shape[1])
    present = np.asarray(~np.isnan(rows).any(axis=2))
    filled = np.where(present[:, :, None], rows, 0.0)
    groups = int(codes.max(initial=-1)) + 1
    sums, has = np.zeros((len(rows), groups, rows.shape[2])), np.zeros((len(rows), groups), dtype=bool)
    for s in range(len(rows)):
        np.add.at(sums[s], codes, filled[s])
        np.logical_or.at(has[s], codes, present[s])
    return sums, has


def _find_values(scores: Array, total: Array, sums: Array, has: Bools, finish: Finish) -> Array:
    """Return the values by cluster, from the scores and sums of corpora (corpora x clusters x columns)."""
    without = finish((total[:, None] - sums).reshape(-1, sums.shape[2])).reshape(has.shape)
    count = has.sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(has, without, 0.0).sum(axis=1, keepdims=True) / count
        return np.asarray(np.where(count > 1, scores[:, None] + (count - 1) * (mean - without), scores[:, None]))
