"""Which metrics are best on single inputs? Williams' test on every pair of systems: Toutanova et al. (2016), 4.3.2."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.alignment import align_scores, orient_values
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from .minimums import MIN_SYSTEMS

PARTS = ("unit", "measure", "pooling")
MEASURES = ("Recall", "Precision", "F-1", "PrecBrev")
_BLOCK = 40_000  # differences formed at a time, few enough that every array of them stays in the processor's cache
POOLINGS = ("SINGLE-REF", "MULT-MAX", "MULT-PROB", "MULT-ALL")


@dataclass(frozen=True)
class Standing:
    """One metric: mean correlation over system pairs, on how many pairs no one beats it, and who dominates it.

    `unbeaten` is of the pairs on which it was tested. `difference` is the mean correlation less that of the best, with
    its 95% interval over systems (NaN with fewer than 6).
    """

    kind: ClassVar[str] = "standing"
    metric: str
    value: float
    unbeaten: float
    top: bool
    dominated_by: tuple[str, ...]
    unit: str | None = None
    measure: str | None = None
    pooling: str | None = None
    difference: float = nan
    difference_low: float = nan
    difference_high: float = nan


@dataclass(frozen=True)
class GroupBest:
    """A line of Table 9: the best metric of a group of metrics that share a unit, measure or pooling.

    `mark` is "*" if the metric dominates the "-" lines of the same part, "-" if some metric dominates it.
    """

    kind: ClassVar[str] = "group_best"
    part: str
    metric: str
    value: float
    mark: str


@dataclass(frozen=True, eq=False)
class Dominance(Result, question="dominance", kind="dominance", shared=("human",)):
    """Metrics from best to worst; share[a, b] is the share of system pairs on which a is better than b, by the test.

    `group_bests` are the best metrics of each unit, measure and pooling, where names have the form of Toutanova et al.
    """

    human: str
    ranking: tuple[Standing, ...]
    top: tuple[str, ...]
    metrics: tuple[str, ...]
    share: Floats
    correlations: Floats
    pairs: tuple[tuple[str, str], ...]
    items: int
    alpha: float
    needed: float
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()
    group_bests: tuple[GroupBest, ...] = ()

    def dominates(self, a: str, b: str) -> bool:
        """Return whether a is significantly better than b on enough of the pairs."""
        i, k = self.metrics.index(a), self.metrics.index(b)
        return bool(self.share[i, k] >= self.needed)

    def best_per(self, part: str) -> tuple[GroupBest, ...]:
        """Return the best metric of each unit, measure or pooling, as in Table 9."""
        if part not in PARTS:
            raise InputError(f"part must be unit, measure or pooling, got {part!r}")
        return tuple(best for best in self.group_bests if best.part == part)

    def mark_metrics(self, metrics: Sequence[str], part: str = "") -> tuple[GroupBest, ...]:
        """Return these metrics, marked by who of them dominates whom."""
        by_name = {standing.metric: standing for standing in self.ranking}
        dominated = [name for name in metrics if by_name[name].dominated_by]
        return tuple(GroupBest(part, name, by_name[name].value, self._mark(name, dominated)) for name in metrics)

    def _mark(self, metric: str, dominated: Sequence[str]) -> str:
        if metric in dominated:
            return "-"
        return "*" if dominated and all(self.dominates(metric, other) for other in dominated) else ""


def dominate(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    alpha: float = 0.05,
    share: float = 0.8,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Dominance:
    """Test every metric against every other on the score differences of each pair of systems.

    m1 dominates m2 if Williams' test finds it better (one-sided p < alpha) on at least `share` of the pairs. A metric
    is in the top group if on at least `share` of the pairs no other is significantly better. An undefined test (too
    few items, constant differences) finds nothing; how many there were is said in an UndefinedWarning. If fewer than
    half of the pairs of systems share 4 judged items, the question is refused: `pool_differences` answers it.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(3, 300))
    >>> ids = tuple(map(str, range(300)))
    >>> noise = {"SKIP-2+Recall+MULT-ALL": 0.5, "LR-1+Recall+MULT-ALL": 3.0}
    >>> ms = {n: Scores(h + s * rng.normal(size=h.shape), tuple("ABC"), ids, n) for n, s in noise.items()}
    >>> result = dominate(ms, Scores(h, tuple("ABC"), ids, "meaning"))
    >>> result.top, [(best.metric, best.mark) for best in result.best_per("unit")]
    (('SKIP-2+Recall+MULT-ALL',), [('LR-1+Recall+MULT-ALL', '-'), ('SKIP-2+Recall+MULT-ALL', '*')])
    """
    refuse_no_metric(metrics)
    names = tuple(metrics)
    people, *ours = align_scores(human, *metrics.values(), systems=systems, without=without)
    if len(people.systems) < 2:
        raise InputError(f"at least two systems are needed to compare, got {len(people.systems)}")
    _refuse_sparse(people)
    pairs = stats.system_pairs(len(people.systems))
    better, tested, correlations = _tests(
        orient_values(people), np.stack([orient_values(s) for s in ours]), pairs, alpha
    )
    shares: Floats = better.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        unbeaten = 1.0 - (better.any(axis=1) & tested).sum(axis=0) / tested.sum(axis=0)
    some = ~np.isnan(correlations).all(axis=1)
    values = np.full(len(names), np.nan)
    values[some] = np.nanmean(correlations[some], axis=1)
    order = sorted(range(len(names)), key=lambda k: (np.isnan(values[k]), -values[k], names[k]))
    differences = _differences(correlations, pairs, order[0])
    standings = tuple(_standing(names, k, values, unbeaten, shares, share, differences[k]) for k in order)
    result = Dominance(
        human=human.name,
        ranking=standings,
        top=tuple(s.metric for s in standings if s.top),
        metrics=names,
        share=shares,
        correlations=correlations,
        pairs=tuple((people.systems[i], people.systems[k]) for i, k in pairs),
        items=len(people.items),
        alpha=alpha,
        needed=share,
        left_out=people_left_out((human, *metrics.values()), systems, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), systems, without),
        copies=copies_left_out((human, *metrics.values()), systems, without),
    )
    bests = [best for part in PARTS for best in result.mark_metrics(_best_metrics(standings, part), part)]
    return replace(result, group_bests=tuple(bests))


def is_sparse(human: Scores, *, without: Collection[str] = ()) -> bool:
    """Check if fewer than half of the pairs of systems share the 4 judged items that a test on a pair needs."""
    comparable, pairs = comparable_pairs(human.select([s for s in human.systems if s not in set(without)]))
    return 2 * comparable < pairs


def comparable_pairs(human: Scores, fewest: int = 4) -> tuple[int, int]:
    """Count the pairs of systems that share at least `fewest` judged items, and all pairs."""
    there = (~np.isnan(human.values)).astype(np.float64)
    shared = (there @ there.T)[np.triu_indices(len(there), 1)]
    return int((shared >= fewest).sum()), len(shared)


def _refuse_sparse(human: Scores) -> None:
    comparable, pairs = comparable_pairs(human)
    if 2 * comparable < pairs:
        raise InputError(
            f"only {comparable:,} of {pairs:,} pairs of systems share 4 items judged by {human.name!r}, the fewest on "
            "which metrics can be tested: pool differences within items instead (pool_differences, --question "
            "differences)"
        )


def _differences(correlations: Floats, pairs: NDArray[np.int64], best: int) -> list[tuple[float, float, float]]:
    """Return each metric's mean correlation less that of the best, with its interval over systems."""
    rows = []
    for own in correlations:
        values = own - correlations[best]
        there = ~np.isnan(values)
        if len(np.unique(pairs[there])) < MIN_SYSTEMS:
            rows.append((float(values[there].mean()) if there.any() else nan, nan, nan))
            continue
        test = stats.pair_means(values[there], pairs[there])
        rows.append((float(test.values), float(test.low), float(test.high)))
    return rows


