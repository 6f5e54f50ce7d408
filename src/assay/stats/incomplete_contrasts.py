"""Compare systems by ratings of which cells are missing: who judged what decides how far a difference can be trusted.

Means of systems are those of generalized least squares, with items, raters and their combinations drawn at random
(Henderson's mixed-model equations). Each mean is a weighted sum of ratings. A component of variance counts in the
difference of two means by the sum of squares, over the levels of its term, of the summed differences of these weights:
in a complete table 2 / n for system x item, 2 / K for system x rater and 0 for items and raters, which count where they
saw one system more often than the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import Array, Ints
from .variance_components import VarianceComponents, clip_negative, without_nan

_LEAST = 1e-6  # of the total variance: a rest of 0 would make one rating as good as all


@dataclass(frozen=True)
class IncompleteMeans:
    """Means of systems, their covariance, and the error and degrees of freedom of each difference."""

    means: Array
    covariance: Array
    error: Array
    df: Array


@dataclass(frozen=True)
class _Degrees:
    """Degrees of freedom of the mean squares; those of a complete table if it is."""

    items: float
    raters: float
    rest: float
    items_alone: float
    raters_alone: float


def fit_incomplete(
    values: Array, codes: Sequence[Ints], parts: VarianceComponents, *, new_raters: bool
) -> IncompleteMeans:
    """Return means by all ratings, with errors and degrees of freedom of all pairs.

    `codes` number the system, item and rater of each rating from 0; `parts` are their components, not set to 0 where
    negative.
    """
    system, item, rater = codes
    levels = {
        "item": item,
        "rater": rater,
        "system_item": _cross(system, item),
        "system_rater": _cross(system, rater),
        "item_rater": _cross(item, rater),
        "rest": np.arange(len(values)),
    }
    weights = _weigh_ratings(system, levels, clip_negative(without_nan(parts)))
    sums = {name: _sum_levels(code, weights) for name, code in levels.items()}
    if not new_raters:
        sums["system_rater"] = _take_off_shares(sums["system_rater"], system, rater)
    known = without_nan(parts)
    degrees = _count_degrees(parts, system, item, rater)
    error, df = _combine({name: _pair_loads(own) for name, own in sums.items()}, parts, degrees, new_raters)
    covariance = np.zeros((parts.systems, parts.systems))
    for name, own in sums.items():
        if new_raters or name != "rater":
            covariance += max(getattr(known, name), 0.0) * (own.T @ own)
    return IncompleteMeans(weights.T @ values, covariance, error, df)


def _cross(first: Ints, second: Ints) -> Ints:
    """Number the cells of two factors."""
    cells = first.astype(np.int64) * (int(second.max()) + 1) + second
    return np.asarray(np.unique(cells, return_inverse=True)[1], dtype=np.int64)


def _sum_levels(codes: Ints, rows: Array) -> Array:
    sums = np.zeros((int(codes.max()) + 1, rows.shape[1]))
    np.add.at(sums, codes, rows)
    return sums


def _weigh_ratings(system: Ints, levels: dict[str, Ints], parts: VarianceComponents) -> Array:
    """Return the weight of each rating in the mean of each system: V^-1 X (X' V^-1 X)^-1.

    The mixed-model equations have a row for each system and each level of a random term, and are sparse.
    """
    from scipy import sparse
    from scipy.sparse.linalg import splu

    n, systems = len(system), int(system.max()) + 1
    total = sum(getattr(parts, name) for name in levels) or 1.0
    rest = max(parts.rest, _LEAST * total)
    blocks: list[Any] = [_indicate(system)]
    ridge = [np.zeros(systems)]
    for name, codes in levels.items():
        variance = getattr(parts, name)
        if name != "rest" and variance > 0:
            blocks.append(_indicate(codes))
            ridge.append(np.full(int(codes.max()) + 1, rest / variance))
    design = sparse.hstack(blocks, format="csc")
    equations = (design.T @ design + sparse.diags(np.concatenate(ridge))).tocsc()
    wanted = np.zeros((design.shape[1], systems))
    wanted[:systems] = np.eye(systems)
    weights = np.asarray(design @ splu(equations).solve(wanted))
    return weights.reshape(n, systems)


def _indicate(codes: Ints) -> Any:
    from scipy import sparse

    n = len(codes)
    return sparse.csc_matrix((np.ones(n), (np.arange(n), codes)), shape=(n, int(codes.max()) + 1))


def _take_off_shares(sums: Array, system: Ints, rater: Ints) -> Array:
    """Return what each rater counts above an equal share of the raters of their system: for these raters only."""
    cells = _cross(system, rater)
    first = np.unique(cells, return_index=True)[1]
    owner = system[first]
    totals = _sum_levels(owner, sums)
    return np.asarray(sums - totals[owner] / np.bincount(owner)[owner][:, None])


def _pair_loads(sums: Array) -> Array:
    """Return the sum of squares of the difference of two columns, for all pairs."""
    gram = sums.T @ sums
    own = np.diag(gram)
    return np.asarray(np.maximum(own[:, None] + own - 2 * gram, 0.0))


def _count_degrees(parts: VarianceComponents, system: Ints, item: Ints, rater: Ints) -> _Degrees:
    """Count cells and levels; a factor that cannot be told from its cells with systems is within these."""
    si, sr, ir = (_count_cells(*pair) for pair in ((system, item), (system, rater), (item, rater)))
    s, n, raters = parts.systems, parts.items, parts.raters
    rest = parts.ratings - si - sr - ir + s + n + raters - 1
    of_items = 0 if np.isnan(parts.item) else n - 1
    of_raters = 0 if np.isnan(parts.rater) else raters - 1
    return _Degrees(
        max(si - s - of_items, 0), max(sr - s - of_raters, 0), max(rest, 1), max(n - 1, 1), max(raters - 1, 1)
    )


def _count_cells(first: Ints, second: Ints) -> int:
    return len(np.unique(first.astype(np.int64) * (int(second.max()) + 1) + second))


def _combine(
    loads: dict[str, Array], parts: VarianceComponents, degrees: _Degrees, new_raters: bool
) -> tuple[Array, Array]:
    """Return the standard errors and Satterthwaite's degrees of freedom of all pairs.

    A term that the design cannot tell from the rest is in the rest, which is then not taken off again.
    """
    known = without_nan(parts)
    rest = known.rest * loads["rest"]
    items = rest + known.system_item * loads["system_item"] + known.item_rater * loads["item_rater"]
    raters = rest + known.system_rater * loads["system_rater"]
    uneven = max(known.item, 0.0) * loads["item"]  # items that only one of the two has
    lean = max(known.rater, 0.0) * loads["rater"]
    total = np.maximum(np.maximum(items + raters - rest, items), raters) + uneven + lean
    error = np.sqrt(np.maximum(total, 0.0))
    if not new_raters:
        return error, np.full(error.shape, degrees.items)
    if parts.raters < 2 or (degrees.raters <= 0 and not np.isnan(parts.system_rater)):
        return np.full(error.shape, np.nan), np.zeros(error.shape)
    squares = lean**2 / degrees.raters_alone + uneven**2 / degrees.items_alone
    if not np.isnan(parts.system_rater):
        squares = squares + raters**2 / degrees.raters
    if not np.isnan(parts.system_item) or np.isnan(parts.system_rater):
        squares = squares + items**2 / max(degrees.items, 1)
    if not np.isnan(parts.system_item) and not np.isnan(parts.system_rater):
        squares = squares + rest**2 / degrees.rest
    with np.errstate(invalid="ignore", divide="ignore"):
        return error, np.where(squares > 0, total**2 / squares, 0.0)
