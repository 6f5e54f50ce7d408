"""Which system is better? Ranking with intervals, paired tests, groups that do not differ, and effect sizes."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan

import numpy as np

from .. import stats
from ..data._phrases import interval, join_names, number, plural
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.result import Shown
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning, UnknownName
from .pair import PairComparison, measured

TESTS = {"wilcoxon": "wilcoxon", "t": "t", "permutation": "flip"}


@dataclass(frozen=True)
class Ranked:
    """One system: its score, the mean of its item scores with an interval, and its group (1 is the best)."""

    system: str
    score: float
    mean: float
    low: float
    high: float
    n: int
    group: int


@dataclass(frozen=True)
class Comparison(Shown):
    """Systems from best to worst. `against` holds each system's test against the best (or the baseline), `neighbours`
    each against the next; `groups` are walked from the top, a new one where a system is worse than a member."""

    metric: str
    ranking: tuple[Ranked, ...]
    reference: str
    baseline: bool
    against: tuple[PairComparison, ...]
    neighbours: tuple[PairComparison, ...]
    groups: tuple[tuple[str, ...], ...]
    test: str
    alpha: float
    confidence: float
    tests: int
    resamples: int
    seed: int | None
    corpus: bool
    notes: tuple[str, ...]

    def sentence(self) -> str:
        """The answer in words."""
        if len(self.ranking) == 1:
            only = self.ranking[0]
            return (
                f"{only.system} has {self.metric} {number(only.score)}{interval(only.low, only.high)}; it stands alone."
            )
        if len(self.ranking) == 2:
            return self.against[0].sentence()
        if self.baseline:
            return self._against_baseline()
        first = self.groups[0]
        if len(first) == len(self.ranking):
            return f"No two of {plural(len(first), 'system')} can be told apart by {self.metric} on these items."
        if len(first) == 1:
            return f"{first[0]} is best by {self.metric}: significantly better than the other {len(self.ranking) - 1}."
        return (
            f"{join_names(first)} are the best group by {self.metric}: {first[0]} has the highest score, but is not "
            f"significantly better than the other{'s' if len(first) > 2 else ''} in it."
        )

    def _against_baseline(self) -> str:
        better = [p.better for p in self.against if p.significant and p.better != self.reference]
        worse = [p.worse for p in self.against if p.significant and p.better == self.reference]
        told = {*better, *worse}
        rest = [name for p in self.against for name in (p.better, p.worse) if name not in (*told, self.reference)]
        parts = [f"{join_names(names)} {'is' if len(names) == 1 else 'are'} significantly {word} than {self.reference}"
                 for names, word in ((better, "better"), (worse, "worse")) if names]  # fmt: skip
        parts += [f"{join_names(rest)} cannot be told from {self.reference}"] if rest else []
        return f"By {self.metric}, {'; '.join(parts)}."


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
    >>> found = compare(Scores(values, ("A", "B", "C"), tuple(map(str, range(50))), "rouge2"))
    >>> found.groups
    (('C',), ('B', 'A'))
    >>> print(found.sentence())
    C is best by rouge2: significantly better than the other 2.
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
        against=tuple(
            pairs.make(r, i, float(own[i]), adjusted.tests if baseline is None else len(others)) for i in others
        ),
        neighbours=tuple(pairs.make(a, b, float(square[a, b]), adjusted.tests) for a, b in pairwise(order)),
        groups=groups,
        test=test,
        alpha=alpha,
        confidence=confidence,
        tests=adjusted.tests,
        resamples=resamples,
        seed=seed,
        corpus=ours.corpus is not None,
        notes=tuple(_notes(ours, adjusted.tests, len(others) if baseline is not None else 0)),
    )


@dataclass(frozen=True)
class _Pairs:
    """Makes the result of one pair from the tests of all."""

    scores: Scores
    tested: stats.PairMatrix
    alpha: float
    notice: float | None

    def make(self, i: int, k: int, adjusted: float, tests: int) -> PairComparison:
        return measured(
            self.scores, i, k, pvalue=float(self.tested.pvalue[i, k]), adjusted=adjusted,
            ranks=float(self.tested.statistic[i, k] - self.tested.statistic[k, i]), test=self.tested.test,
            alpha=self.alpha, tests=max(tests, 1), notice=self.notice,
        )  # fmt: skip


def is_better(scores: Scores, a: str, b: str, *, test: str = "wilcoxon", alpha: float = 0.05, seed: int = 0,
              notice: float | None = None) -> PairComparison:  # fmt: skip
    """Is a better than b? One test of two systems, without correction for others.

    >>> values = np.array([[0.5, 0.6, 0.9, 0.4, 0.8, 0.7], [0.4, 0.5, 0.6, 0.3, 0.5, 0.1]])
    >>> s = Scores(values, ("A", "B"), tuple("123456"), "rouge2")
    >>> print(is_better(s, "B", "A").sentence())
    A is better than B by rouge2: 0.650 against 0.400 (p = 0.031, 6 items, A ahead on 100%).
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


def _ranked(scores: Scores, i: int, drawn: stats.IntervalStack, place: dict[str, int]) -> Ranked:
    name = scores.systems[i]
    return Ranked(
        system=name, score=float(scores.means()[i]), mean=float(drawn.values[i]), low=float(drawn.low[i]),
        high=float(drawn.high[i]), n=int(scores.counts()[i]), group=place.get(name, 0),
    )  # fmt: skip


def _notes(scores: Scores, tests: int, against: int) -> list[str]:
    notes = []
    if scores.corpus is not None:
        notes.append(
            "Scores are corpus scores; means, intervals and tests are of the item scores, of which a corpus score is "
            "not the mean."
        )
    if tests > 1:
        own = f", those against the baseline for {against}" if against else ""
        notes.append(f"p-values are corrected for {tests} tests{own} (Holm).")
    empty = [s for s, n in zip(scores.systems, scores.counts(), strict=True) if not n]
    if empty:
        notes.append(f"No scores, so no rank: {join_names(empty)}.")
    if not scores.higher_is_better:
        notes.append("Lower is better.")
    return notes
