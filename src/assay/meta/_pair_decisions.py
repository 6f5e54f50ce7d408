"""What a metric and people decide about pairs of systems, and how often they decide alike."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from math import nan
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.scores import Floats
from ..errors import UndefinedWarning
from ._inputs import FEWEST_SYSTEMS

Signs = NDArray[np.int64]
SYSTEMS, PERSON_AND_SYSTEM = "systems", "person and system"
FEWEST = 6  # items below which a two-sided signed-rank test cannot reach .05


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
    """Tables 2 and 3 for one kind of pairs; `undecidable` pairs share fewer than 6 items and are left out.

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


class DecidedPairs:
    """Every pair of systems as decided by the metric (m) and by people (h)."""

    def __init__(
        self,
        m: Floats,
        h: Floats,
        systems: tuple[str, ...],
        people: set[str],
        test: str,
        alpha: float,
        decided: dict[bytes, Signs] | None = None,
    ) -> None:
        self._decided = {} if decided is None else decided  # by scores: people's are the same for every metric
        self.systems = systems
        self.first, self.second = np.triu_indices(len(systems), 1)
        person = np.array([s in people for s in systems])
        count = person[self.first].astype(np.int64) + person[self.second]
        self.kinds = {SYSTEMS: count == 0, PERSON_AND_SYSTEM: count == 1}
        self.metric, self.human = (self._decide(v, test, alpha) for v in (m, h))
        self.metric_order, self.human_order = (self._order(v) for v in (m, h))
        self.there = _common_items(m) >= FEWEST

    def count(self, pairs_of: str, baseline: DecidedPairs | None = None) -> PairDecisions:
        """Count the decisions on one kind of pairs."""
        among = self.kinds[pairs_of] & self.there
        opposite = among & (self.metric * self.human == -1)
        pairs = int(among.sum())
        if not pairs:
            warnings.warn(
                f"agreement is NaN: no pair ({pairs_of}) shares {FEWEST} judged items, the fewest a test can decide on",
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
        if len(np.unique(pairs)) < FEWEST_SYSTEMS:
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

    def _decide(self, values: Floats, test: str, alpha: float) -> Signs:
        """Return 1, -1 or 0 for every pair: first better, second better, no difference."""
        key = values.tobytes()
        if key not in self._decided:
            self._decided[key] = self._test(values, test, alpha)
        return self._decided[key]

    def _test(self, values: Floats, test: str, alpha: float) -> Signs:
        with warnings.catch_warnings():  # pairs without items in common are left out below
            warnings.simplefilter("ignore", UndefinedWarning)
            tests = stats.paired_matrix(values, test="flip" if test == "permutation" else test)
        towards = np.sign(tests.statistic - tests.statistic.T)
        signs = np.where(tests.pvalue <= alpha, towards, 0.0)[self.first, self.second]
        return np.nan_to_num(signs).astype(np.int64)

    def _order(self, values: Floats) -> Signs:
        return np.sign(np.nan_to_num(self._differences(values))).astype(np.int64)

    def _differences(self, values: Floats) -> Floats:
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
    there are systems: so many pairs have no system in common.
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
