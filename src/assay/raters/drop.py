"""Leave out raters, and see how the system ranking and each metric's correlation with people change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.alignment import orient_values
from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError, ignore_undefined
from ..stats import coefficient, coefficients, correlate, krippendorff_alpha
from ..stats.checks import at_least, fraction, warn_undefined
from .input import HasRatings, get_ratings, mean_scores, pack_ratings, refuse_positions
from .ranking import rank_raters
from .severity import severity


@dataclass(frozen=True)
class MetricChange:
    """A metric's Pearson correlation with people before and after: of system means, and of outputs within each rater.

    `systems` as in Owczarzak et al. (2012), Table 3. `outputs` as in its Table 4: all outputs of a rater pooled, the
    correlation with their ratings, and the mean of that over raters. Metrics for which lower is better correlate
    negatively.
    """

    kind: ClassVar[str] = "metric_change"
    metric: str
    systems_before: float
    systems_after: float
    outputs_before: float
    outputs_after: float


@dataclass(frozen=True)
class SystemChange:
    """A system's mean rating with all raters, and without those left out."""

    kind: ClassVar[str] = "system_change"
    system: str
    before: float
    after: float


@dataclass(frozen=True)
class WithoutRaters(Result, question="without_raters", kind="without_raters", shared=("dimension", "by", "raters")):
    """The system means with and without some raters: Owczarzak et al. (2012), Table 2."""

    dimension: str
    by: str
    raters: tuple[str, ...]
    remaining: int
    outputs_before: int
    outputs_after: int
    items_before: int
    items_after: int
    alpha_before: float
    alpha_after: float
    pearson: float
    spearman: float
    metrics: tuple[MetricChange, ...]
    systems: tuple[SystemChange, ...]


@dataclass(frozen=True)
class WithoutEachRater(Result, question="without_raters", kind="without_each_rater"):
    """What changes without each rater in turn, those who agree least with the others first; `total` raters in all."""

    dimension: str
    total: int
    left_out: tuple[WithoutRaters, ...]


def drop_raters(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    worst: int | None = None,
    share: float | None = None,
    raters: Sequence[str] | None = None,
    by: str = "rest",
    metrics: Iterable[Scores] = (),
    systems: Sequence[str] | None = None,
) -> WithoutRaters:
    """Leave out the `worst` raters (or that `share` of them, rounded down), or the `raters` named, and compare.

    Raters are ranked `by` one of the orders of `rank_raters`. A system's mean is over its outputs, an output's over the
    remaining raters: where each item has one rater (TAC), leaving out a rater leaves out their items. `systems` are
    those to rank (for example, without the people among them), by default all. A metric is correlated on the outputs
    that still have ratings. Fewer than three systems, or constant means: NaN with an UndefinedWarning.

    >>> table = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [4, 1, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), tuple("ABCD"), ("1",) * 4, "meaning")
    >>> result = drop_raters(ratings, worst=1)
    >>> result.raters, round(result.pearson, 3), round(result.alpha_before, 3), round(result.alpha_after, 3)
    (('cy',), 0.902, 0.176, 0.937)
    """
    ratings = get_ratings(data, dimension)
    refuse_positions(ratings)
    dropped, order = _choose_raters(data, ratings, worst, share, raters, by)
    remaining = ratings.without(*dropped)
    if np.isnan(remaining.values).all():  # also if no rater is left
        raise InputError(f"without {', '.join(dropped[:5])} no rating of {ratings.dimension!r} is left")
    old, new = _rated_systems(ratings, systems), _rated_systems(remaining, systems)
    before, after = old.means(), new.means()
    with ignore_undefined():
        alphas = [krippendorff_alpha(pack_ratings(r)).value for r in (ratings, remaining)]
        correlations = [coefficient(before, after, method=m) for m in ("pearson", "spearman")]
        changes = tuple(_metric_change(m, (ratings, remaining), (old, new)) for m in metrics)
    result = WithoutRaters(
        dimension=ratings.dimension,
        by=order,
        raters=dropped,
        remaining=len(remaining.raters),
        outputs_before=_count_outputs(old),
        outputs_after=_count_outputs(new),
        items_before=_count_items(old),
        items_after=_count_items(new),
        alpha_before=alphas[0],
        alpha_after=alphas[1],
        pearson=correlations[0],
        spearman=correlations[1],
        metrics=changes,
        systems=tuple(map(SystemChange, old.systems, before.tolist(), after.tolist())),
    )
    _warn(result)
    return result


