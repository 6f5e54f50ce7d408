"""Compare every two raters who judged an output in common: how often they agree, kappa and correlation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.ratings import Floats, Ratings
from ..stats import coefficients
from ..stats.kappa import kappas
from .input import scale_points


@dataclass(frozen=True)
class RaterPair:
    """Two raters on the n outputs both judged; kappa is NaN where it is 0/0 or the scale not discrete."""

    kind: ClassVar[str] = "rater_pair"
    first: str
    second: str
    n: int
    agreement: float
    kappa: float
    correlation: float


def rater_pairs(ratings: Ratings, *, nominal: bool = False) -> tuple[RaterPair, ...]:
    """Compare the pairs with at least one output in common; correlation needs three, and a spread, else it is NaN.

    Kappa is quadratic; that of nominal ratings is plain, and they have no correlation.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, np.nan], [np.nan, np.nan, np.nan, 2]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), tuple("ABCD"), ("1",) * 4, "meaning")
    >>> [(p.first, p.second, p.n, p.kappa) for p in rater_pairs(ratings)]
    [('ann', 'bob', 3, 1.0), ('ann', 'cy', 1, 0.0)]
    """
    rated = ~np.isnan(ratings.values)
    common = (rated.astype(np.float64) @ rated.T.astype(np.float64)).astype(np.int64)
    scale = scale_points(ratings)
    return tuple(pair for i in range(len(rated)) for pair in _pairs_of(ratings, i, common[i], scale, nominal))


def _pairs_of(
    ratings: Ratings, i: int, common: NDArray[np.int64], scale: Floats | None, nominal: bool
) -> Iterator[RaterPair]:
    others = [j for j in range(i + 1, len(common)) if common[j]]
    if not others:
        return
    columns = ~np.isnan(ratings.values[i])
    own, others_ratings = ratings.values[i, columns], ratings.values[others][:, columns]
    same = (others_ratings == own).sum(axis=1) / common[others]
    kappa = np.full(len(others), np.nan) if scale is None else _kappas(own, others_ratings, scale, nominal)
    correlation = coefficients(others_ratings, np.broadcast_to(own, others_ratings.shape), method="pearson")
    correlation = correlation * np.nan if nominal else correlation
    for j, agree, k, r in zip(others, same.tolist(), kappa.tolist(), correlation.tolist(), strict=True):
        yield RaterPair(ratings.raters[i], ratings.raters[j], int(common[j]), agree, k, r)


def _kappas(own: Floats, others: Floats, scale: Floats, nominal: bool) -> Floats:
    """Return kappa of one rater with each of the others, over the whole scale."""
    one = (own[:, None] == scale).astype(np.float64)
    many = (others[:, :, None] == scale).astype(np.float64)  # NaN equals no point
    return kappas(np.einsum("ck,ocl->okl", one, many), "none" if nominal else "quadratic")[0]


def mean_over_pairs(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return the mean of the defined values, weighted by the outputs in common; NaN if nothing is.

    >>> mean_over_pairs([0.5, float("nan"), 0.8], [10, 5, 20])
    0.7
    """
    v, w = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    some = ~np.isnan(v)
    return float((v[some] * w[some]).sum() / w[some].sum()) if some.any() else float("nan")
