"""Test corpus scores: scores of summed statistics, such as BLEU, that are not the mean of item scores.

Items are resampled, their statistics summed and scored anew (Koehn 2004, paired bootstrap; Riezler and Maxwell 2005,
approximate randomization), so that the number tested is the number reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .blocks import BlockJob, BlockKernel, resample
from .checks import Array, Bools, Ints, at_least, choice, floats, fraction
from .differences import system_pairs
from .resampling import Seed, batches, bits, generator, indices, seed_number, weights

CORPUS_TESTS = ("bootstrap", "randomization")
_BUDGET = 4_000_000  # numbers of a block
_MIN_BEYOND = 10  # draws in the tail that can be counted
Finish = Callable[[Array], Array]  # rows of summed statistics -> one score each


@dataclass(frozen=True)
class CorpusTest:
    """Corpus scores of systems with intervals, and tests of all pairs.

    Entry [i, k] of the matrices compares system i with system k on the items that both have: `difference` is the score
    of i less that of k, `error` the bootstrap standard error of that difference, `pvalue` two-sided. `sacrebleu` is
    the p-value by sacreBLEU's formula, which for the bootstrap looks at one tail of the shifted differences and so is
    about half as large.
    """

    scores: Array
    low: Array
    high: Array
    difference: Array
    error: Array
    pvalue: Array
    sacrebleu: Array
    n: Ints
    test: str
    resamples: int
    seed: int | None


def corpus_test(
    statistics: ArrayLike,
    finish: Finish,
    *,
    test: str = "bootstrap",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
) -> CorpusTest:
    """Test all pairs of systems by their corpus scores.

    statistics: systems x items x columns, NaN where a system lacks an item; `finish` turns rows of summed columns into
    scores. Intervals are percentiles of the bootstrap.
    test = "bootstrap": items are drawn with replacement, the same for both systems; with D the difference of the corpus
    scores and D* that of a draw, p = (1 + #{|D* - mean D*| >= |D|}) / (resamples + 1). Below ten draws in the tail, the
    tail of a t distribution with their deviation is taken: p then has no floor that an adjustment would multiply.
    test = "randomization": on each item the two outputs are exchanged with probability one half;
    p = (1 + #{|D*| >= |D|}) / (resamples + 1).

    >>> rows = np.array([[[3, 4], [2, 4], [4, 4], [1, 4]], [[1, 4], [1, 4], [2, 4], [1, 4]]], dtype=float)
    >>> result = corpus_test(rows, lambda sums: sums[:, 0] / sums[:, 1], resamples=200)
    >>> result.scores.tolist(), result.difference[0, 1].item(), result.n[0, 1].item()
    ([0.625, 0.3125], 0.3125, 4)
    """
    rows = floats(statistics, "statistics", ndim=3)
    choice(test, "test", CORPUS_TESTS)
    count = at_least(resamples, "resamples", 1)
    tail = (1 - fraction(confidence, "confidence")) / 2
    present: Bools = np.asarray(~np.isnan(rows).any(axis=2))
    filled = np.where(present[:, :, None], rows, 0.0)
    draws, swaps = generator(seed).spawn(2)
    scores = finish(filled.sum(axis=1))
    replicates = _bootstrap(filled, finish, count, draws)
    low, high = np.quantile(replicates, [tail, 1 - tail], axis=0)
    matrices = _empty(len(rows))
    for i, k in system_pairs(len(rows)).tolist():
        common = present[i] & present[k]
        complete = common.all() or not (present[i] ^ present[k]).any()
        if complete:
            difference, replicate = scores[i] - scores[k], replicates[:, i] - replicates[:, k]
        else:  # both scores anew, on the items in common
            pair = filled[[i, k]][:, common]
            difference = float(np.subtract(*finish(pair.sum(axis=1))))
            replicate = np.subtract(*_bootstrap(pair, finish, count, draws.spawn(1)[0]).T)
        if not common.any():
            continue
        null = replicate - replicate.mean()
        folded = np.abs(replicate) - np.abs(replicate).mean()
        if test == "randomization":
            null = folded = _exchange(filled[[i, k]][:, common], finish, count, swaps)
        error = float(replicate.std(ddof=1)) if count > 1 else np.nan
        _fill(matrices, i, k, difference, error, null, folded, int(common.sum()))
        matrices["n"][i, k] = matrices["n"][k, i] = common.sum()
    absent = ~present.any(axis=1)
    scores, low, high = (np.where(absent, np.nan, values) for values in (scores, low, high))
    return CorpusTest(
        scores,
        low,
        high,
        matrices["difference"],
        matrices["error"],
        matrices["pvalue"],
        matrices["sacrebleu"],
        matrices["n"].astype(np.int64),
        test,
        count,
        seed_number(seed),
    )


def _empty(count: int) -> dict[str, Array]:
    matrices = {name: np.full((count, count), np.nan) for name in ("difference", "error", "pvalue", "sacrebleu")}
    np.fill_diagonal(matrices["difference"], 0.0)
    np.fill_diagonal(matrices["pvalue"], 1.0)
    np.fill_diagonal(matrices["sacrebleu"], 1.0)
    return {**matrices, "n": np.zeros((count, count))}


def _fill(
    matrices: dict[str, Array], i: int, k: int, difference: float, error: float, null: Array, folded: Array, n: int
) -> None:
    p = _two_sided(difference, null, n)
    strict = (1 + np.sum(folded > abs(difference))) / (len(folded) + 1)
    for a, b, sign in ((i, k, 1), (k, i, -1)):
        matrices["difference"][a, b], matrices["error"][a, b] = sign * difference, error
        matrices["pvalue"][a, b], matrices["sacrebleu"][a, b] = p, strict


def _two_sided(difference: float, null: Array, n: int) -> float:
    """Return the share of draws at least as far out as the difference; beyond the draws, the tail of a t distribution.

    R draws cannot show a p below 1 / (R + 1), which 55 adjusted tests would turn into no significance at all. Where
    fewer than ten draws lie farther out, the tail is that of t with n - 1 degrees of freedom and the draws' deviation.
    """
    close = 1e-12 * max(1.0, abs(difference))  # a draw that equals the difference but for rounding counts
    beyond = int(np.sum(np.abs(null) >= abs(difference) - close))
    p = (1 + beyond) / (len(null) + 1)
    deviation = float(np.sqrt(np.mean(null**2)))
    if beyond >= _MIN_BEYOND or n < 2 or deviation == 0:
        return p
    from scipy.special import stdtr

    return min(p, 2 * float(stdtr(n - 1, -abs(difference) / deviation)))


def _bootstrap(rows: Array, finish: Finish, count: int, rng: np.random.Generator) -> Array:
    """Draw items with replacement, the same for all systems, and score the sums: draws x systems."""
    systems, n, width = rows.shape
    flat = np.ascontiguousarray(rows.transpose(1, 0, 2)).reshape(n, systems * width)
    blocks = resample(BlockJob(sum_blocks, {"flat": flat}), [rng], batches(count, n, budget=_BUDGET))
    return np.concatenate([finish(sums.reshape(-1, width)).reshape(-1, systems) for sums in blocks])


def sum_blocks(flat: Array) -> BlockKernel:
    """Return the kernel of sums of statistics over drawn items: draws x columns."""
    n = len(flat)
    return BlockKernel(
        lambda streams, count: (weights(indices(streams[0], n, count), n),), lambda drawn: np.asarray(drawn @ flat), n
    )


def exchange_blocks(change: Array) -> BlockKernel:
    """Return the kernel of sums of changes by exchanged outputs: draws x columns."""
    return BlockKernel(
        lambda streams, count: (bits(streams[0], len(change), count),),
        lambda drawn: np.asarray(drawn.astype(np.float64) @ change),
        len(change),
    )


def _exchange(pair: Array, finish: Finish, count: int, rng: np.random.Generator) -> Array:
    """Exchange the outputs of two systems item by item at random, and return the absolute differences of the scores."""
    first, second = pair.sum(axis=1)
    change = pair[1] - pair[0]
    blocks = resample(BlockJob(exchange_blocks, {"change": change}), [rng], batches(count, len(change), budget=_BUDGET))
    differences = np.concatenate([finish(first + moved) - finish(second - moved) for moved in blocks])
    return np.asarray(np.abs(differences))
