"""Compare systems: ranking with intervals, simultaneous tests of differences, bands without a difference."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import isnan, nan
from typing import Any, ClassVar, overload

import numpy as np

from .. import stats
from ..data.alignment import align_scores
from ..data.copies import SystemCopy
from ..data.design import Design, find_design
from ..data.result import Result
from ..data.scores import Floats, Scores, name_scores
from ..data.statement import Statement
from ..errors import UnknownName
from .evidence import Evidence, Settings, choose_test, weigh_evidence
from .pair import PairComparison, compare_pair
from .rating_evidence import explain_unusable


@dataclass(frozen=True)
class RankedSystem:
    """One system: the score it is ranked by, with an interval of its own, and the letters of its bands.

    `mean` is the plain mean of its item scores, `corpus` its corpus score, NaN for a metric that has none; `score` is
    the one that was tested: the corpus score, or the mean, adjusted for items where systems lack some. Systems that
    share a letter do not differ significantly; without a score, or where a baseline was named, there are no letters.
    `among_best`: it may be the best system. `run_spread` is the standard deviation of its scores over runs.
    """

    kind: ClassVar[str] = "system"
    system: str
    score: float
    low: float
    high: float
    mean: float
    corpus: float
    n: int
    bands: str
    among_best: bool
    run_spread: float


@dataclass(frozen=True)
class Comparison(Result, question="comparison", kind="comparison", shared=("metric",)):
    """Systems from best to worst, with the comparison of each with the reference and with the next.

    The reference is the best system, or the baseline if one is given; then only comparisons with it are made.
    `bands` are the largest sets of systems without a significant difference among them, and may overlap. `test`:
    paired, shares (paired, of 0/1 scores), swapped (paired, corpus scores of two), all-data, adjusted (for the
    items that systems lack), satterthwaite (ratings), or the one that was asked for. `tests` is the number of
    comparisons for which intervals and p-values are simultaneous. `smallest` is the smallest p-value that so few
    clusters can give. `leaked` are the systems that repeat references.
    """

    metric: str
    ranking: tuple[RankedSystem, ...]
    reference: str
    baseline: bool
    pairs: tuple[PairComparison, ...]
    bands: tuple[tuple[str, ...], ...]
    design: Design
    test: str
    alpha: float
    confidence: float
    tests: int
    clusters: int
    smallest: float
    resamples: int
    seed: int | None
    corpus: bool
    higher_is_better: bool
    signature: str
    undirected: bool = False  # no one stated whether low or high is better, and the name suggests low
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()  # systems with the same outputs as another, which count once
    raters: int = 0  # raters of the tested ratings; 0 where the test is of items
    level: float = nan  # how often the test finds what is not there, where raters are so few that it is not alpha
    untested_raters: str = ""  # why ratings by several raters were tested by their means over them
    judges: str = ""  # the kind of those whose judgments these are; empty for a metric
    people: tuple[str, ...] = ()  # among the systems

    def statements(self) -> tuple[Statement, ...]:
        """Say which system is best, or which it is not shown to differ from; of a baseline, how each compares."""
        if self.undirected or len(self.ranking) < 2 or not self.pairs:
            return ()
        pairs = tuple(statement for pair in self.against for statement in pair.statements())
        if self.baseline or len(self.ranking) == 2:
            return pairs
        (nearest,) = self.neighbours[0].statements()
        leaders = self.leaders()
        if not leaders or nearest.claim in ("undefined", "too little evidence"):
            return (nearest, *pairs)
        systems = {**nearest.counts, "systems": len(self.ranking)}
        if len(leaders) == 1:
            others = tuple(r.system for r in self.ranking[1:])
            return (replace(nearest, claim="best", others=others, counts=systems), *pairs)
        return (replace(nearest, claim="not shown to differ", others=leaders[1:], counts=systems), *pairs)

    @property
    def against(self) -> tuple[PairComparison, ...]:
        """Each system's test against the reference: the best system, or the baseline."""
        others = [r.system for r in self.ranking if r.system != self.reference]
        return tuple(self.pair(self.reference, other) for other in others)

    @property
    def neighbours(self) -> tuple[PairComparison, ...]:
        """Each system's test against the next in the ranking; none where all are compared with a baseline."""
        if self.baseline:
            return ()
        return tuple(self.pair(a.system, b.system) for a, b in pairwise(self.ranking))

    def leaders(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the first system, and those that it is not significantly better than: they share a band with it."""
        ranked = [r.system for r in self.ranking if r.bands and r.system not in without]
        close = {name for band in self.bands if ranked and ranked[0] in band for name in band}
        return tuple(name for name in ranked if name in close)

    def pair(self, first: str, second: str) -> PairComparison:
        """Return the test of two systems; those of the reference and of neighbours are kept."""
        return next(p for p in self.pairs if {p.better, p.worse} == {first, second})


@dataclass(frozen=True)
class Comparisons(Result, question="comparison", kind="comparisons"):
    """The comparison of the same systems by each of several metrics."""

    comparisons: tuple[Comparison, ...]


@overload
def compare(
    scores: Scores,
    baseline: str | None = ...,
    *,
    test: str | None = ...,
    alpha: float = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
    notice: float | None = ...,
    systems: Sequence[str] | None = ...,
    without: Collection[str] | None = ...,
    raters: str = ...,
) -> Comparison: ...
@overload
def compare(
    scores: Mapping[str, Scores],
    baseline: str | None = ...,
    *,
    test: str | None = ...,
    alpha: float = ...,
    confidence: float = ...,
    resamples: int = ...,
    seed: int = ...,
    notice: float | None = ...,
    systems: Sequence[str] | None = ...,
    without: Collection[str] | None = ...,
    raters: str = ...,
) -> Comparisons: ...
def compare(
    scores: Scores | Mapping[str, Scores],
    baseline: str | None = None,
    *,
    test: str | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    notice: float | None = None,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
    raters: str = "new",
) -> Comparison | Comparisons:
    """Rank systems, compare each with the best (or the baseline) and the next, and find those that do not differ.

    scores: of one metric, or the mapping that `assay.score` returns for several, which are compared one by one.
    Differences are estimated by all the data: within clusters where systems have the same items, else by means adjusted
    for items, or plain means where systems share few. Test and interval are one procedure, simultaneous over all pairs
    of systems, or those with the baseline: a difference is significant if its interval leaves out 0. Corpus scores
    (BLEU, chrF, TER) are compared by the jackknife over clusters. Human scores by three raters or more are tested for
    new raters; raters="these" compares them for the raters at hand. test: bootstrap or randomization resample the score
    that is reported, wilcoxon, t and permutation (sign flips) test the scores of the items that two systems share;
    their p-values are adjusted by Holm's method, and differences have no intervals. `alpha` is the level of tests and
    of intervals of differences, `confidence` that of the intervals of single scores. `notice`: the difference that
    people notice (see `noticeable`); smaller ones are marked. Systems with the same outputs as another count once,
    unless `systems` or a baseline name what to compare.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal(size=(3, 50)) + np.array([[0.0], [0.1], [2.0]])
    >>> comparison = compare(Scores(values, ("A", "B", "C"), tuple(map(str, range(50))), "rouge2"))
    >>> comparison.bands
    (('C',), ('B', 'A'))
    """
    if not isinstance(scores, Scores):
        options: dict[str, Any] = {
            "test": test,
            "alpha": alpha,
            "confidence": confidence,
            "resamples": resamples,
            "seed": seed,
            "notice": notice,
            "systems": systems,
            "without": without,
            "raters": raters,
        }
        return Comparisons(tuple(compare(own, baseline, **options) for own in name_scores(scores, "compare").values()))
    copies: tuple[SystemCopy, ...] = ()
    if without is None and systems is None:
        without = scores.people
    if systems is None and baseline is None:
        copies = _find_copies(scores, without or ())
        without = {*(without or ()), *(copy.system for copy in copies)}
    (ours,) = align_scores(scores, systems=systems, without=without)
    by_default, method = test is None, choose_test(ours, test, raters)
    if baseline is not None and baseline not in ours.systems:
        raise UnknownName("baseline system", baseline, ours.systems)
    at = None if baseline is None else ours.systems.index(baseline)
    evidence = weigh_evidence(ours, method, Settings(at, alpha, confidence, resamples, seed))
    order = _order(ours, evidence.scores)
    r = order[0] if at is None else at
    compared = [(r, i) for i in order if i != r]
    if at is None:
        compared += [(a, b) for a, b in pairwise(order) if r not in (a, b)]
    tests = int((~np.isnan(evidence.adjusted[np.triu_indices(len(order), 1)])).sum())
    pair = partial(compare_pair, ours, evidence, tests=max(tests, 1), alpha=alpha, notice=notice)
    ranked = [i for i in order if not isnan(evidence.scores[i])] if at is None else []
    bands = stats.find_bands(ranked, evidence.better | evidence.better.T)
    letters = stats.letter_bands(len(order), bands)
    return Comparison(
        metric=scores.name,
        ranking=tuple(_rank_system(ours, evidence, i, letters[i]) for i in order),
        reference=ours.systems[r],
        baseline=baseline is not None,
        pairs=tuple(pair(a, b) for a, b in compared),
        bands=tuple(tuple(ours.systems[i] for i in band) for band in bands),
        design=find_design(ours),
        test=evidence.test,
        alpha=alpha,
        confidence=confidence,
        tests=tests,
        clusters=evidence.clusters,
        smallest=evidence.smallest,
        resamples=evidence.resamples,
        seed=seed,
        corpus=ours.statistics is not None and (method is None or method in stats.CORPUS_TESTS),
        higher_is_better=scores.higher_is_better,
        signature=scores.signature or scores.name,
        undirected=scores.undirected,
        leaked=() if scores.signature.startswith("human(") else tuple(s for s in scores.leaked if s in ours.systems),
        copies=copies,
        raters=0 if evidence.basis is None else round(evidence.basis.design.raters),
        level=nan if evidence.basis is None else evidence.basis.level,
        judges=scores.judges,
        people=tuple(s for s in ours.systems if s in set(scores.people)),
        untested_raters=_explain_raters(ours, evidence, by_default=by_default, raters=raters),
    )


def _find_copies(scores: Scores, without: Collection[str]) -> tuple[SystemCopy, ...]:
    """Return the systems with the same outputs as another; two that are all there is are compared none the less."""
    copies = tuple(c for c in scores.copies if not {c.system, c.original} & set(without))
    rest = set(scores.systems) - set(without) - {c.system for c in copies}
    return copies if len(rest) > 1 else ()


def _explain_raters(scores: Scores, evidence: Evidence, *, by_default: bool, raters: str) -> str:
    """Return why the ratings behind human scores were not tested; nothing where they were or there are none."""
    if evidence.basis is not None or scores.ratings is None:
        return ""
    return explain_unusable(scores) or ("these" if raters == "these" else "no-spread" if by_default else "other-test")


def is_better(
    scores: Scores,
    a: str,
    b: str,
    *,
    test: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    notice: float | None = None,
) -> PairComparison:
    """Is a better than b? One test of two systems, without correction for others.

    >>> values = np.array([[0.5, 0.6, 0.9, 0.4, 0.8, 0.7], [0.4, 0.5, 0.6, 0.3, 0.5, 0.1]])
    >>> s = Scores(values, ("A", "B"), tuple("123456"), "rouge2")
    >>> pair = is_better(s, "B", "A")
    >>> pair.better, pair.significant, round(pair.pvalue, 3)
    ('A', True, 0.031)
    """
    return compare(scores, test=test, alpha=alpha, seed=seed, notice=notice, systems=[a, b]).against[0]


def _order(scores: Scores, values: Floats) -> list[int]:
    """Order systems from best to worst; those without a score are last."""
    oriented = values if scores.higher_is_better else -values
    return sorted(range(len(oriented)), key=lambda i: (isnan(oriented[i]), -oriented[i], scores.systems[i]))


def _rank_system(scores: Scores, evidence: Evidence, i: int, letters: str) -> RankedSystem:
    values = scores.values[i][~np.isnan(scores.values[i])]
    return RankedSystem(
        system=scores.systems[i],
        score=float(evidence.scores[i]),
        low=float(evidence.low[i]),
        high=float(evidence.high[i]),
        mean=float(values.mean()) if len(values) else nan,
        corpus=nan if scores.corpus is None else float(scores.corpus[i]),
        n=len(values),
        bands=letters,
        among_best=bool(evidence.best[i]),
        run_spread=_find_run_spread(scores, i),
    )


def _find_run_spread(scores: Scores, i: int) -> float:
    """Return the standard deviation over runs of the score of a system in each; NaN for one run."""
    if scores.runs is None:
        return nan
    present = ~np.isnan(scores.values[i])
    names = np.array([run or "" for run in scores.runs])
    columns = [np.flatnonzero(present & (names == run)) for run in np.unique(names[present])]
    if len(columns) < 2:
        return nan
    if scores.statistics is None:
        values = [float(scores.values[i][own].mean()) for own in columns]
    else:
        values = [float(scores.statistics.select([i], own.tolist()).scores()[0]) for own in columns]
    return float(np.std(values, ddof=1))
