"""Turn a corpus score into values by cluster with the same mean: what each cluster adds to it.

A corpus score (BLEU, chrF, TER) is a function of sums, not a mean. Leaving out one cluster at a time gives values with
the score as their mean and the scatter of the jackknife (Tukey 1958), so that corpus scores are compared as means are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, floats
from .cluster_errors import number_clusters

Finish = Callable[[Array], Array]  # rows of summed statistics -> one score each


def corpus_values(statistics: ArrayLike, finish: Finish, clusters: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the corpus score of each system, and its values by cluster (systems x clusters, NaN where it has none).

    statistics: systems x items x columns, NaN where a system lacks an item. With G clusters, S the score and S_-g that
    without cluster g, the value is S + (G - 1) (mean of S_-g - S_-g). A system of one cluster has its score there.

    >>> rows = np.array([[[3, 4], [2, 4], [4, 4.0]]])
    >>> scores, values = corpus_values(rows, lambda sums: sums[:, 0] / sums[:, 1])
    >>> scores, values
    (array([0.75]), array([[0.75, 0.5 , 1.  ]]))
    """
    rows = floats(statistics, "statistics", ndim=3)
    systems, items, width = rows.shape
    codes = number_clusters(clusters, items)
    present = np.asarray(~np.isnan(rows).any(axis=2))
    filled = np.where(present[:, :, None], rows, 0.0)
    groups = int(codes.max(initial=-1)) + 1
    sums, has = np.zeros((systems, groups, width)), np.zeros((systems, groups), dtype=bool)
    for s in range(systems):
        np.add.at(sums[s], codes, filled[s])
        np.logical_or.at(has[s], codes, present[s])
    total = sums.sum(axis=1)
    scores = np.where(has.any(axis=1), finish(total), np.nan)
    without = finish((total[:, None] - sums).reshape(-1, width)).reshape(systems, groups)
    count = has.sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(has, without, 0.0).sum(axis=1, keepdims=True) / count
        values = np.where(count > 1, scores[:, None] + (count - 1) * (mean - without), scores[:, None])
    return scores, np.where(has, values, np.nan)