def drop_each_rater(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    metrics: Iterable[Scores] = (),
    systems: Sequence[str] | None = None,
    most: int = 30,
) -> WithoutEachRater:
    """Leave out each rater in turn: the `most` raters who correlate least with the others, in that order."""
    ratings, scores = get_ratings(data, dimension), list(metrics)
    refuse_positions(ratings)
    with ignore_undefined():
        profiles = sorted(severity(ratings).raters, key=lambda p: (np.isnan(p.rest_correlation), p.rest_correlation))
    total = int(ratings.counts().sum())
    left_out = tuple(
        drop_raters(ratings, raters=[profile.rater], metrics=scores, systems=systems)
        for profile in profiles[:most]
        if profile.n < total
    )
    return WithoutEachRater(ratings.dimension, len(ratings.raters), left_out)


def count_to_drop(total: int, worst: int | None, share: float | None, what: str) -> int:
    """Return how many to drop: the number given, or that share of all, rounded down.

    >>> count_to_drop(67, None, 0.1, "raters")
    6
    """
    if (worst is None) == (share is None):
        raise InputError(
            f"give a number or a share of {what} to leave out, not {'both' if share is not None else 'neither'}"
        )
    count = at_least(worst, "worst", 1) if worst is not None else int(fraction(share or 0.0, "share") * total + 1e-9)
    if count < 1:
        raise InputError(f"a share of {share} of {total} {what} is less than one; give a number instead")
    if count >= total:
        raise InputError(f"dropping {count} of {total} {what} leaves none")
    return count


def _choose_raters(
    data: HasRatings | Ratings,
    ratings: Ratings,
    worst: int | None,
    share: float | None,
    raters: Sequence[str] | None,
    by: str,
) -> tuple[tuple[str, ...], str]:
    if raters is not None:
        if worst is not None or share is not None:
            raise InputError("give either the names of the raters to drop or how many, not both")
        if not raters:
            raise InputError("no rater to drop was named")
        return tuple(dict.fromkeys(raters)), "name"
    ranking = rank_raters(data, ratings.dimension, by=by)
    if not ranking.raters:
        raise InputError(
            f"no rater of {ratings.dimension!r} can be ranked by {by}; choose another order (by) or name the raters"
        )
    return ranking.worst(count_to_drop(len(ranking.raters) + len(ranking.unranked), worst, share, "raters")), by


def _rated_systems(ratings: Ratings, systems: Sequence[str] | None) -> Scores:
    scores = mean_scores(ratings)
    return scores if systems is None else scores.select([s for s in scores.systems if s in set(systems)])


def _count_outputs(scores: Scores) -> int:
    return int(scores.counts().sum())


def _count_items(scores: Scores) -> int:
    return int((~np.isnan(scores.values)).any(axis=0).sum())


def _metric_change(metric: Scores, ratings: tuple[Ratings, Ratings], people: tuple[Scores, Scores]) -> MetricChange:
    of_systems = [correlate(orient_values(p), _align_metric(metric, p), method="pearson").value for p in people]
    of_outputs = [_correlation_per_rater(metric, r, people[0].systems) for r in ratings]
    return MetricChange(metric.signature or metric.name, *of_systems, *of_outputs)


def _align_metric(metric: Scores, people: Scores) -> Floats:
    """Return the metric's oriented scores in the rows and columns of the people's, by id; NaN where it has none."""
    row, column = ({name: i for i, name in enumerate(names)} for names in (metric.systems, metric.items))
    padded = np.pad(orient_values(metric), ((0, 1), (0, 1)), constant_values=np.nan)
    aligned: Floats = padded[
        np.ix_([row.get(s, -1) for s in people.systems], [column.get(i, -1) for i in people.items])
    ]
    return aligned


def _correlation_per_rater(metric: Scores, ratings: Ratings, systems: Sequence[str]) -> float:
    scores, wanted = mean_scores(ratings), set(systems)
    table = _align_metric(metric, scores)
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    outputs = zip(ratings.systems, ratings.items, strict=True)
    cells = np.array([table[row[s], column[i]] if s in wanted else np.nan for s, i in outputs])
    oriented = ratings.orient_values()
    by_rater = coefficients(oriented, np.broadcast_to(cells, oriented.shape), method="pearson")
    defined = by_rater[~np.isnan(by_rater)]
    return float(defined.mean()) if len(defined) else float("nan")


def _warn(result: WithoutRaters) -> None:
    lost = sum(s.before == s.before and s.after != s.after for s in result.systems)
    reasons = []
    if np.isnan(result.pearson):
        reasons.append(f"correlation of {len(result.systems) - lost} system means (needs 3 that are not all equal)")
    if lost:
        reasons.append(f"mean of {lost} system(s) that no one else rated")
    undefined = [m.metric for m in result.metrics if np.isnan([m.systems_before, m.systems_after]).any()]
    if undefined:
        reasons.append(f"correlation of {', '.join(undefined)} (constant, or fewer than 3 rated systems)")
    if reasons:
        warn_undefined(f"{result.dimension!r} without {len(result.raters)} rater(s): {'; '.join(reasons)}")
