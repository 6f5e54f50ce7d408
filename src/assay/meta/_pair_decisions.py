"""What a metric and people decide about pairs of systems, and how often they decide alike."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from math import nan
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..comparison.evidence import Settings, choose_test, weigh_evidence
from ..data.alignment import common_cells, orient_values
from ..data.scores import Floats, Scores
from ..errors import UndefinedWarning
from .minimums import MIN_ITEMS, MIN_SYSTEMS

Signs = NDArray[np.int64]
SYSTEMS, PERSON_AND_SYSTEM = "systems", "person and system"


@dataclass(frozen=True)
class DecisionShare:
    """A share of pairs, its 95% interval over systems, and the baseline metric's share with the difference from it.

    The difference is of the pairs that both metrics decide, with its 95% interval and two-sided p-value over systems;
    these are NaN with fewer than 6 systems, where no test between metrics is made.
    """

    value: float
    low: float
    high: float
    n: int
    baseline: float = nan
    difference: float = nan
    difference_low: float = nan
    difference_high: float = nan
    pvalue: float = nan

    @property
    def verdict(self) -> str:
        """better, worse or the same as the baseline metric; empty without one, and where no test is made."""
        if np.isnan(self.pvalue):
            return ""
        return "better" if self.difference_low > 0 else "worse" if self.difference_high < 0 else "same"


@dataclass(frozen=True)
class PairDecisions:
    """Tables 2 and 3 for one kind of pairs; `undecidable` pairs have too few items to find a difference.

    `pairs_of` is "systems" or "person and system". `differences` is the recall of the pairs that people find different
    (in the same direction), `no_differences` of those they do not; `contradictions` the share of all pairs on which
    both find a difference, in opposite directions. `same_decision` is agreement about better / worse / no difference
    (the paper's "sig"), `same_order` about which of the two means is higher (its "all"). `verdict` and `pvalue` compare
    `same_decision` with that of the baseline metric.
    """

    kind: ClassVar[str] = "pair_decisions"
    pairs_of: str
    pairs: int
    undecidable: int
    differences: DecisionShare
    no_differences: DecisionShare
    contradictions: float
    contradicted: tuple[tuple[str, str], ...]
    same_decision: DecisionShare
    same_order: DecisionShare
    verdict: str
    pvalue: float


@dataclass(frozen=True)
class Decided:
    """Decisions on pairs of systems: 1 the first is better, -1 the second, 0 no difference; the order of the scores.

    `there`: pairs on which a difference can be found at all. `test` is how they were decided.
    """

    signs: Signs
    order: Signs
    there: NDArray[np.bool_]
    test: str


class PairDecider:
    """Decides pairs of systems as `compare` does, or item by item with a test that is not corrected for the pairs.

    The same scores, as those of people next to several metrics, are decided once.
    """

    def __init__(self, test: str | None, alpha: float, resamples: int, seed: int) -> None:
        self.test, self.alpha = test, alpha
        self.settings = Settings(alpha=alpha, confidence=1 - alpha, resamples=resamples, seed=seed)
        self._known: dict[tuple[object, ...], Decided] = {}

    def decide(self, scores: Scores, other: Scores) -> Decided:
        """Decide all pairs; with a test of items only those count that the other scores have too."""
        values = orient_values(scores) if self.test is None else common_cells(scores, other)[0]
        key = scores.name, scores.systems, values.tobytes()
        if key not in self._known:
            self._known[key] = self._compare(scores) if self.test is None else self._test_items(values)
        return self._known[key]

    def _compare(self, scores: Scores) -> Decided:
        with warnings.catch_warnings():  # pairs that cannot be compared are left out below
            warnings.simplefilter("ignore", UndefinedWarning)
            evidence = weigh_evidence(scores, choose_test(scores, None), self.settings)
        pairs = tuple(stats.system_pairs(len(scores.systems)).T)
        signs = evidence.better.astype(np.int64) - evidence.better.T
        there = ~np.isnan(evidence.adjusted) & (evidence.smallest <= self.alpha)
        order = np.sign(np.nan_to_num(evidence.lead)).astype(np.int64)
        return Decided(signs[pairs], order[pairs], there[pairs], evidence.test)

    def _test_items(self, values: Floats) -> Decided:
        assert self.test is not None
        with warnings.catch_warnings():  # pairs without items in common are left out below
            warnings.simplefilter("ignore", UndefinedWarning)
            tests = stats.paired_matrix(values, test="flip" if self.test == "permutation" else self.test)
        pairs = tuple(stats.system_pairs(len(values)).T)
        towards = np.sign(tests.statistic - tests.statistic.T)
        signs = np.nan_to_num(np.where(tests.pvalue <= self.alpha, towards, 0.0)[pairs]).astype(np.int64)
        order = np.sign(np.nan_to_num(_mean_differences(values))).astype(np.int64)
        return Decided(signs, order, _common_items(values) >= MIN_ITEMS, self.test)


class DecidedPairs:
    """Every pair of systems as decided by the metric and by people."""

    def __init__(self, metric: Scores, human: Scores, people: set[str], decider: PairDecider) -> None:
        self.systems = human.systems
        self.first, self.second = stats.system_pairs(len(self.systems)).T
        person = np.array([s in people for s in self.systems])
        count = person[self.first].astype(np.int64) + person[self.second]
        self.kinds = {SYSTEMS: count == 0, PERSON_AND_SYSTEM: count == 1}
        self.metric, self.metric_order, metric_there, self.test = self._decide(metric, human, person, decider)
        self.human, self.human_order, human_there, self.human_test = self._decide(human, metric, person, decider)
        self.there = metric_there & human_there

    def _decide(
        self, scores: Scores, other: Scores, person: NDArray[np.bool_], decider: PairDecider
    ) -> tuple[Signs, Signs, NDArray[np.bool_], str]:
        """Decide pairs of systems among systems alone, as `compare` does; those with a person among all."""
        every = decider.decide(scores, other)
        own = [name for name, is_person in zip(self.systems, person.tolist(), strict=True) if not is_person]
        if decider.test is not None or len(own) in (0, 1, len(self.systems)):
            return every.signs, every.order, every.there, every.test
        alone = decider.decide(scores.select(own), other.select(own))
        systems, columns = self.kinds[SYSTEMS], (every.signs.copy(), every.order.copy(), every.there.copy())
        for column, values in zip(columns, (alone.signs, alone.order, alone.there), strict=True):
            column[systems] = values
        return (*columns, alone.test)

    def count(self, pairs_of: str, baseline: DecidedPairs | None = None) -> PairDecisions:
        """Count the decisions on one kind of pairs."""
        among = self.kinds[pairs_of] & self.there
        opposite = among & (self.metric * self.human == -1)
        pairs = int(among.sum())
        if not pairs:
            warnings.warn(
                f"agreement is NaN: no pair ({pairs_of}) has {MIN_ITEMS} judged items, the fewest a test can decide on",
                UndefinedWarning,
                stacklevel=4,
            )
        shares = self._shares(among)
        if baseline is not None:
            shares = {name: self._compare(name, share, baseline, pairs_of) for name, share in shares.items()}
        return PairDecisions(
            pairs_of=pairs_of,
            pairs=pairs,
            undecidable=int((self.kinds[pairs_of] & ~self.there).sum()),
            contradictions=float(opposite.sum()) / pairs if pairs else nan,
            contradicted=tuple(
                (self.systems[self.first[i]], self.systems[self.second[i]]) for i in np.nonzero(opposite)[0]
            ),
            **shares,
            verdict=shares["same_decision"].verdict,
            pvalue=shares["same_decision"].pvalue,
        )

    def _shares(self, among: NDArray[np.bool_]) -> dict[str, DecisionShare]:
        return {
            name: _share(right, among & counted, self.first, self.second)
            for name, (right, counted) in self._outcomes().items()
        }

    def _outcomes(self) -> dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
        """Return, for each share, on which pairs the metric is right, and which of them count."""
        same, different, every = self.metric == self.human, self.human != 0, np.ones(len(self.human), dtype=bool)
        return {
            "differences": (same, different),
            "no_differences": (same, ~different),
            "same_decision": (same, every),
            "same_order": (self.metric_order == self.human_order, every),
        }

    def _compare(self, name: str, share: DecisionShare, baseline: DecidedPairs, pairs_of: str) -> DecisionShare:
        """Return the share with its difference from the baseline metric's, on the pairs that both decide."""
        (right, counted), (other, _) = self._outcomes()[name], baseline._outcomes()[name]
        among = counted & self.kinds[pairs_of] & self.there & baseline.there
        pairs = np.stack([self.first, self.second], axis=1)[among]
        if not len(pairs):
            return share
        values = right[among].astype(np.float64) - other[among]
        ours, theirs = float(values.mean()), float(other[among].mean())
        if len(np.unique(pairs)) < MIN_SYSTEMS:
            return replace(share, baseline=theirs, difference=ours)
        test = stats.pair_means(values, pairs)
        return replace(
            share,
            baseline=theirs,
            difference=ours,
            difference_low=float(test.low),
            difference_high=float(test.high),
            pvalue=float(test.pvalues),
        )


def _mean_differences(values: Floats) -> Floats:
    """Return mean differences over the items of each pair, rounding errors as 0."""
    pairs = stats.system_pairs(len(values))
    mean, whole = np.empty(len(pairs)), not np.isnan(values).any()
    for some in stats.pair_blocks(pairs, values.shape[1]):
        d = values[pairs[some, 0]] - values[pairs[some, 1]]
        if whole:
            mean[some] = d.sum(axis=1) / d.shape[1]
            continue
        there = ~np.isnan(d)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean[some] = np.where(there, d, 0.0).sum(axis=1) / there.sum(axis=1)
    scale = np.nanmax(np.abs(values), initial=0.0)
    return np.where(np.abs(mean) <= 1e-12 * scale, 0.0, mean)


def _common_items(values: Floats) -> Floats:
    """Count the items that both systems of each pair have."""
    there = (~np.isnan(values)).astype(np.float64)
    counts: Floats = (there @ there.T)[np.triu_indices(len(values), 1)]
    return counts


def _share(right: NDArray[np.bool_], among: NDArray[np.bool_], first: Signs, second: Signs) -> DecisionShare:
    n = int(among.sum())
    if n == 0:
        return DecisionShare(nan, nan, nan, 0)
    low, high = _clustered_interval(right[among], first[among], second[among])
    return DecisionShare(float(right[among].mean()), low, high, n)


def _clustered_interval(right: NDArray[np.bool_], first: Signs, second: Signs) -> tuple[float, float]:
    """Return the 95% interval of a share of pairs that share systems: Wilson's, for as many pairs as they are worth.

    The variance is the delete-one-system jackknife's. Pairs that all agree, or all disagree, are worth half as many as
    there are systems: that many pairs have no system in common.
    """
    from scipy.special import stdtrit

    systems = np.union1d(first, second)
    count, share = len(systems), float(right.mean())
    without = [right[(first != s) & (second != s)] for s in systems]
    values = np.array([rest.mean() for rest in without if len(rest)])
    variance = (len(values) - 1) / len(values) * float(((values - values.mean()) ** 2).sum()) if len(values) else 0.0
    worth = share * (1 - share) / variance if variance > 0 else count / 2
    worth = min(max(worth, 1.0), float(len(right)))
    z2 = float(stdtrit(max(count - 1, 1), 0.975)) ** 2 / worth
    centre, half = (share + z2 / 2) / (1 + z2), np.sqrt(z2 * share * (1 - share) + z2 * z2 / 4) / (1 + z2)
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))
