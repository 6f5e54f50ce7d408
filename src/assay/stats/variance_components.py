"""How much systems, items, raters and their combinations contribute to the spread of ratings.

rating = mean + system + item + rater + system x item + system x rater + item x rater + rest, each but the mean drawn
from a distribution of its own. With cells missing, sums of squares are those of Henderson's first method (1953): each
is set equal to its expectation. On complete tables this is the textbook analysis of variance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, floats

NAMES = ("system", "item", "rater", "system_item", "system_rater", "item_rater", "rest")
_TERMS = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))


@dataclass(frozen=True)
class VarianceComponents:
    """The variance that each term contributes; `negative` names those with an estimate below 0 and was set to 0.

    NaN where the design cannot tell a term from others (one rater, no rater who saw two systems of an item); its
    variance is then part of a later term: with one rating of each output, system x item is part of the rest.
    """

    system: float
    item: float
    rater: float
    system_item: float
    system_rater: float
    item_rater: float
    rest: float
    negative: tuple[str, ...] = ()
    systems: int = 0
    items: int = 0
    raters: int = 0
    ratings: int = 0

    @classmethod
    def of(
        cls, values: Sequence[float], negative: tuple[str, ...] = (), sizes: Sequence[int] = (0, 0, 0, 0)
    ) -> VarianceComponents:
        """Make components from their values in the order of NAMES; sizes are of systems, items, raters and ratings."""
        named: dict[str, Any] = dict(zip(NAMES, values, strict=True))
        systems, items, raters, ratings = sizes
        return cls(**named, negative=negative, systems=systems, items=items, raters=raters, ratings=ratings)

    def difference_variance(
        self, items: float, raters: float, per_output: float, *, new_raters: bool = True, same_rater: bool = True
    ) -> float:
        """Return the variance of the difference between two systems' means.

        n items, K raters in all, k ratings of each output, every rater on both systems equally often:
        2 (si / n + sr / K + e / (n k)). For the raters of the study itself sr drops out; where the outputs of an item
        are judged by different raters (Latin square), item x rater adds 2 ir / (n k).
        """
        spread = self.system_item / items + self.rest / (items * per_output)
        if new_raters:
            spread += self.system_rater / raters
        if not same_rater:
            spread += self.item_rater / (items * per_output)
        return 2 * spread

    def generalizability(self, items: float, raters: float, per_output: float) -> float:
        """Return how reliably the order of systems would come out again with other items and raters (E rho squared)."""
        noise = self.difference_variance(items, raters, per_output) / 2
        return self.system / (self.system + noise) if self.system + noise > 0 else float("nan")

    def dependability(self, items: float, raters: float, per_output: float) -> float:
        """Return how reliably the means themselves would come out again (phi): levels of items and raters count too."""
        noise = self.difference_variance(items, raters, per_output) / 2
        noise += self.item / items + self.rater / raters + self.item_rater / (items * per_output)
        return self.system / (self.system + noise) if self.system + noise > 0 else float("nan")

    def output_reliability(self, ratings: float) -> float:
        """Return how reliable the mean of n ratings of one output is, each by another rater (phi of outputs).

        Outputs differ by system, item and both; what raters add to it, in any way, shrinks with their number. NaN where
        nothing differs.
        """
        own, by_raters = self._split_outputs()
        return own / (own + by_raters / ratings) if own + by_raters > 0 else float("nan")

    def ratings_for_output(self, target: float) -> int | None:
        """Return how many ratings of an output make its mean so reliable; None if no number does."""
        own, by_raters = self._split_outputs()
        if not 0 < target < 1:
            raise InputError(f"target must lie between 0 and 1, got {target!r}")
        return max(1, ceil(target / (1 - target) * by_raters / own - 1e-9)) if own > 0 else None

    def _split_outputs(self) -> tuple[float, float]:
        """Return the variance that belongs to outputs, and what raters add; what is unknown counts as 0."""
        known = without_nan(self)
        by_raters = known.rater + known.system_rater + known.item_rater + known.rest
        return known.system + known.item + known.system_item, by_raters


def variance_components(
    ratings: ArrayLike,
    system: Sequence[int] | Ints,
    item: Sequence[int] | Ints,
    rater: Sequence[int] | Ints | None,
    *,
    clip: bool = True,
) -> VarianceComponents:
    """Estimate the components from ratings in any pattern; `system`, `item` and `rater` number each rating's levels.

    Negative estimates are named, and set to 0 with `clip`. A term that cannot be told from another is NaN: with one
    rater all terms with raters are part of the others. `rater` None: it is not known who gave which rating, and what
    raters differ in is part of the rest.

    >>> values = [1.0, 2, 2, 4, 3, 5, 2, 2]
    >>> levels = np.indices((2, 2, 2)).reshape(3, -1)
    >>> parts = variance_components(values, *levels)
    >>> round(parts.system, 3), round(parts.system_rater, 3), parts.negative
    (0.0, 0.0, ('system', 'item', 'system_rater', 'item_rater'))
    """
    values = floats(ratings, "ratings", ndim=1)
    who = np.zeros(len(values), dtype=np.int64) if rater is None else rater
    codes = [np.unique(np.asarray(each), return_inverse=True)[1] for each in (system, item, who)]
    if len({len(values), *map(len, codes)}) != 1:
        raise InputError("ratings, system, item and rater must be of equal length")
    if len(values) < 2:
        raise InputError(f"variance components need at least two ratings; got {len(values)}")
    sizes = [int(code.max()) + 1 for code in codes]
    present = [term for term in range(len(_TERMS)) if all(sizes[axis] > 1 for axis in _TERMS[term])]
    labels = {term: _combine(codes, sizes, _TERMS[term]) for term in present}
    if rater is None:
        labels[len(_TERMS) - 1] = np.arange(len(values))
    labels = _without_repeats(labels)
    zero = 1e-12 * float(values.var())  # what rounding leaves of nothing
    estimates = {term: 0.0 if abs(own) < zero else own for term, own in _henderson(values, labels).items()}
    parts = {NAMES[term]: estimates.get(term, float("nan")) for term in range(len(_TERMS))}
    negative = tuple(name for name, value in parts.items() if value < 0)
    parts = {name: 0.0 if clip and value < 0 else value for name, value in parts.items()}
    return VarianceComponents.of([parts[name] for name in NAMES], negative, (*sizes, len(values)))


def complete_components(table: ArrayLike, *, clip: bool = True) -> VarianceComponents:
    """Estimate the components from a complete table, systems x items x raters, by the analysis of variance.

    The same as `variance_components`, without looking for missing cells: for many tables.

    >>> table = np.arange(12.0).reshape(2, 3, 2) ** 0.5
    >>> levels = np.indices(table.shape).reshape(3, -1)
    >>> round(complete_components(table).item, 6) == round(variance_components(table.ravel(), *levels).item, 6)
    True
    """
    values = floats(table, "table", ndim=3)
    s, i, r = values.shape
    if min(values.shape) < 2:
        raise InputError(f"a table needs at least two systems, items and raters; got {s} x {i} x {r}")
    centred = values - values.mean()
    means = {axes: centred.mean(axis=tuple({0, 1, 2} - set(axes)), keepdims=True) for axes in _TERMS[:-1]}
    squares = {axes: float((mean**2).sum()) * centred.size / mean.size for axes, mean in means.items()}
    one = {axis: squares[(axis,)] for axis in range(3)}
    two = {axes: squares[axes] - one[axes[0]] - one[axes[1]] for axes in _TERMS[3:6]}
    rest = float((centred**2).sum()) - sum(one.values()) - sum(two.values())
    df = {0: s - 1, 1: i - 1, 2: r - 1}
    ms = {axis: one[axis] / df[axis] for axis in range(3)}
    ms2 = {axes: two[axes] / (df[axes[0]] * df[axes[1]]) for axes in two}
    e = rest / (df[0] * df[1] * df[2])
    estimates = (
        (ms[0] - ms2[0, 1] - ms2[0, 2] + e) / (i * r),
        (ms[1] - ms2[0, 1] - ms2[1, 2] + e) / (s * r),
        (ms[2] - ms2[0, 2] - ms2[1, 2] + e) / (s * i),
        (ms2[0, 1] - e) / r,
        (ms2[0, 2] - e) / i,
        (ms2[1, 2] - e) / s,
        e,
    )
    negative = tuple(name for name, value in zip(NAMES, estimates, strict=True) if value < 0)
    above = [max(value, 0.0) if clip else value for value in estimates]
    return VarianceComponents.of(above, negative, (s, i, r, centred.size))


def without_nan(parts: VarianceComponents) -> VarianceComponents:
    """Return the components with 0 for what the design cannot tell: it is part of another."""
    unknown: dict[str, Any] = {name: 0.0 for name in NAMES if np.isnan(getattr(parts, name))}
    return replace(parts, **unknown)


def clip_negative(parts: VarianceComponents) -> VarianceComponents:
    """Return the components with 0 for negative estimates."""
    below: dict[str, Any] = {name: 0.0 for name in NAMES if getattr(parts, name) < 0}
    return replace(parts, **below)


def _combine(codes: Sequence[Ints], sizes: Sequence[int], axes: Sequence[int]) -> Ints:
    """Number the cells of several factors."""
    combined = np.zeros(len(codes[0]), dtype=np.int64)
    for axis in axes:
        combined = combined * sizes[axis] + codes[axis]
    return np.asarray(np.unique(combined, return_inverse=True)[1], dtype=np.int64)


def _without_repeats(labels: dict[int, Ints]) -> dict[int, Ints]:
    """Leave out terms that divide the ratings as a later one does: the later one stands for both."""
    distinct: dict[int, Ints] = {}
    for term in reversed(labels):
        if not any(_is_same_partition(labels[term], other) for other in distinct.values()):
            distinct[term] = labels[term]
    return {term: distinct[term] for term in labels if term in distinct}


def _is_same_partition(first: Ints, second: Ints) -> bool:
    groups = int(first.max()) + 1
    if groups != int(second.max()) + 1:
        return False
    return len(np.unique(first * groups + second)) == groups


def _henderson(values: Array, labels: dict[int, Ints]) -> dict[int, float]:
    """Solve for the components: T of a term is the sum over its levels of (sum of ratings)^2 / count, less that of all.

    E[T of f] = sum over g of sigma_g^2 (sum over cells of f and g of n_fg^2 / n_f), and the same for the whole table.
    """
    n = len(values)
    centred = values - values.mean()
    terms = list(labels)
    squares = np.array([(np.bincount(labels[f], centred) ** 2 / np.bincount(labels[f])).sum() for f in terms])
    whole = np.array([(np.bincount(labels[g]).astype(float) ** 2).sum() / n for g in terms])
    weights = np.array([[_coefficient(labels[f], labels[g]) for g in terms] for f in terms]) - whole
    solution, _, rank, _ = np.linalg.lstsq(weights, squares, rcond=None)
    if rank == len(terms):
        return dict(zip(terms, solution.tolist(), strict=True))
    return {f: float(solution[k]) for k, f in enumerate(terms) if _is_identified(weights, k)}


def _coefficient(f: Ints, g: Ints) -> float:
    """Return the coefficient of the variance of g in the expectation of T of f."""
    cells = np.unique(f.astype(np.int64) * (int(g.max()) + 1) + g, return_counts=True)
    level = cells[0] // (int(g.max()) + 1)
    return float((cells[1].astype(float) ** 2 / np.bincount(f)[level]).sum())


def _is_identified(weights: Array, k: int) -> bool:
    """Check if a column of the equations is not a combination of the others."""
    others = np.delete(weights, k, axis=1)
    return bool(np.linalg.matrix_rank(others) < np.linalg.matrix_rank(weights))
