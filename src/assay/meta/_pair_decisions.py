"""What a metric and people decide about pairs of systems, and how often they decide alike."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.scores import Floats
from ..errors import UndefinedWarning

Signs = NDArray[np.int64]
FEWEST = 6  # items below which a two-sided signed-rank test cannot reach .05


@dataclass(frozen=True)
class Share:
    """A share of pairs with its 95% interval, and the reference metric's share with the p-value against it."""

    value: float
    low: float
    high: float
    n: int
    reference: float = nan
    pvalue: float = nan

    @property
    def verdict(self) -> str:
        """better, worse or the same as the reference metric; empty without one (Figures 3 to 5)."""
        if np.isnan(self.reference) or np.isnan(self.value):
            return ""
        return "better" if self.low > self.reference else "worse" if self.high < self.reference else "same"


@dataclass(frozen=True)
class PairAgreement:
    """Tables 2 and 3 for one kind of pairs; `undecidable` pairs share fewer than 6 items and are left out.

    `differences` is the recall of the pairs that people find different (in the same direction), `no_differences` of
    those they do not; `contradictions` the share of all pairs on which both find a difference, in opposite directions.
    `sig` is agreement about better / worse / no difference, `all` about which of the two means is higher.
    """

    kind: str
    pairs: int
    undecidable: int
    differences: Share
    no_differences: Share
    contradictions: float
    contradicted: tuple[tuple[str, str], ...]
    sig: Share
    all: Share


class Decisions:
    """What the metric (m) and people (h) decide about every pair of systems."""

    def __init__(
        self, m: Floats, h: Floats, systems: tuple[str, ...], people: set[str], test: str, alpha: float
    ) -> None:
        self.systems = systems
        self.first, self.second = np.triu_indices(len(systems), 1)
        person = np.array([s in people for s in systems])
        count = person[self.first].astype(np.int64) + person[self.second]
        self.kinds = {"automatic": count == 0, "people": count == 1}
        self.metric, self.human = (self._decided(v, test, alpha) for v in (m, h))
        self.metric_order, self.human_order = (self._ordered(v) for v in (m, h))
        self.there = _shared(m) >= FEWEST

    def agreement(self, kind: str, reference: Decisions | None) -> PairAgreement:
        """The counts of one kind of pairs."""
        of = self.kinds[kind] & self.there
        same, theirs = self.metric == self.human, self.human != 0
        wrong = of & (self.metric * self.human == -1)
        pairs = int(of.sum())
        if not pairs:
            warnings.warn(
                f"agreement is NaN: no pair ({kind}) shares {FEWEST} judged items, the fewest a test can decide on",
                UndefinedWarning,
                stacklevel=4,
            )
        parts = {
            "differences": (same, theirs),
            "no_differences": (same, ~theirs),
            "sig": (same, np.ones_like(theirs)),
            "all": (self.metric_order == self.human_order, np.ones_like(theirs)),
        }
        others = {} if reference is None else reference.shares(kind)
        shares = {name: _share(right, of & among, others.get(name, nan)) for name, (right, among) in parts.items()}
        return PairAgreement(
            kind=kind,
            pairs=pairs,
            undecidable=int((self.kinds[kind] & ~self.there).sum()),
            contradictions=float(wrong.sum()) / pairs if pairs else nan,
            contradicted=tuple(
                (self.systems[self.first[i]], self.systems[self.second[i]]) for i in np.nonzero(wrong)[0]
            ),
            **shares,
        )

    def shares(self, kind: str) -> dict[str, float]:
        """The plain shares, for another metric to be held against."""
        made = self.agreement(kind, None)
        return {name: getattr(made, name).value for name in ("differences", "no_differences", "sig", "all")}

    def _decided(self, values: Floats, test: str, alpha: float) -> Signs:
        """1, -1 or 0 for every pair: first better, second better, no difference."""
        with warnings.catch_warnings():  # pairs without items in common are left out below
            warnings.simplefilter("ignore", UndefinedWarning)
            found = stats.paired_matrix(values, test="flip" if test == "permutation" else test)
        towards = np.sign(found.statistic - found.statistic.T)
        decided = np.where(found.pvalue <= alpha, towards, 0.0)[self.first, self.second]
        return np.nan_to_num(decided).astype(np.int64)

    def _ordered(self, values: Floats) -> Signs:
        return np.sign(np.nan_to_num(self._differences(values))).astype(np.int64)

    def _differences(self, values: Floats) -> Floats:
        """Mean differences over the items of each pair, rounding errors as 0."""
        pairs = stats.system_pairs(len(values))
        mean = np.empty(len(pairs))
        for some in stats.pair_blocks(pairs, values.shape[1]):
            d = values[pairs[some, 0]] - values[pairs[some, 1]]
            there = ~np.isnan(d)
            with np.errstate(invalid="ignore", divide="ignore"):
                mean[some] = np.where(there, d, 0.0).sum(axis=1) / there.sum(axis=1)
        scale = np.nanmax(np.abs(values), initial=0.0)
        return np.where(np.abs(mean) <= 1e-12 * scale, 0.0, mean)


def _shared(values: Floats) -> Floats:
    """How many items both systems of each pair have."""
    there = (~np.isnan(values)).astype(np.float64)
    counts: Floats = (there @ there.T)[np.triu_indices(len(values), 1)]
    return counts


def _share(right: NDArray[np.bool_], among: NDArray[np.bool_], reference: float) -> Share:
    n = int(among.sum())
    if n == 0:
        return Share(nan, nan, nan, 0)
    inside = 0 < reference < 1
    found = stats.proportion(int((right & among).sum()), n, against=reference if inside else 0.5)
    return Share(found.value, found.low, found.high, n, reference, found.pvalue if inside else nan)
