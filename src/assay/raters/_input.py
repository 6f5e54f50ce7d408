"""What the questions about raters are asked of: Ratings, checked once where they come in."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.scores import Scores
from ..errors import InputError, UndefinedWarning, UnknownName

POINTS = 11  # a scale of whole numbers with more points than this (0 to 10) is taken as continuous
Chosen = Sequence[str] | Callable[[str], bool]


class Judged(Protocol):
    """Anything that has judgments by dimension, as an EvalSet."""

    @property
    def dimensions(self) -> tuple[str, ...]: ...

    def ratings(self, dimension: str) -> Ratings: ...


def ratings_of(data: Judged | Ratings, dimension: str | None = None) -> Ratings:
    """Return the ratings of a dimension; it need not be named where there is only one.

    One rater under two rows, or one output under two columns, would count as two: that is an error.

    >>> ratings_of(Ratings(np.array([[1.0]]), ("ann",), ("A",), ("1",), "meaning"))
    Ratings('meaning', 1 raters x 1 outputs)
    """
    found = _own(data, dimension) if isinstance(data, Ratings) else _of_set(data, dimension)
    _refuse_twice(found)
    if np.isinf(found.values).any():
        raise InputError(f"ratings of {found.dimension!r} hold infinite values; mark missing ones as NaN")
    if np.isnan(found.values).all():
        raise InputError(f"there are no ratings of {found.dimension!r}")
    return found


def _own(data: Ratings, dimension: str | None) -> Ratings:
    if dimension is not None and dimension != data.dimension:
        raise UnknownName("dimension", dimension, (data.dimension,), hint=f"(these are ratings of {data.dimension})")
    return data


def _of_set(data: Judged, dimension: str | None) -> Ratings:
    known = data.dimensions
    if not known:
        raise InputError("there are no judgments in this set, so there are no raters to ask about")
    if dimension is None and len(known) > 1:
        raise InputError(f"say which dimension: {', '.join(known)}")
    if dimension is not None and dimension not in known:
        raise UnknownName("dimension", dimension, known, hint=f"(judged: {', '.join(known)})")
    return data.ratings(dimension or known[0])


def _refuse_twice(ratings: Ratings) -> None:
    rater, count = Counter(ratings.raters).most_common(1)[0] if ratings.raters else ("", 0)
    if count > 1:
        raise InputError(f"rater {rater!r} has {count} rows of {ratings.dimension!r}: one rater would count as {count}")
    output, count = Counter(zip(ratings.items, ratings.systems, strict=True)).most_common(1)[0] if ratings.items else (
        ("", ""), 0)  # fmt: skip
    if count > 1:
        item, system = output
        raise InputError(f"system {system!r} has {count} columns for item {item!r}: one output would count as {count}")


def chosen(ratings: Ratings, who: Chosen, role: str) -> tuple[str, ...]:
    """Return the raters of a list, or those whose name a function accepts, in the order of the ratings."""
    if callable(who):
        found = tuple(r for r in ratings.raters if who(r))
    else:
        for name in who:
            if name not in ratings.raters:
                raise UnknownName("rater", name, ratings.raters, hint=f"(given as {role})")
        found = tuple(r for r in ratings.raters if r in set(who))
    if not found:
        raise InputError(f"none of the {len(ratings.raters)} raters of {ratings.dimension!r} is among the {role}")
    return found


def only(ratings: Ratings, raters: Sequence[str]) -> Ratings:
    """Return the ratings of these raters; outputs that none of them judged stay, as NaN."""
    return ratings.without(*(r for r in ratings.raters if r not in set(raters)))


def scale_of(ratings: Ratings) -> Floats | None:
    """Return the points of the scale from the lowest to the highest that was used, or None if it is not discrete.

    Discrete: whole numbers, at most 11 points from lowest to highest.

    >>> scale_of(Ratings(np.array([[1.0, 4.0]]), ("ann",), ("A", "B"), ("1", "1"), "meaning"))
    array([1., 2., 3., 4.])
    """
    seen = ratings.values[~np.isnan(ratings.values)]
    if not seen.size or (seen % 1 != 0).any() or np.ptp(seen) >= POINTS:
        return None
    return np.arange(seen.min(), seen.max() + 1)


def output_means(ratings: Ratings) -> Floats:
    """Return the mean of each output over its raters, NaN where nobody rated it."""
    there = ~np.isnan(ratings.values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(there, ratings.values, 0.0).sum(axis=0) / there.sum(axis=0)
    return means


def gathered(ratings: Ratings) -> Floats:
    """Return outputs x ratings, whoever gave them, in as few columns as the most rated output needs.

    >>> gathered(Ratings(np.array([[1, np.nan], [np.nan, 2], [3, np.nan]]), tuple("abc"), ("A",) * 2, tuple("12"), "d"))
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    table = ratings.values.T
    gone = np.isnan(table)
    most = int((~gone).sum(axis=1).max(initial=0))
    packed: Floats = np.take_along_axis(table, np.argsort(gone, axis=1, kind="stable"), axis=1)[:, :most]
    return packed


