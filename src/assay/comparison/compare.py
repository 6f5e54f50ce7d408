"""Compare systems: ranking with intervals, paired tests, groups that do not differ, and effect sizes."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan
from typing import ClassVar

import numpy as np

from .. import stats
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning, UnknownName
from .pair import PairComparison, compare_pair

TESTS = {"wilcoxon": "wilcoxon", "t": "t", "permutation": "flip"}


@dataclass(frozen=True)
class RankedSystem:
    """One system: its score, the mean of its item scores with an interval, and its group (1 is the best)."""

    kind: ClassVar[str] = "system"
    system: str
    score: float
    mean: float
    low: float
    high: float
    n: int
    group: int


@dataclass(frozen=True)
class Comparison(Result, question="comparison", kind="comparison", shared=("metric",)):
    """Systems from best to worst, with the tests of each against the reference and against the next.

    The reference is the best system, or the baseline if one is given. `groups` are made from the top: a new group
    begins where a system is significantly worse than a member of the group above.
    """

    metric: str
    ranking: tuple[RankedSystem, ...]
    reference: str
    baseline: bool
    pairs: tuple[PairComparison, ...]
    groups: tuple[tuple[str, ...], ...]
    test: str
    alpha: float
    confidence: float
    tests: int
    resamples: int
    seed: int | None
    corpus: bool
    higher_is_better: bool
    signature: str

    @property
    def against(self) -> tuple[PairComparison, ...]:
        """Each system's test against the reference: the best system, or the baseline."""
        others = [r.system for r in self.ranking if r.system != self.reference]
        return tuple(self.pair(self.reference, other) for other in others)

    @property
    def neighbours(self) -> tuple[PairComparison, ...]:
        """Each system's test against the next in the ranking."""
        return tuple(self.pair(a.system, b.system) for a, b in pairwise(self.ranking))

    def pair(self, first: str, second: str) -> PairComparison:
        """Return the test of two systems; those of the reference and of neighbours are kept."""
        return next(p for p in self.pairs if {p.better, p.worse} == {first, second})


