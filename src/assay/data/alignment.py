"""Brings scores together by the ids of systems and items, never by position."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ..errors import AlignmentError, InputError, MismatchWarning
from .scores import Floats, Scores


def aligned(
    *scores: Scores, systems: Sequence[str] | None = None, without: Collection[str] | None = None
) -> tuple[Scores, ...]:
    """The same scores for the systems and items that all of them have, in the order of the first.

    `systems` keeps only these, `without` leaves some out; left to itself it leaves out the people among the systems,
    who are no systems (without=() keeps them). Nothing in common is an AlignmentError; ids
    that only some have are left out with a MismatchWarning. Corpus scores stay where no item is lost.

    >>> a = Scores(np.array([[1.0, 2.0], [3.0, 4.0]]), ("A", "B"), ("1", "2"), name="rouge1")
    >>> b = Scores(np.array([[4.0, 3.0], [2.0, 1.0]]), ("B", "A"), ("2", "1"), name="human")
    >>> [s.values.tolist() for s in aligned(a, b)]
    [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]
    """
    if not scores:
        raise InputError("there are no scores to bring together")
    if without is None:
        without = () if systems is not None else {name for s in scores for name in s.people}
    rows = _common("system", [(s.name, s.systems) for s in scores], wanted=systems, without=without)
    columns = _common("item", [(s.name, s.items) for s in scores])
    return tuple(_select(s, rows, columns) for s in scores)


def oriented(scores: Scores) -> Floats:
    """The values with the sign turned where lower is better, so that agreement with people is always positive."""
    return scores.values if scores.higher_is_better else -scores.values


def oriented_means(scores: Scores) -> Floats:
    """One score per system (the corpus score where there is one), higher is better."""
    return scores.means() if scores.higher_is_better else -scores.means()


def common_cells(metric: Scores, human: Scores) -> tuple[Floats, Floats]:
    """Both as arrays, higher is better, NaN in both where either has no score."""
    m, h = oriented(metric), oriented(human)
    gone = np.isnan(m) | np.isnan(h)
    return np.where(gone, np.nan, m), np.where(gone, np.nan, h)


def _common(
    kind: str,
    named: Sequence[tuple[str, tuple[str, ...]]],
    *,
    wanted: Sequence[str] | None = None,
    without: Collection[str] = (),
) -> tuple[str, ...]:
    sets = [set(ids) for _, ids in named]
    shared = set.intersection(*sets)
    if not shared:
        raise AlignmentError(_nothing(kind, named))
    if wanted is not None:
        _refuse_absent(kind, wanted, named)
    dropped = set(without)
    asked = named[0][1] if wanted is None else wanted
    kept = tuple(i for i in asked if i in shared and i not in dropped)
    if not kept:
        raise AlignmentError(f"no {kind} is left: all {len(shared)} were left out by name")
    if wanted is None:
        _warn_partial(kind, named, sets, shared, dropped)
    return kept


def _nothing(kind: str, named: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    shown = "; ".join(f"{name!r} has {some(ids)}" for name, ids in dict(named).items())
    return f"the scores have no {kind} in common: {shown}. They are matched by id, so the ids must be spelled alike"


def _refuse_absent(kind: str, wanted: Iterable[str], named: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    for name, ids in named:
        absent = [i for i in wanted if i not in ids]
        if absent:
            raise AlignmentError(f"scores {name!r} have no {kind} {absent[0]!r}; they have {some(ids)}")


def _warn_partial(
    kind: str,
    named: Sequence[tuple[str, tuple[str, ...]]],
    sets: Sequence[set[str]],
    shared: set[str],
    dropped: set[str],
) -> None:
    for (name, ids), own in zip(named, sets, strict=True):
        extra = own - shared - dropped
        if extra:
            left_out = some([i for i in ids if i in extra])
            warnings.warn(
                f"{len(extra)} of {len(ids)} {kind}s of {name!r} are not in the other scores and are left out: "
                f"{left_out}",
                MismatchWarning,
                stacklevel=4,
            )


def some(ids: Sequence[str], most: int = 3) -> str:
    """The first few of many names.

    >>> some(["A", "B", "C", "D"])
    'A, B, C and 1 more'
    """
    rest = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {rest} more" if rest > 0 else "")


def _select(scores: Scores, systems: tuple[str, ...], items: tuple[str, ...]) -> Scores:
    if scores.systems == systems and scores.items == items:
        return scores
    row, column = {s: i for i, s in enumerate(scores.systems)}, {i: k for k, i in enumerate(scores.items)}
    rows, columns = [row[s] for s in systems], [column[i] for i in items]
    whole = len(items) == len(scores.items)
    return Scores(
        scores.values[np.ix_(rows, columns)],
        systems,
        items,
        name=scores.name,
        signature=scores.signature,
        higher_is_better=scores.higher_is_better,
        corpus=scores.corpus[rows] if scores.corpus is not None and whole else None,
        people=scores.people,
    )
