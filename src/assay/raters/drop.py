"""What becomes of the system ranking, and of each metric's correlation, when the worst raters are left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..data.scores import Scores
from ..errors import InputError
from ..stats import coefficient, coefficients, correlate, krippendorff_alpha
from ..stats.checks import at_least, fraction, warn_undefined
from ._input import Judged, gathered, human, quietly, ratings_of
from .ranking import rank_raters


@dataclass(frozen=True)
class MetricChange:
    """A metric's Pearson correlation with people before and after: of system means, and of outputs within each rater.

    `systems` as in Owczarzak et al. (2012), Table 3. `outputs` as in its Table 4: all outputs of a rater pooled, the
    correlation with his ratings, and the mean of that over raters. Scores of which less is better correlate negatively.
    """

    metric: str
    systems_before: float
    systems_after: float
    outputs_before: float
    outputs_after: float


@dataclass(frozen=True)
class Dropped(Shown, rows=False):
    """The ranking of systems with and without some raters: Owczarzak et al. (2012), Table 2."""

    dimension: str
    by: str
    raters: tuple[str, ...]
    kept: int
    outputs_before: int
    outputs_after: int
    items_before: int
    items_after: int
    alpha_before: float
    alpha_after: float
    systems: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    pearson: float
    spearman: float
    metrics: tuple[MetricChange, ...]

    def sentence(self) -> str:
        """Answer in words."""
        who = ", ".join(self.raters[:5]) + (f" and {len(self.raters) - 5} more" if len(self.raters) > 5 else "")
        lost = self.items_before - self.items_after
        gone = f" (and with them {lost} of {self.items_before} items)" if lost else ""
        return (
            f"Without {who}{gone} the system means on {self.dimension} correlate with those of all raters by "
            f"{self.pearson:.3f} (Spearman {self.spearman:.3f})."
        )


def drop(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    worst: int | None = None,
    share: float | None = None,
    raters: Sequence[str] | None = None,
    by: str = "rest",
    metrics: Iterable[Scores] = (),
    systems: Sequence[str] | None = None,
) -> Dropped:
    """Leave out the `worst` raters (or that `share` of them, rounded down), or the `raters` named, and look again.

    Raters are ranked `by` one of `rank_raters`. A system's mean is over its outputs, an output's over the raters left:
    where each item has one rater (TAC), his items go with him. `systems` are those to rank (say, without the people
    among them), default all. A metric is correlated on the outputs that have ratings left. Fewer than three systems,
    or constant means: NaN with an UndefinedWarning.

    >>> table = np.array([[1, 2, 3, 4], [1, 2, 3, 5], [4, 1, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), tuple("ABCD"), ("1",) * 4, "meaning")
    >>> result = drop(ratings, worst=1)
    >>> result.raters, round(result.pearson, 3), round(result.alpha_before, 3), round(result.alpha_after, 3)
    (('cy',), 0.902, 0.176, 0.937)
    """
    ratings = ratings_of(data, dimension)
    out, name = _whom(data, ratings, worst, share, raters, by)
    left = ratings.without(*out)
    if not left.raters or np.isnan(left.values).all():
        raise InputError(f"without {', '.join(out[:5])} no rating of {ratings.dimension!r} is left")
    old, new = _ranked(ratings, systems), _ranked(left, systems)
    before, after = old.means(), new.means()
    with quietly():
        alphas = [krippendorff_alpha(gathered(r)).value for r in (ratings, left)]
        correlations = [coefficient(before, after, method=m) for m in ("pearson", "spearman")]
        changes = tuple(_change(m, (ratings, left), (old, new)) for m in metrics)
    result = Dropped(
        ratings.dimension, name, out, len(left.raters), _outputs(old), _outputs(new), _items(old), _items(new),
        alphas[0], alphas[1], old.systems, tuple(before.tolist()), tuple(after.tolist()),
        correlations[0], correlations[1], changes,
    )  # fmt: skip
    _warn(result)
    return result


def how_many(total: int, worst: int | None, share: float | None, what: str) -> int:
    """Return how many to drop: so many, or that share of all, rounded down.

    >>> how_many(67, None, 0.1, "raters")
    6
    """
    if (worst is None) == (share is None):
        raise InputError(f"say how many {what} to drop: either a number or a share, not both")
    count = at_least(worst, "worst", 1) if worst is not None else int(fraction(share or 0.0, "share") * total + 1e-9)
    if count < 1:
        raise InputError(f"a share of {share} of {total} {what} is less than one; say how many to drop instead")
    if count >= total:
        raise InputError(f"dropping {count} of {total} {what} leaves none")
    return count


def _whom(
    data: Judged | Ratings, ratings: Ratings, worst: int | None, share: float | None, raters: Sequence[str] | None,
    by: str,
) -> tuple[tuple[str, ...], str]:  # fmt: skip
    if raters is not None:
        if worst is not None or share is not None:
            raise InputError("give the raters to drop, or how many, not both")
        if not raters:
            raise InputError("no rater to drop was named")
        return tuple(dict.fromkeys(raters)), "name"
    ranking = rank_raters(data, ratings.dimension, by=by)
    if not ranking.raters:
        raise InputError(
            f"no rater of {ratings.dimension!r} can be ranked by {by}; take another order (by=) or name them"
        )
    return ranking.worst(how_many(len(ranking.raters) + len(ranking.unranked), worst, share, "raters")), by


def _ranked(ratings: Ratings, systems: Sequence[str] | None) -> Scores:
    scores = human(ratings)
    return scores if systems is None else scores.select([s for s in scores.systems if s in set(systems)])


def _outputs(scores: Scores) -> int:
    return int(scores.counts().sum())


def _items(scores: Scores) -> int:
    return int((~np.isnan(scores.values)).any(axis=0).sum())


def _change(metric: Scores, ratings: tuple[Ratings, Ratings], people: tuple[Scores, Scores]) -> MetricChange:
    of_systems = [correlate(p.values, _aligned(metric, p), method="pearson").value for p in people]
    of_outputs = [_per_rater(metric, r, people[0].systems) for r in ratings]
    return MetricChange(metric.signature or metric.name, *of_systems, *of_outputs)


def _aligned(metric: Scores, people: Scores) -> Floats:
    """Return the metric's scores in the rows and columns of the people's, by id; NaN where it has none."""
    row, column = ({name: i for i, name in enumerate(names)} for names in (metric.systems, metric.items))
    padded = np.pad(metric.values, ((0, 1), (0, 1)), constant_values=np.nan)
    aligned: Floats = padded[
        np.ix_([row.get(s, -1) for s in people.systems], [column.get(i, -1) for i in people.items])
    ]
    return aligned


def _per_rater(metric: Scores, ratings: Ratings, systems: Sequence[str]) -> float:
    scores, wanted = human(ratings), set(systems)
    table = _aligned(metric, scores)
    row, column = ({name: i for i, name in enumerate(names)} for names in (scores.systems, scores.items))
    cells = [table[row[s], column[i]] if s in wanted else np.nan
             for s, i in zip(ratings.systems, ratings.items, strict=True)]  # fmt: skip
    found = coefficients(ratings.values, np.broadcast_to(np.array(cells), ratings.values.shape), method="pearson")
    defined = found[~np.isnan(found)]
    return float(defined.mean()) if len(defined) else float("nan")


def _warn(result: Dropped) -> None:
    lost = sum(a == a and b != b for a, b in zip(result.before, result.after, strict=True))
    reasons = []
    if np.isnan(result.pearson):
        left = len(result.systems) - lost
        reasons.append(f"ranking of {left} system(s), of which there must be 3, without equal means")
    if lost:
        reasons.append(f"mean of {lost} system(s) that nobody else rated")
    gone = [m.metric for m in result.metrics if np.isnan([m.systems_before, m.systems_after]).any()]
    if gone:
        reasons.append(f"correlation of {', '.join(gone)}, constant or with fewer than 3 systems rated")
    if reasons:
        warn_undefined(f"{result.dimension!r} without {len(result.raters)} rater(s): {'; '.join(reasons)}")
