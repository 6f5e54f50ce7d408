"""Compare systems: ranking with intervals, paired tests, groups that do not differ, and effect sizes."""

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
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import UnknownName
from ._groups import adjust_row, group_systems, square_matrix
from .evidence import Evidence, choose_test, weigh_evidence
from .pair import PairComparison, compare_pair
from .rating_evidence import explain_unusable


@dataclass(frozen=True)
class RankedSystem:
    """One system: the score it is ranked by, with an interval, and its group (1 is the best, 0 without a score).

    `mean` is the mean of its item scores, `corpus` its corpus score, NaN for a metric that has none; `score` is the one
    that was tested.
    """

    kind: ClassVar[str] = "system"
    system: str
    score: float
    low: float
    high: float
    mean: float
    corpus: float
    n: int
    group: int


@dataclass(frozen=True)
class Comparison(Result, question="comparison", kind="comparison", shared=("metric",)):
    """Systems from best to worst, with the tests of each against the reference and against the next.

    The reference is the best system, or the baseline if one is given. `groups` are made from the top: a new group
    begins where a system is significantly worse than a member of the group above. `leaked` are the systems that repeat
    references.
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
    undirected: bool = False  # nobody stated whether low or high is better, and the name suggests low
    leaked: tuple[str, ...] = ()
    raters: int = 0  # whose ratings were tested; 0 where the test is of items
    level: float = nan  # how often the test finds what is not there, where raters are so few that it is not alpha
    untested_raters: str = ""  # why ratings by several raters were tested by their means over them

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
    """Rank systems, test each against the best (or the baseline) and the next, and group those that do not differ.

    scores: of one metric, or the mapping that `assay.score` returns for several, which are compared one by one.
    test: bootstrap or randomization resample the score that is reported, item by item: the corpus score where the
    metric has one (BLEU, chrF, TER), else the mean. wilcoxon, t and permutation (sign flips) test item scores. By
    default corpus scores are tested by the bootstrap and means by wilcoxon. satterthwaite, the default for human scores
    by several raters, tests whether the difference would hold for new raters; raters="these" tests it for the raters at
    hand. All tests are paired by item and two-sided;
    p-values are adjusted by Holm's method over all pairs of systems, those against a baseline over these pairs only.
    Intervals are bootstrapped over items. `notice`: the difference that people notice (see `noticeable`); smaller ones
    are marked.

    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal(size=(3, 50)) + np.array([[0.0], [0.1], [2.0]])
    >>> comparison = compare(Scores(values, ("A", "B", "C"), tuple(map(str, range(50))), "rouge2"))
    >>> comparison.groups
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
        return Comparisons(tuple(compare(replace(own, name=name), baseline, **options) for name, own in scores.items()))
    if without is None and systems is None:
        without = scores.people
    (ours,) = align_scores(scores, systems=systems, without=without)
    by_default, test = test is None, choose_test(ours, test, raters)
    if baseline is not None and baseline not in ours.systems:
        raise UnknownName("baseline system", baseline, ours.systems)
    evidence = weigh_evidence(ours, test, resamples=resamples, confidence=confidence, seed=seed, alpha=alpha)
    test = "wilcoxon" if evidence.test == "wilcoxon" else test  # ratings without any spread are tested by items
    order = _order(ours, evidence.scores)
    adjusted = stats.holm(evidence.pvalue[np.triu_indices(len(ours.systems), 1)], alpha=alpha)
    square = square_matrix(adjusted.pvalues, len(ours.systems))
    ranked = [i for i in order if not isnan(evidence.scores[i])]
    groups = group_systems(ours.systems, ranked, np.where(evidence.favours > 0, square, nan), alpha)
    reference = ours.systems[order[0]] if baseline is None else baseline
    r = ours.systems.index(reference)
    others = [i for i in order if i != r]
    own = square[r] if baseline is None else adjust_row(evidence.pvalue[r], others, alpha)
    tests = adjusted.tests if baseline is None else len(others)
    pair = partial(compare_pair, ours, evidence, alpha=alpha, notice=notice)
    return Comparison(
        metric=scores.name,
        ranking=tuple(_rank_system(ours, evidence, i, groups) for i in order),
        reference=reference,
        baseline=baseline is not None,
        pairs=tuple(
            [pair(r, i, adjusted=float(own[i]), tests=max(tests, 1)) for i in others]
            + [
                pair(a, b, adjusted=float(square[a, b]), tests=max(adjusted.tests, 1))
                for a, b in pairwise(order)
                if r not in (a, b)
            ]
        ),
        groups=groups,
        test=test,
        alpha=alpha,
        confidence=confidence,
        tests=adjusted.tests,
        resamples=resamples,
        seed=seed,
        corpus=ours.statistics is not None and test in stats.CORPUS_TESTS,
        higher_is_better=scores.higher_is_better,
        signature=scores.signature or scores.name,
        undirected=scores.undirected,
        leaked=() if scores.signature.startswith("human(") else tuple(s for s in scores.leaked if s in ours.systems),
        raters=0 if evidence.basis is None else round(evidence.basis.design.raters),
        level=nan if evidence.basis is None else evidence.basis.level,
        untested_raters=_explain_raters(ours, evidence, by_default=by_default),
    )


def _explain_raters(scores: Scores, evidence: Evidence, *, by_default: bool) -> str:
    """Return why the ratings behind human scores were not tested; nothing where they were or there are none."""
    if evidence.basis is not None or scores.ratings is None:
        return ""
    return explain_unusable(scores) or ("no-spread" if by_default else "other-test")


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


def _rank_system(scores: Scores, evidence: Evidence, i: int, groups: tuple[tuple[str, ...], ...]) -> RankedSystem:
    values = scores.values[i][~np.isnan(scores.values[i])]
    return RankedSystem(
        system=scores.systems[i],
        score=float(evidence.scores[i]),
        low=float(evidence.low[i]),
        high=float(evidence.high[i]),
        mean=float(values.mean()) if len(values) else nan,
        corpus=nan if scores.corpus is None else float(scores.corpus[i]),
        n=len(values),
        group=next((g for g, names in enumerate(groups, start=1) if scores.systems[i] in names), 0),
    )
