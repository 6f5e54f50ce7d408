"""Pairwise accuracy with ties: acc_eq with a calibrated threshold (Deutsch et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .checks import Array, Bools, Ints, at_least, choice, floats, stack, warn_undefined
from .differences import system_pairs
from .levels import groups_of
from .metric_tests import ROUNDING
from .pair_means import MIN_SYSTEMS, pair_means
from .resampling import Seed, batches, bits, generator, seed_number

GROUPS = ("item", "per-system", "pooled")


@dataclass(frozen=True)
class TieAccuracy:
    """acc_eq and tau_eq = 2 acc_eq - 1 at a threshold; groups averaged and pairs behind them."""

    accuracy: float
    tau: float
    epsilon: float
    groups: int
    pairs: int


@dataclass(frozen=True)
class TieMatrix:
    """Metrics compared by acc_eq: pvalues[a, b] asks whether a is better than b (one-sided); the diagonal is 1.

    null is resamples x metrics: null[:, a] - null[:, b] are the differences under random swaps, for tests of averages
    over several data sets; the test over systems swaps nothing, and has no rows there.
    """

    accuracies: Array
    epsilons: Array
    pvalues: Array
    null: Array
    groups: int
    pairs: int
    cells: int
    resamples: int
    seed: int | None


def acc_eq(h: ArrayLike, m: ArrayLike, *, epsilon: float = 0.0, group: str = "item") -> TieAccuracy:
    """Return the mean over groups of (C + T_hm) / pairs, where |m_i - m_k| <= epsilon is a tie of the metric.

    C counts pairs in people's order, T_hm pairs tied for both. h and m are systems x items; pairs are formed within
    items ("item"), within systems, or over all cells ("pooled"). A pair with a missing score is not there and a group
    without pairs is skipped; none left: NaN with an UndefinedWarning.

    >>> h = [[3, 1], [3, 2], [1, 3]]
    >>> m = [[.8, .2], [.7, .1], [.1, .4]]
    >>> round(acc_eq(h, m).accuracy, 3), round(acc_eq(h, m, epsilon=.15).accuracy, 3)
    (0.667, 0.833)
    """
    pairs = _pairs(h, m, group)
    right = np.where(np.abs(pairs.dm) <= epsilon, pairs.dh == 0, _same_order(pairs))
    accuracy = float((right * pairs.weights).sum()) if pairs.groups else float("nan")
    return _result(accuracy, epsilon, pairs)


def tie_calibration(h: ArrayLike, m: ArrayLike, *, group: str = "item") -> TieAccuracy:
    """Return acc_eq at the threshold that maximises it.

    Thresholds are 0 and every |m_i - m_k|; all pairs are sorted once and swept, O(P log P). Equal differences become
    ties together; of thresholds with the same accuracy the smallest is taken. The threshold is chosen on the data it
    is judged on, which favours continuous metrics (Perrella et al. 2024).

    >>> best = tie_calibration([[3, 1], [3, 2], [1, 3]], [[.8, .2], [.7, .1], [.1, .4]])
    >>> round(best.epsilon, 3), round(best.accuracy, 3), round(best.tau, 3)
    (0.1, 0.833, 0.667)
    """
    pairs = _pairs(h, m, group)
    if not pairs.groups:
        return _result(float("nan"), float("nan"), pairs)
    epsilon, accuracy = _sweep(pairs, _same_order(pairs))
    return _result(accuracy, epsilon, pairs)


def acc_eq_matrix(
    h: ArrayLike,
    ms: ArrayLike,
    *,
    epsilons: ArrayLike | None = None,
    group: str = "item",
    over: str | None = None,
    resamples: int = 1000,
    seed: Seed = 0,
) -> TieMatrix:
    """Compare all metrics of a stack by acc_eq.

    Each metric keeps its own threshold (calibrated here unless given). Only cells that people and all metrics have are
    used. over = "systems", the default for pairs within items, averages the outcomes of two systems over items and
    tests the mean difference over pairs of systems, which are dependent where they share one (`pair_means`).

    The other tests swap outcomes between metrics at random: under a swap of a pair of outputs, metrics a and b exchange
    being right or wrong about it; p = (1 + #{d* >= d}) / (resamples + 1). over = "groups" swaps all pairs of an item
    (or of a system) together: it speaks of these systems only, and called two equally good metrics that lean towards
    systems different in more than a quarter of simulations. over = "pairs" swaps pair by pair, as WMT does. Pairs that
    share an output are not independent: it rejects too easily even without leanings (15 % with 8 systems).

    >>> rng = np.random.default_rng(0)
    >>> h = rng.integers(0, 3, size=(6, 40)).astype(float)
    >>> ms = [h + rng.normal(size=h.shape), h + 9 * rng.normal(size=h.shape)]
    >>> acc_eq_matrix(h, ms).pvalues.round(3)
    array([[1.   , 0.002],
           [0.998, 1.   ]])
    """
    human, metrics = stack(h, ms)
    at_least(resamples, "resamples", 1)
    over = choice(over or ("systems" if group == "item" else "groups"), "over", ("systems", "groups", "pairs"))
    if over == "systems" and group != "item":
        raise InputError(f'over="systems" tests pairs within items; with group={group!r} use over="groups"')
    missing = np.isnan(metrics).any(axis=0) | np.isnan(human)
    human = np.where(missing, np.nan, human)
    fixed = None if epsilons is None else floats(epsilons, "epsilons", ndim=1)
    outcomes, thresholds, accuracies = [], [], []
    pairs = _pairs(human, metrics[0], group)
    for k, m in enumerate(metrics):
        pairs = _with_metric(pairs, human, m, group) if k else pairs
        match = _same_order(pairs)
        epsilon = (_sweep(pairs, match)[0] if pairs.groups else float("nan")) if fixed is None else float(fixed[k])
        right = np.where(np.abs(pairs.dm, out=pairs.dm) <= epsilon, pairs.dh == 0, match)
        accuracies.append(_total(right, pairs, len(metrics)) if pairs.groups else np.nan)
        outcomes.append(_sum_by_systems(right, pairs, ~missing.T) if over == "systems" else right * pairs.weights)
        thresholds.append(epsilon)
    values = np.array(accuracies)
    if not pairs.groups:
        warn_undefined("acc_eq: no group has two outputs that people and all metrics scored")
    if over == "systems":
        null, p = np.empty((0, len(metrics))), _test_over_systems(np.stack(outcomes), ~missing.T)
    else:
        table = np.stack(outcomes, axis=1)
        null = _signed_sums(table if over == "pairs" else _by_group(table, pairs.first), resamples, seed)
        p = _matrix(values, null)
    cells = int((~missing).sum())
    return TieMatrix(
        values, np.array(thresholds), p, null, pairs.groups, len(pairs.dh), cells, len(null), seed_number(seed)
    )


@dataclass(frozen=True)
class _Pairs:
    dh: Array
    dm: Array
    weight: Array  # of each pair, or the only one if all weigh the same
    groups: int
    first: Ints  # where each group's pairs begin
    present: NDArray[np.bool_] | None  # groups x pairs; None if all are there

    @property
    def weights(self) -> Array:
        """The weight of each pair."""
        return np.broadcast_to(self.weight, self.dh.shape)


def _pairs(h: ArrayLike, m: ArrayLike, group: str) -> _Pairs:
    """Return the score differences of all pairs within groups, each weighted so that groups count alike."""
    choice(group, "group", GROUPS)
    human, metric = stack(h, floats(m, "m", ndim=2)[None])
    x, y = groups_of(human, metric, group)
    dh, dm = _differences(y[0]), _differences(x[0])
    there = ~(np.isnan(dh) | np.isnan(dm))
    count: Ints = there.sum(axis=1)
    groups = int((count > 0).sum())
    weight = 1.0 / (np.maximum(count, 1) * max(groups, 1))
    same = len(count) > 0 and bool((count == count[0]).all())
    weight = weight[:1] if same else np.repeat(weight, count)
    present = None if there.all() else there
    first = (np.cumsum(count) - count)[count > 0]
    return _Pairs(_select(dh, present), _select(dm, present), weight, groups, first, present)


def _with_metric(pairs: _Pairs, human: Array, metric: Array, group: str) -> _Pairs:
    """Return the same pairs as another metric scores them, of which it has all."""
    x, _ = groups_of(human, metric[None], group)
    if pairs.present is not None:
        return replace(pairs, dm=_select(_differences(x[0]), pairs.present))
    _differences(x[0], pairs.dm.reshape(len(x[0]), -1))  # in the space of the metric before, which is done with
    return pairs


def _differences(values: Array, out: Array | None = None) -> Array:
    """Return the differences of all pairs of columns: groups x pairs."""
    count, end = values.shape[-1], 0
    differences = np.empty((len(values), count * (count - 1) // 2)) if out is None else out
    for first in range(count - 1):  # by slices, as picking columns by number takes several times as long
        start, end = end, end + count - 1 - first
        np.subtract(values[:, first, None], values[:, first + 1 :], out=differences[:, start:end])
    return differences


def _total(right: Bools, pairs: _Pairs, metrics: int) -> float:
    """Return the accuracy as a table of outcomes by metrics adds it up: row by row, from the first on.

    NumPy sums a column that stands alone in another order, which may differ in the last digit. Of equal weights only
    their number matters, as adding 0 changes nothing.
    """
    if metrics == 1:
        return float((right * pairs.weights).sum())
    if len(pairs.weight) == 1:
        return float(_multiples(pairs.weight, int(right.sum()))[-1])
    return float(np.cumsum(right * pairs.weight)[-1])


def _multiples(weight: Array, count: int) -> Array:
    """Return 0, the weight, and so on to `count` times it, added up one by one."""
    return np.concatenate([[0.0], np.cumsum(np.repeat(weight, count))])


def _select(differences: Array, present: NDArray[np.bool_] | None) -> Array:
    selected: Array = differences.ravel() if present is None else differences[present]
    return selected


def _same_order(pairs: _Pairs) -> NDArray[np.bool_]:
    """Return whether people and the metric order each pair alike, ties being ties of both."""
    same: NDArray[np.bool_] = (pairs.dh > 0) == (pairs.dm > 0)
    same &= (pairs.dh < 0) == (pairs.dm < 0)
    return same


def _sweep(pairs: _Pairs, match: Bools) -> tuple[float, float]:
    """Return the best threshold and its accuracy: start without ties, and let pairs become ties from the closest up.

    `match` is where people and the metric order a pair alike.
    """
    tied = pairs.dh == 0
    right = float((match * pairs.weights).sum())
    changes = tied != match  # other pairs are right, or wrong, whether they are ties or not
    if not changes.any():
        return 0.0, right
    size = pairs.dm[changes]
    weight = pairs.weight if len(pairs.weight) == 1 else pairs.weight[changes]
    size, gain = _sort_gains(np.abs(size, out=size), tied[changes], weight)
    accuracy = np.empty(len(gain) + 1)
    accuracy[0] = right
    np.add(np.cumsum(gain, out=gain), right, out=accuracy[1:])
    last = np.append(size[1:] != size[:-1], True)  # only after all equal differences have become ties
    steps = np.concatenate([[0], np.nonzero(last)[0] + 1]) if size[0] > 0 else np.nonzero(last)[0] + 1
    at_steps = accuracy[steps]
    best = steps[np.argmax(at_steps >= at_steps.max() - ROUNDING)]
    return (float(size[best - 1]) if best else 0.0), float(accuracy[best])


def _sort_gains(size: Array, tied: NDArray[np.bool_], weight: Array) -> tuple[Array, Array]:
    """Return the sizes from the smallest up, and what each pair adds to the accuracy when it becomes a tie.

    Where all weights are equal, sizes are sorted as integers with `tied` in the last bit, which is several times
    faster than finding their order; the bits of positive floats are ordered as the floats are.
    """
    if (weight == weight[0]).all():
        keys = size.view(np.uint64) << np.uint64(1)
        keys |= tied
        keys.sort()
        gain = np.array([-weight[0], weight[0]])[(keys & np.uint64(1)).view(np.int64)]
        keys >>= np.uint64(1)
        return keys.view(np.float64), gain
    order = np.argsort(size, kind="stable")
    return size[order], np.where(tied, weight, -weight)[order]


def _result(accuracy: float, epsilon: float, pairs: _Pairs) -> TieAccuracy:
    if not pairs.groups:
        warn_undefined("acc_eq: no group has two outputs that people and the metric both scored")
    return TieAccuracy(accuracy, 2 * accuracy - 1, epsilon, pairs.groups, len(pairs.dh))


def _sum_by_systems(right: Bools, pairs: _Pairs, present: Bools) -> Array:
    """Sum the outcomes of one metric for each pair of systems, over the items that have both, one by one."""
    of = system_pairs(present.shape[1])
    if present.all() and len(pairs.weight) == 1 and len(of):
        counts = right.reshape(len(present), len(of)).sum(axis=0)
        return np.asarray(_multiples(pairs.weight, len(present))[counts])
    there = present[:, of[:, 0]] & present[:, of[:, 1]]  # items x pairs of systems, in the order of outcomes
    sums = np.bincount(np.nonzero(there)[1], weights=right * pairs.weights, minlength=len(of))
    return np.asarray(sums, dtype=np.float64)


def _test_over_systems(sums: Array, present: Bools) -> Array:
    """Return one-sided p-values from the outcomes of each metric, summed over the items of each pair of systems."""
    from scipy.special import stdtr

    pairs, there = system_pairs(present.shape[1]), present.astype(np.float64)
    some = (there.T @ there)[pairs[:, 0], pairs[:, 1]] > 0
    outcomes = some.sum() * sums[:, some]
    p = np.ones((len(outcomes), len(outcomes)))
    if len(np.unique(pairs[some])) < MIN_SYSTEMS:
        p[~np.eye(len(p), dtype=bool)] = np.nan
        if some.any():
            warn_undefined(
                f"test of acc_eq over {len(np.unique(pairs[some]))} systems; at least {MIN_SYSTEMS} are needed"
            )
        return p
    for a, own in enumerate(outcomes):
        test = pair_means(own - outcomes, pairs[some])
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where(np.abs(test.values) <= ROUNDING, 0.0, test.values / test.errors)
        p[a] = stdtr(test.df, -t)
    np.fill_diagonal(p, 1.0)
    return p


def _by_group(table: Array, first: Ints) -> Array:
    """Sum the rows of each group."""
    return np.asarray(np.add.reduceat(table, first, axis=0)) if len(first) else table


def _signed_sums(table: Array, resamples: int, seed: Seed) -> Array:
    """Return column sums of the table (pairs or groups x metrics) under random signs of rows: resamples x metrics."""
    rng, total = generator(seed), table.sum(axis=0)
    sums = [
        bits(rng, len(table), count).astype(np.float64) @ table
        for count in batches(resamples, len(table), budget=4_000_000)
    ]
    signed: Array = 2.0 * np.concatenate(sums) - total
    return signed


def _matrix(values: Array, null: Array) -> Array:
    """Return (1 + #{null_a - null_b >= value_a - value_b}) / (resamples + 1) for all a, b; 1 on the diagonal."""
    p = np.ones((len(values), len(values)))
    for a in range(len(values)):
        d, drawn = values[a] - values, null[:, a : a + 1] - null
        p[a] = (1 + (drawn >= d - ROUNDING).sum(axis=0)) / (len(null) + 1)
    p[np.isnan(values[:, None] - values)] = np.nan
    return p