def human(ratings: Ratings) -> Scores:
    """Return the outputs' means as systems x items."""
    systems, items = tuple(dict.fromkeys(ratings.systems)), tuple(dict.fromkeys(ratings.items))
    row, column = {s: i for i, s in enumerate(systems)}, {item: i for i, item in enumerate(items)}
    values = np.full((len(systems), len(items)), np.nan)
    values[[row[s] for s in ratings.systems], [column[i] for i in ratings.items]] = output_means(ratings)
    return Scores(values, systems, items, name=ratings.dimension, signature=f"human({ratings.dimension})")


def combined(data: Judged, dimensions: Sequence[str] | None = None) -> Ratings:
    """Return each rater's mean over dimensions: Toutanova et al. (2016), 3.1, average meaning and grammar.

    A rating that lacks one of the dimensions is NaN.
    """
    parts = [ratings_of(data, d) for d in (dimensions if dimensions is not None else data.dimensions)]
    if not parts:
        raise InputError("there are no judgments in this set, so there are no raters to ask about")
    raters = tuple(dict.fromkeys(r for p in parts for r in p.raters))
    texts = {k: p.texts[c] for p in parts if p.texts for c, k in enumerate(_keys(p))}
    outputs = tuple(dict.fromkeys(key for p in parts for key in _keys(p)))
    row, column = {r: i for i, r in enumerate(raters)}, {key: i for i, key in enumerate(outputs)}
    tables = np.full((len(parts), len(raters), len(outputs)), np.nan)
    for table, part in zip(tables, parts, strict=True):
        table[np.ix_([row[r] for r in part.raters], [column[k] for k in _keys(part)])] = part.values
    items, systems = tuple(i for i, _ in outputs), tuple(s for _, s in outputs)
    name = "+".join(p.dimension for p in parts)
    shown = tuple(texts.get(key, "") for key in outputs) if texts else ()
    return Ratings(tables.mean(axis=0), raters, systems, items, name, shown)


def _keys(ratings: Ratings) -> list[tuple[str, str]]:
    return list(zip(ratings.items, ratings.systems, strict=True))


def positional(ratings: Ratings) -> bool:
    """Say whether raters look like places on a line (rater1, rater2, ...), as in MSR's file, and not like people.

    Then every output is rated by the first few of them, and not always by equally many.
    """
    there = ~np.isnan(ratings.values)
    prefix = (there[1:] <= there[:-1]).all()
    numbered = all(name.endswith(str(i)) for i, name in enumerate(ratings.raters, 1))
    return bool(len(there) > 1 and numbered and prefix and not there.all())


@contextmanager
def quietly() -> Iterator[None]:
    """Leave out the warnings of parts: whoever asks for them warns once, for the whole answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        yield


def number(value: float) -> str:
    """Write a coefficient as papers do.

    >>> number(0.266), number(-0.05), number(1.0), number(float("nan"))
    ('.27', '-.05', '1.00', 'undefined')
    """
    return (
        "undefined"
        if np.isnan(value)
        else f"{value:.2f}".replace("0.", ".", 1)
        if abs(value) < 0.995
        else f"{value:.2f}"
    )
