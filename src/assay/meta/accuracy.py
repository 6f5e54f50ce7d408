"""How do metrics stand by the measures of the last years? Pairwise and soft accuracy, ties, and clusters of rank.

Kocmi 2021 (pairwise accuracy), Deutsch 2022 (restricted pairs) and 2023 (acc_eq), Thompson 2024 (soft accuracy),
DiIanni and Deutsch 2025 (PDP), Perrella 2024 (sentinels).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isnan, nan

import numpy as np

from .. import stats
from ..data._phrases import join_names, number, percent, plural
from ..data.alignment import align_scores, orient_means, orient_values
from ..data.result import Shown
from ..data.scores import Floats, Scores
from ..errors import InputError

MEASURES = {
    "accuracy": "accuracy", "soft": "soft accuracy", "acc_eq": "acc_eq", "pdp": "PDP", "restricted": "near pairs",
    "correlation": "correlation",
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """One metric. `rank` counts clusters by correlation at the level, `rank_eq` by acc_eq; 1 is the best."""

    metric: str
    accuracy: float
    soft: float
    acc_eq: float
    epsilon: float
    pdp: float
    restricted: float
    correlation: float
    rank: int
    rank_eq: int
    blind: bool = False


@dataclass(frozen=True)
class Places(Shown):
    """Metrics by rank. `pairs` counts system pairs; restricted is Kendall's tau over the nearest quarter of them."""

    human: str
    places: tuple[Place, ...]
    systems: int
    items: int
    pairs: int
    level: str
    method: str
    over: str
    quarter: Mapping[str, float]
    resamples: int
    seed: int

    def winners(self, *, blind: bool = False) -> tuple[str, ...]:
        """The metrics in the first cluster by correlation."""
        return tuple(p.metric for p in self.places if p.rank == 1 and (blind or not p.blind))

    def sentinel_wins(self) -> dict[str, tuple[str, ...]]:
        """By measure, the blind metrics that no seeing metric beats: the protocol is then not to be trusted."""
        found = {}
        for measure in MEASURES:
            best = max((v for p in self.places if not p.blind and not isnan(v := getattr(p, measure))), default=nan)
            wins = tuple(p.metric for p in self.places if p.blind and getattr(p, measure) >= best)
            if wins:
                found[measure] = wins
        return found

    def sentence(self) -> str:
        """The answer in words."""
        seeing = [p for p in self.places if not p.blind and p.rank > 0]
        if not seeing:
            return f"No metric has a {self.method} correlation with {self.human} at {self.level} level."
        first = [p for p in seeing if p.rank == seeing[0].rank]
        names = join_names([p.metric for p in first])
        said = (
            f"{names} {'ranks' if len(first) == 1 else 'rank'} first against {self.human} ({self.method} at "
            f"{self.level} level {number(first[0].correlation)}); {first[0].metric} orders "
            f"{percent(first[0].accuracy)} of {plural(self.pairs, 'system pair')} as people do."
        )
        return f"{said} {self._sentinels()}".rstrip()

    def _sentinels(self) -> str:
        blind = [p.metric for p in self.places if p.blind]
        if not blind:
            return ""
        wins = self.sentinel_wins()
        if not wins:
            return f"No blind metric ({join_names(blind)}) wins by any measure."
        shown = "; ".join(f"{join_names(names)} by {MEASURES[measure]}" for measure, names in wins.items())
        return f"Beware: a blind metric wins ({shown}): on this data that measure does not show who sees quality."


def modern(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    sentinels: Mapping[str, Scores] | None = None,
    level: str = "item",
    method: str = "pearson",
    over: str = "both",
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Places:
    """Rank metrics against people by the measures in use today; sentinels are blind metrics that must not win.

    accuracy: share of system pairs in people's order. soft: 1 - mean |p_human - p_metric| over pairs. acc_eq: pairs of
    outputs within items, with ties of the metric calibrated at `epsilon` on the same data. pdp: Pearson over all
    differences within items. restricted: Kendall's tau over the quarter of system pairs that the metric finds nearest.
    Ranks are clusters: a metric opens a new rank if it is significantly worse (one-sided p <= alpha) than any of the
    current one, by the permutation test of the correlation, or of acc_eq with the pairs of an item swapped together.
    """
    blind = dict(sentinels or {})
    if not metrics:
        raise InputError("no metric was given")
    if twice := set(blind) & set(metrics):
        raise InputError(f"{sorted(twice)[0]!r} is given both as a metric and as a sentinel")
    named = {**metrics, **blind}
    people, *ours = align_scores(human, *named.values(), systems=systems, without=without)
    h, ms = orient_values(people), np.stack([orient_values(s) for s in ours])
    correlation = stats.correlate_stack(h, ms, level=level, method=method)
    options = {"resamples": resamples, "seed": seed}
    tested = stats.permutation_matrix(h, ms, level=level, method=method, over=over, **options)  # type: ignore[arg-type]
    ties = stats.acc_eq_matrix(h, ms, swap="group", **options)  # type: ignore[arg-type]
    soft = stats.soft_pairwise_accuracy(h, ms, **options)  # type: ignore[arg-type]
    means = [(orient_means(people), orient_means(s)) for s in ours]
    accuracies = [stats.pairwise_accuracy(a, b) for a, b in means]
    near = [_quarter(b) for _, b in means]
    values = {
        "accuracy": [a.value for a in accuracies],
        "soft": soft.values.tolist(),
        "acc_eq": ties.accuracies.tolist(),
        "epsilon": ties.epsilons.tolist(),
        "pdp": stats.pooled_difference_stack(h, ms).tolist(),
        "restricted": [
            stats.restricted_kendall(a, b, high=q).value if q == q else nan
            for (a, b), q in zip(means, near, strict=True)
        ],
        "correlation": correlation.tolist(),
        "rank": stats.rank_clusters(correlation, tested.pvalues, alpha=alpha).tolist(),
        "rank_eq": stats.rank_clusters(ties.accuracies, ties.pvalues, alpha=alpha).tolist(),
    }
    names = [f.name for f in fields(Place) if f.name in values]
    places = [
        Place(metric=name, blind=name in blind, **{f: values[f][i] for f in names}) for i, name in enumerate(named)
    ]
    places.sort(key=lambda p: (isnan(p.correlation), -p.correlation if p.correlation == p.correlation else 0.0))
    return Places(
        human=human.name,
        places=tuple(places),
        systems=len(people.systems),
        items=len(people.items),
        pairs=accuracies[0].pairs,
        level=level,
        method=method,
        over=over,
        quarter=dict(zip(named, near, strict=True)),
        resamples=resamples,
        seed=seed,
    )


def _quarter(means: Floats) -> float:
    """The metric difference that a quarter of the system pairs do not exceed."""
    some = means[~np.isnan(means)]
    first, second = np.triu_indices(len(some), 1)
    return float(np.quantile(np.abs(some[first] - some[second]), 0.25)) if len(first) else nan
