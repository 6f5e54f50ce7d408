"""Which metrics are best on single inputs? Williams' test on every pair of systems: Toutanova et al. (2016), 4.3.2."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data._phrases import join_names, number, percent, plural
from ..data.alignment import align_scores, orient_values
from ..data.result import Shown
from ..data.scores import Floats, Scores
from ..errors import InputError, UndefinedWarning

MEASURES = ("Recall", "Precision", "F-1", "PrecBrev")
POOLINGS = ("SINGLE-REF", "MULT-MAX", "MULT-PROB", "MULT-ALL")


@dataclass(frozen=True)
class Standing:
    """One metric: mean correlation over system pairs, on how many pairs nobody beats it, and who dominates it."""

    metric: str
    value: float
    unbeaten: float
    top: bool
    dominated_by: tuple[str, ...]
    unit: str | None = None
    measure: str | None = None
    pooling: str | None = None


@dataclass(frozen=True)
class Row:
    """A line of Table 9: `mark` is "*" if it dominates the group's "-" rows, "-" if some metric dominates it."""

    metric: str
    value: float
    mark: str


@dataclass(frozen=True, eq=False)
class Dominance(Shown):
    """Metrics from best to worst; share[a, b] is the share of system pairs on which a is better than b, by the test."""

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

    def dominates(self, a: str, b: str) -> bool:
        """Is a significantly better than b on enough of the pairs?"""
        i, k = self.metrics.index(a), self.metrics.index(b)
        return bool(self.share[i, k] >= self.needed)

    def best_per(self, part: str) -> tuple[Row, ...]:
        """The best metric of each unit, measure or pooling, as in Table 9; only metrics with a name of that form."""
        if part not in ("unit", "measure", "pooling"):
            raise InputError(f"part must be unit, measure or pooling, got {part!r}")
        best: dict[str, Standing] = {}
        for standing in self.ranking:
            value = getattr(standing, part)
            if value is not None and not np.isnan(standing.value):
                best.setdefault(value, standing)
        return self._marked([best[v] for v in _in_order(best, part)])

    def rows(self, metrics: Sequence[str]) -> tuple[Row, ...]:
        """Rows of these metrics, marked within the group."""
        by_name = {s.metric: s for s in self.ranking}
        return self._marked([by_name[m] for m in metrics])

    def _marked(self, group: Sequence[Standing]) -> tuple[Row, ...]:
        beaten = [s.metric for s in group if s.dominated_by]
        return tuple(
            Row(s.metric, s.value, "-" if s.dominated_by else "*" if self._all_beaten(s.metric, beaten) else "")
            for s in group
        )

    def _all_beaten(self, metric: str, beaten: Sequence[str]) -> bool:
        return bool(beaten) and all(self.dominates(metric, other) for other in beaten)

    def sentence(self) -> str:
        """The answer in words."""
        if np.isnan(self.correlations).all():
            return f"No metric has a correlation with {self.human} on the differences between two systems."
        if not self.top:
            return f"No metric stays unbeaten on {percent(self.needed)} of the system pairs against {self.human}."
        first = self.ranking[0]
        others = (
            "" if len(self.top) == 1 else f", with {plural(len(self.top) - 1, 'other')} that cannot be told from it"
        )
        lead = self.top[0] if first.metric not in self.top else first.metric
        value = next(s.value for s in self.ranking if s.metric == lead)
        pairs = int((~np.isnan(self.correlations[self.metrics.index(lead)])).sum())
        return (
            f"{lead} follows {self.human} best on single items (mean r = {number(value)} over "
            f"{plural(pairs, 'pair')} of systems){others}."
            + (f" Top group: {join_names(self.top)}." if len(self.top) > 1 else "")
        )


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
    few items, constant differences) finds nothing; how many there were is said in an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(3, 300))
    >>> ids = tuple(map(str, range(300)))
    >>> noise = {"SKIP-2+Recall+MULT-ALL": 0.5, "LR-1+Recall+MULT-ALL": 3.0}
    >>> ms = {n: Scores(h + s * rng.normal(size=h.shape), tuple("ABC"), ids, n) for n, s in noise.items()}
    >>> found = dominate(ms, Scores(h, tuple("ABC"), ids, "meaning"))
    >>> found.top, [(row.metric, row.mark) for row in found.best_per("unit")]
    (('SKIP-2+Recall+MULT-ALL',), [('LR-1+Recall+MULT-ALL', '-'), ('SKIP-2+Recall+MULT-ALL', '*')])
    """
    if not metrics:
        raise InputError("no metric was given")
    names = tuple(metrics)
    people, *ours = align_scores(human, *metrics.values(), systems=systems, without=without)
    if len(people.systems) < 2:
        raise InputError(f"at least two systems are needed to compare, got {len(people.systems)}")
    pairs = stats.system_pairs(len(people.systems))
    better, correlations = _tests(orient_values(people), np.stack([orient_values(s) for s in ours]), pairs, alpha)
    shares: Floats = better.mean(axis=0)
    unbeaten = 1.0 - better.any(axis=1).mean(axis=0)
    some = ~np.isnan(correlations).all(axis=1)
    values = np.full(len(names), np.nan)
    values[some] = np.nanmean(correlations[some], axis=1)
    order = sorted(range(len(names)), key=lambda k: (np.isnan(values[k]), -values[k], names[k]))
    standings = tuple(_standing(names, k, values, unbeaten, shares, share) for k in order)
    return Dominance(
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
    )


def _tests(h: Floats, ms: Floats, pairs: NDArray[np.int64], alpha: float) -> tuple[NDArray[np.bool_], Floats]:
    """Per pair of systems, which metric is better than which (pairs x K x K), and correlations (K x pairs)."""
    count = len(ms)
    better = np.zeros((len(pairs), count, count), dtype=bool)
    values = np.full((count, len(pairs)), np.nan)
    gone = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        for p, (i, k) in enumerate(pairs):
            found = stats.williams_matrix(h[i] - h[k], ms[:, i] - ms[:, k])
            better[p] = found.pvalue < alpha  # NaN is not better
            values[:, p] = np.where(np.diag(found.n) > 2, np.diag(found.correlation), np.nan)  # two points: +-1
            gone += int(np.isnan(found.pvalue).sum())
    if gone:
        warnings.warn(
            f"{gone} of {better.size} Williams tests are undefined and find nothing: constant or opposite differences, "
            "or fewer than 4 items",
            UndefinedWarning,
            stacklevel=3,
        )
    return better, values


def _standing(
    names: tuple[str, ...], k: int, values: Floats, unbeaten: Floats, shares: Floats, share: float
) -> Standing:
    unit, measure, pooling = toutanova(names[k]) or (None, None, None)
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
    )


def toutanova(name: str) -> tuple[str, str, str] | None:
    """Unit, measure and pooling of a name of the form UNIT+MEASURE+POOL, or None.

    >>> toutanova("SKIP-2+Recall+MULT-PROB"), toutanova("rouge2")
    (('SKIP-2', 'Recall', 'MULT-PROB'), None)
    """
    parts = [part.strip() for part in name.split("+")]
    if len(parts) != 3:
        return None
    measure, pooling = _spelled(parts[1], MEASURES), _spelled(parts[2], POOLINGS)
    return (parts[0].upper(), measure, pooling) if measure and pooling else None


def _spelled(part: str, known: Sequence[str]) -> str | None:
    return next((k for k in known if k.lower() == part.lower()), None)


def _in_order(found: Mapping[str, Standing], part: str) -> list[str]:
    known = {"unit": (), "measure": MEASURES, "pooling": POOLINGS}[part]
    place: Callable[[str], tuple[int, str]] = lambda v: (known.index(v) if v in known else 0, v)  # noqa: E731
    return sorted(found, key=place)
