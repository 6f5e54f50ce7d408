"""Get the ratings that a question about raters is asked of, and check them once, where they come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np

from ..data.evalset import EvalSet
from ..data.ratings import Floats, Ratings
from ..data.scores import Scores
from ..data.sequences import is_table, preview
from ..errors import InputError, UnknownName

POINTS = 11  # a scale of whole numbers with more points than this (0 to 10) is taken as continuous
RaterFilter = Sequence[str] | Callable[[str], bool]


class HasRatings(Protocol):
    """Anything that has judgments by dimension, as an EvalSet."""

    @property
    def dimensions(self) -> tuple[str, ...]: ...

    def ratings(self, dimension: str) -> Ratings: ...


def get_ratings(data: HasRatings | Ratings, dimension: str | None = None, *, judge: str | None = None) -> Ratings:
    """Return the ratings of a dimension by people, and by a judge; it need not be named where there is only one.

    One rater under two rows, or one output under two columns, would count as two: that is an error.

    >>> get_ratings(Ratings(np.array([[1.0]]), ("ann",), ("A",), ("1",), "meaning"))
    Ratings('meaning', 1 raters x 1 outputs)
    """
    ratings = _check_dimension(data, dimension) if isinstance(data, Ratings) else _from_set(data, dimension, judge)
    _refuse_duplicates(ratings)
    if np.isinf(ratings.values).any():
        raise InputError(f"ratings of {ratings.dimension!r} hold infinite values; mark missing ones as NaN")
    if np.isnan(ratings.values).all():
        raise InputError(f"there are no ratings of {ratings.dimension!r}")
    return ratings


def _check_dimension(data: Ratings, dimension: str | None) -> Ratings:
    if dimension is not None and dimension != data.dimension:
        raise UnknownName("dimension", dimension, (data.dimension,), hint=f"(these are ratings of {data.dimension})")
    return data


def _from_set(data: HasRatings, dimension: str | None, judge: str | None) -> Ratings:
    is_set = isinstance(data, EvalSet) or not (isinstance(data, Mapping) or is_table(data))
    if not is_set or not hasattr(data, "dimensions"):
        raise InputError(f"these are not ratings: {preview(data)}; give a set, assay.read(data), or Ratings")
    known = data.dimensions
    if dimension is None and len(known) > 1:
        raise InputError(f"several dimensions were judged; choose one of {', '.join(known)}")
    if isinstance(data, EvalSet):
        if dimension is not None:
            data.check_dimension(dimension)
        if not known:
            raise InputError("this set has no judgments by people" if data.assessors else "this set has no judgments")
        return data.ratings(dimension or known[0], also=() if judge is None else (judge,))
    if not known:
        raise InputError("this set has no judgments")
    if dimension is not None and dimension not in known:
        raise UnknownName("dimension", dimension, known, hint=f"(judged: {', '.join(known)})")
    return data.ratings(dimension or known[0])


def _refuse_duplicates(ratings: Ratings) -> None:
    rater, count = Counter(ratings.raters).most_common(1)[0] if ratings.raters else ("", 0)
    if count > 1:
        raise InputError(f"rater {rater!r} has {count} rows of {ratings.dimension!r}: one rater would count as {count}")
    outputs = Counter(zip(ratings.items, ratings.systems, strict=True))
    (item, system), count = outputs.most_common(1)[0] if outputs else (("", ""), 0)
    if count > 1:
        raise InputError(f"system {system!r} has {count} columns for item {item!r}: one output would count as {count}")


def select_raters(ratings: Ratings, who: RaterFilter, role: str) -> tuple[str, ...]:
    """Return the raters of a list, or those with a name that a function accepts, in the order of the ratings."""
    refuse_positions(ratings)
    if callable(who):
        names = tuple(r for r in ratings.raters if who(r))
    else:
        for name in who:
            if name not in ratings.raters:
                raise UnknownName("rater", name, ratings.raters, hint=f"(given as {role})")
        names = tuple(r for r in ratings.raters if r in set(who))
    if not names:
        raise InputError(f"none of the {len(ratings.raters)} raters of {ratings.dimension!r} is among the {role}")
    return names


def keep_raters(ratings: Ratings, raters: Sequence[str]) -> Ratings:
    """Return the ratings of these raters; outputs that none of them judged stay, as NaN."""
    return ratings.without(*(r for r in ratings.raters if r not in set(raters)))


def scale_points(ratings: Ratings) -> Floats | None:
    """Return the points of the scale from the lowest to the highest that was used, or None if it is not discrete.

    Discrete: whole numbers, at most 11 points from lowest to highest.

    >>> scale_points(Ratings(np.array([[1.0, 4.0]]), ("ann",), ("A", "B"), ("1", "1"), "meaning"))
    array([1., 2., 3., 4.])
    """
    values = ratings.values[~np.isnan(ratings.values)]
    if not values.size or (values % 1 != 0).any() or np.ptp(values) >= POINTS:
        return None
    return np.arange(values.min(), values.max() + 1)


def output_means(ratings: Ratings) -> Floats:
    """Return the mean of each output over its raters, NaN where no one rated it."""
    rated = ~np.isnan(ratings.values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(rated, ratings.values, 0.0).sum(axis=0) / rated.sum(axis=0)
    return means


def pack_ratings(ratings: Ratings) -> Floats:
    """Pack outputs x ratings, whoever gave them, into as few columns as the most rated output needs.

    >>> table = np.array([[1, np.nan], [np.nan, 2], [3, np.nan]])
    >>> pack_ratings(Ratings(table, tuple("abc"), ("A", "A"), ("1", "2"), "meaning"))
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    table = ratings.values.T
    missing = np.isnan(table)
    most = int((~missing).sum(axis=1).max(initial=0))
    packed: Floats = np.take_along_axis(table, np.argsort(missing, axis=1, kind="stable"), axis=1)[:, :most]
    return packed