def compare(
    scores: Scores,
    baseline: str | None = None,
    *,
    test: str = "wilcoxon",
    alpha: float = 0.05,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    notice: float | None = None,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Comparison:
    """Rank systems, test each against the best (or the baseline) and the next, and group those that do not differ.

    test: wilcoxon, t or permutation (sign flips), paired by item and two-sided. p-values are Holm-corrected over all
    pairs of systems; those against a baseline over these pairs only. Intervals are bootstrapped over items. A metric
    with corpus scores is ranked by them, while intervals and tests are of the item scores. `notice`: the difference
    from which people agree with this metric (see `noticeable`); smaller ones are marked.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal(size=(3, 50)) + np.array([[0.0], [0.1], [2.0]])
    >>> comparison = compare(Scores(values, ("A", "B", "C"), tuple(map(str, range(50))), "rouge2"))
    >>> comparison.groups
    (('C',), ('B', 'A'))
    """
    if test not in TESTS:
        raise InputError(f"test must be one of {', '.join(TESTS)}, got {test!r}")
    (ours,) = align_scores(scores, systems=systems, without=without)
    if baseline is not None and baseline not in ours.systems:
        raise UnknownName("baseline system", baseline, ours.systems)
    with warnings.catch_warnings():  # systems without scores stand in the table, with a note
        warnings.simplefilter("ignore", UndefinedWarning)
        drawn = stats.bootstrap_means(ours.values, resamples=resamples, confidence=confidence, seed=seed)
        tested = stats.paired_matrix(orient_values(ours), test=TESTS[test], resamples=10 * resamples, seed=seed)
    order = _order(ours)
    pairs = _Pairs(ours, tested, alpha, notice)
    adjusted = stats.holm(tested.pvalue[np.triu_indices(len(ours.systems), 1)], alpha=alpha)
    square = _square(adjusted.pvalues, len(ours.systems))
    ahead = tested.statistic > tested.statistic.T
    groups = _groups(ours, order, np.where(ahead, square, nan), alpha)
    place = {name: g for g, names in enumerate(groups, start=1) for name in names}
    reference = ours.systems[order[0]] if baseline is None else baseline
    r = ours.systems.index(reference)
    others = [i for i in order if i != r]
    own = square[r] if baseline is None else _only(tested.pvalue[r], others, alpha)
    return Comparison(
        metric=scores.name,
        ranking=tuple(_ranked(ours, i, drawn, place) for i in order),
        reference=reference,
        baseline=baseline is not None,
        pairs=tuple(
            [pairs.compare(r, i, float(own[i]), adjusted.tests if baseline is None else len(others)) for i in others]
            + [pairs.compare(a, b, float(square[a, b]), adjusted.tests) for a, b in pairwise(order) if r not in (a, b)]
        ),
        groups=groups,
        test=test,
        alpha=alpha,
        confidence=confidence,
        tests=adjusted.tests,
        resamples=resamples,
        seed=seed,
        corpus=ours.corpus is not None,
        higher_is_better=scores.higher_is_better,
        signature=scores.signature or scores.name,
    )


@dataclass(frozen=True)
class _Pairs:
    """Compares pairs, given the tests of all."""

    scores: Scores
    tested: stats.PairMatrix
    alpha: float
    notice: float | None

    def compare(self, i: int, k: int, adjusted: float, tests: int) -> PairComparison:
        return compare_pair(
            self.scores, i, k, pvalue=float(self.tested.pvalue[i, k]), adjusted=adjusted,
            ranks=float(self.tested.statistic[i, k] - self.tested.statistic[k, i]), test=self.tested.test,
            alpha=self.alpha, tests=max(tests, 1), notice=self.notice,
        )  # fmt: skip


def is_better(scores: Scores, a: str, b: str, *, test: str = "wilcoxon", alpha: float = 0.05, seed: int = 0,
              notice: float | None = None) -> PairComparison:  # fmt: skip
    """Is a better than b? One test of two systems, without correction for others.

    >>> values = np.array([[0.5, 0.6, 0.9, 0.4, 0.8, 0.7], [0.4, 0.5, 0.6, 0.3, 0.5, 0.1]])
    >>> s = Scores(values, ("A", "B"), tuple("123456"), "rouge2")
    >>> pair = is_better(s, "B", "A")
    >>> pair.better, pair.significant, round(pair.pvalue, 3)
    ('A', True, 0.031)
    """
    return compare(scores, test=test, alpha=alpha, seed=seed, notice=notice, systems=[a, b]).against[0]


def _order(scores: Scores) -> list[int]:
    """Systems from best to worst; those without a score last."""
    means = orient_means(scores)
    return sorted(range(len(means)), key=lambda i: (isnan(means[i]), -means[i], scores.systems[i]))


def _groups(scores: Scores, order: list[int], adjusted: Floats, alpha: float) -> tuple[tuple[str, ...], ...]:
    """Walk down the ranking; adjusted[a, b] is the p-value where the test favours a, NaN where it favours b."""
    some = [i for i in order if not isnan(orient_means(scores)[i])]
    falling = np.arange(len(some), 0, -1.0)  # the order is settled: ties by name
    p = adjusted[np.ix_(some, some)] if some else np.empty((0, 0))
    ranks = stats.rank_clusters(falling, p, alpha=alpha)
    return tuple(
        tuple(scores.systems[i] for i, rank in zip(some, ranks, strict=True) if rank == r)
        for r in range(1, max(ranks, default=0) + 1)
    )


def _square(upper: Floats, count: int) -> Floats:
    out = np.full((count, count), nan)
    first, second = np.triu_indices(count, 1)
    out[first, second] = out[second, first] = upper
    return out


def _only(pvalues: Floats, others: list[int], alpha: float) -> Floats:
    out = np.full(len(pvalues), nan)
    out[others] = stats.holm(pvalues[others], alpha=alpha).pvalues
    return out


def _ranked(scores: Scores, i: int, drawn: stats.IntervalStack, place: dict[str, int]) -> RankedSystem:
    name = scores.systems[i]
    return RankedSystem(
        system=name, score=float(scores.means()[i]), mean=float(drawn.values[i]), low=float(drawn.low[i]),
        high=float(drawn.high[i]), n=int(scores.counts()[i]), group=place.get(name, 0),
    )  # fmt: skip
