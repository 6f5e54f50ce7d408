"""Would people have decided the same? Pairs of systems: Owczarzak et al. (2012, accuracy), section 4."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any

from ..data.alignment import align_scores, systems_apart
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError
from ._inputs import copies_left_out, refuse_no_metric, signatures_of
from ._pair_decisions import PERSON_AND_SYSTEM, SYSTEMS, DecidedPairs, PairDecider, PairDecisions


@dataclass(frozen=True)
class DecisionAgreement(Result, question="decisions", kind="decision_agreement", shared=("metric", "human")):
    """What a metric and people decide about pairs of systems, and about pairs of a person and a system.

    `decisions` has one entry for each kind of pairs, the systems first.
    """

    metric: str
    human: str
    baseline: str | None
    decisions: tuple[PairDecisions, ...]
    test: str
    human_test: str
    alpha: float

    @property
    def systems(self) -> PairDecisions:
        """The decisions on pairs of systems."""
        return self.decisions[0]

    @property
    def people(self) -> PairDecisions | None:
        """The decisions on pairs of a person and a system; None where no system is a person."""
        return self.decisions[1] if len(self.decisions) > 1 else None

    @property
    def value(self) -> float:
        """Share of the pairs of systems on which metric and people decide the same."""
        return self.systems.same_decision.value

    @property
    def low(self) -> float:
        """Lower end of its interval."""
        return self.systems.same_decision.low

    @property
    def high(self) -> float:
        """Upper end of its interval."""
        return self.systems.same_decision.high

    @property
    def n(self) -> int:
        """Pairs of systems."""
        return self.systems.pairs


@dataclass(frozen=True)
class DecisionAgreements(Result, question="decisions", kind="decision_agreements", shared=("human",)):
    """Metrics by how often they decide as people do, the best first; `signatures` says what each name stands for.

    `against_best`: no baseline was given, and differences are from the best metric.
    """

    human: str
    agreements: tuple[DecisionAgreement, ...]
    signatures: Mapping[str, str]
    against_best: bool = False
    copies: tuple[SystemCopy, ...] = ()


def decision_agreement(
    metric: Scores,
    human: Scores,
    *,
    people: Collection[str] | None = None,
    baseline: Scores | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
    _decider: PairDecider | None = None,
) -> DecisionAgreement:
    """Decide every pair of systems by people and by the metric, as `compare` decides it, and count.

    Both are compared by the design of their scores, corpus scores by these and ratings by several raters for other
    raters, simultaneously over all pairs: `compare` of the same scores finds the same differences. With a test
    (wilcoxon, t, permutation), as in the paper, pairs are decided one by one by the items that people and the metric
    both scored, not corrected for their number; a direction is then that of the ranks (of the mean, for t). Which mean
    is higher is asked apart.

    Systems that repeat references or another system are left out (without=() keeps them). `people` are the systems
    that are persons (those that the scores name as such, unless given): pairs of a person and a system are counted
    apart, pairs of two persons not at all. Given a baseline metric, each share is tested against the baseline's on the
    same pairs, with an error over systems (`stats.pair_means`): pairs that share a system are not independent, as the
    z-test of section 5 takes them to be.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(6, 40)) + np.arange(6)[:, None]
    >>> ids = tuple(map(str, range(40)))
    >>> human = Scores(h, tuple("ABCDEF"), ids, "pyramid")
    >>> metric = Scores(h + rng.normal(size=h.shape), tuple("ABCDEF"), ids, "rouge2")
    >>> result = decision_agreement(metric, human)
    >>> result.value, result.n
    (0.8, 15)
    """
    scores = [metric, human] if baseline is None else [metric, human, baseline]
    people = {name for s in scores for name in s.people} if people is None else set(people)
    if without is None:
        without = systems_apart(*scores) - {name for s in scores for name in s.people} if systems is None else ()
    ours, theirs, *third = align_scores(*scores, systems=systems, without=without)
    if len(ours.systems) < 2:
        raise InputError(f"at least two systems are needed to decide between, got {len(ours.systems)}")
    decider = PairDecider(test, alpha, resamples, seed) if _decider is None else _decider
    pairs = DecidedPairs(ours, theirs, people, decider)
    other = DecidedPairs(third[0], theirs, people, decider) if third else None
    kinds = [SYSTEMS, PERSON_AND_SYSTEM] if people.intersection(ours.systems) else [SYSTEMS]
    return DecisionAgreement(
        metric=metric.name,
        human=human.name,
        baseline=None if baseline is None else baseline.name,
        decisions=tuple(pairs.count(kind, other) for kind in kinds),
        test=pairs.test,
        human_test=pairs.human_test,
        alpha=alpha,
    )


def decision_agreements(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    baseline: str | None = None,
    people: Collection[str] | None = None,
    test: str | None = None,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    without: Collection[str] | None = None,
) -> DecisionAgreements:
    """Return the decision agreement of several metrics, each tested against the baseline, by default the best."""
    refuse_no_metric(metrics)
    named = {name: replace(scores, name=name) for name, scores in metrics.items()}

    decider = PairDecider(test, alpha, resamples, seed)
    options: dict[str, Any] = {"people": people, "alpha": alpha, "without": without, "_decider": decider}

    def rank(other: str | None) -> list[DecisionAgreement]:
        against = None if other is None else named[other]
        agreements = [decision_agreement(scores, human, baseline=against, **options) for scores in named.values()]
        return sorted(agreements, key=lambda a: (isnan(a.value), -a.value))

    ranked = rank(baseline)
    against_best = baseline is None and len(ranked) > 1 and not isnan(ranked[0].value)
    if against_best:
        ranked = rank(ranked[0].metric)
    copies = copies_left_out((human, *metrics.values()), None, without)
    return DecisionAgreements(human.name, tuple(ranked), signatures_of(metrics), against_best, copies)