def mean_scores(ratings: Ratings) -> Scores:
    """Return the mean of each output over its raters, as systems x items."""
    systems, items = tuple(dict.fromkeys(ratings.systems)), tuple(dict.fromkeys(ratings.items))
    row, column = {s: i for i, s in enumerate(systems)}, {item: i for i, item in enumerate(items)}
    values = np.full((len(systems), len(items)), np.nan)
    values[[row[s] for s in ratings.systems], [column[i] for i in ratings.items]] = output_means(ratings)
    cluster = dict(zip(ratings.items, ratings.clusters, strict=True)) if ratings.clusters else None
    return Scores(
        values,
        systems,
        items,
        name=ratings.dimension,
        signature=f"human({ratings.dimension})",
        higher_is_better=ratings.higher_is_better,
        clusters=None if cluster is None else tuple(cluster[item] for item in items),
    )


def combine_dimensions(data: HasRatings, dimensions: Sequence[str] | None = None) -> Ratings:
    """Average each rater's ratings over dimensions, as Toutanova et al. (2016), 3.1, do with meaning and grammar.

    A rating that lacks one of the dimensions is NaN.
    """
    parts = [get_ratings(data, d) for d in (dimensions if dimensions is not None else data.dimensions)]
    if not parts:
        raise InputError("this set has no judgments")
    raters = tuple(dict.fromkeys(r for p in parts for r in p.raters))
    texts = {k: p.texts[c] for p in parts if p.texts for c, k in enumerate(_keys(p))}
    outputs = tuple(dict.fromkeys(key for p in parts for key in _keys(p)))
    row, column = {r: i for i, r in enumerate(raters)}, {key: i for i, key in enumerate(outputs)}
    tables = np.full((len(parts), len(raters), len(outputs)), np.nan)
    for table, part in zip(tables, parts, strict=True):
        table[np.ix_([row[r] for r in part.raters], [column[k] for k in _keys(part)])] = part.values
    items, systems = tuple(i for i, _ in outputs), tuple(s for _, s in outputs)
    name = "+".join(p.dimension for p in parts)
    if len({p.higher_is_better for p in parts}) > 1:
        raise InputError(f"lower is better on some of {name} and higher on others: they cannot be averaged")
    output_texts = tuple(texts.get(key, "") for key in outputs) if texts else ()
    higher = parts[0].higher_is_better
    kinds = {r: k for p in parts for r, k in zip(p.raters, p.kinds, strict=bool(p.kinds))}
    by_rater = tuple(kinds.get(r, "human") for r in raters)
    clusters = {i: c for p in parts for i, c in zip(p.items, p.clusters, strict=bool(p.clusters))}
    by_output = tuple(clusters[item] for item in items) if clusters else ()
    return Ratings(tables.mean(axis=0), raters, systems, items, name, output_texts, higher, by_rater, by_output)


def _keys(ratings: Ratings) -> list[tuple[str, str]]:
    return list(zip(ratings.items, ratings.systems, strict=True))


def refuse_positions(ratings: Ratings) -> None:
    """Raise if raters are positions on a line: a filter of raters would drop ratings of many people, or of no one."""
    if ratings.are_positions:
        raise InputError(
            f"the raters of {ratings.dimension!r} ({', '.join(ratings.raters[:2])}, ...) are positions on a line, not "
            "people, so none can be ranked, named or left out; use a file that says who rated, or leave out editors "
            "(--leave-out-editors)"
        )