def _tests(
    h: Floats, ms: Floats, pairs: NDArray[np.int64], alpha: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Return, per pair of systems, which metric is better than which (pairs x K x K), and on which it was tested.

    The last is correlations (K x pairs).
    """
    count = len(ms)
    better, tested = np.zeros((len(pairs), count, count), dtype=bool), np.zeros((len(pairs), count), dtype=bool)
    values = np.full((count, len(pairs)), np.nan)
    missing = np.zeros(len(pairs), dtype=np.int64)
    own, by_system = np.arange(count), np.ascontiguousarray(np.swapaxes(ms, 0, 1))
    for some in stats.pair_blocks(pairs, count * h.shape[1], block=_BLOCK):
        first, second = pairs[some].T
        tests = stats.williams_stack(h[first] - h[second], by_system[first] - by_system[second])
        undefined = np.isnan(tests.pvalue)
        better[some] = tests.pvalue < alpha  # NaN is not better
        known = tests.n[:, own, own] > 2  # two points: +-1
        values[:, some] = np.where(known, tests.correlation[:, own, own], np.nan).T
        tested[some] = (~undefined).sum(axis=1) > (count > 1)  # by another than itself, if there is one
        missing[some] = undefined.sum(axis=(1, 2))
    if missing.any():
        warnings.warn(
            f"{missing.sum()} of {better.size} Williams tests are undefined and find nothing: constant or opposite "
            "differences, or fewer than 4 items",
            UndefinedWarning,
            stacklevel=3,
        )
    return better, tested, values


def _standing(
    names: tuple[str, ...],
    k: int,
    values: Floats,
    unbeaten: Floats,
    shares: Floats,
    share: float,
    difference: tuple[float, float, float],
) -> Standing:
    unit, measure, pooling = split_name(names[k]) or (None, None, None)
    defined = not np.isnan(values[k])
    return Standing(
        metric=names[k],
        value=float(values[k]),
        unbeaten=float(unbeaten[k]) if defined else float("nan"),
        top=bool(defined and unbeaten[k] >= share),
        dominated_by=tuple(names[other] for other in np.nonzero(shares[:, k] >= share)[0]),
        unit=unit,
        measure=measure,
        pooling=pooling,
        difference=difference[0],
        difference_low=difference[1],
        difference_high=difference[2],
    )


def split_name(name: str) -> tuple[str, str, str] | None:
    """Return unit, measure and pooling of a name of the form UNIT+MEASURE+POOL, or None.

    >>> split_name("SKIP-2+Recall+MULT-PROB"), split_name("rouge2")
    (('SKIP-2', 'Recall', 'MULT-PROB'), None)
    """
    parts = [part.strip() for part in name.split("+")]
    if len(parts) != 3:
        return None
    measure, pooling = _match(parts[1], MEASURES), _match(parts[2], POOLINGS)
    return (parts[0].upper(), measure, pooling) if measure and pooling else None


def _match(part: str, known: Sequence[str]) -> str | None:
    return next((k for k in known if k.lower() == part.lower()), None)


def _best_metrics(ranking: Sequence[Standing], part: str) -> list[str]:
    """Return the best metric of each unit, measure or pooling, in the order of the paper."""
    best: dict[str, str] = {}
    for standing in ranking:
        value = getattr(standing, part)
        if value is not None and not np.isnan(standing.value):
            best.setdefault(value, standing.metric)
    known = {"unit": (), "measure": MEASURES, "pooling": POOLINGS}[part]
    return [best[value] for value in sorted(best, key=lambda v: (known.index(v) if v in known else 0, v))]
