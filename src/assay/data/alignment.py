"""Align scores by the ids of systems and items, never by position."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ..errors import AlignmentError, InputError, MismatchWarning
from .scores import Floats, Scores


def align_scores(
    *scores: Scores, systems: Sequence[str] | None = None, without: Collection[str] | None = None
) -> tuple[Scores, ...]:
    """Return the scores of the systems and items that all of them have, in the order of the first.

    `systems` keeps only these; `without` leaves some out. By default people among the systems, systems that repeat
    references, and those with the same texts as another are left out (without=() keeps them). Nothing in common is an
    AlignmentError; ids that only some have are left out with a MismatchWarning, and so are systems without a single
    score by one of them.
    Corpus scores stay where no item is lost.

    >>> a = Scores(np.array([[1.0, 2.0], [3.0, 4.0]]), ("A", "B"), ("1", "2"), name="rouge1")
    >>> b = Scores(np.array([[4.0, 3.0], [2.0, 1.0]]), ("B", "A"), ("2", "1"), name="human")
    >>> [s.values.tolist() for s in align_scores(a, b)]
    [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]
    """
    if not scores:
        raise InputError("align_scores needs at least one Scores; got none")
    if without is None:
        without = () if systems is not None else systems_apart(*scores)
    rows = _common("system", [(s.name, s.systems) for s in scores], wanted=systems, without=without)
    columns = _common("item", [(s.name, s.items) for s in scores])
    rows = _leave_out_empty(rows, columns, scores) if len(scores) > 1 else rows
    return tuple(s if (s.systems, s.items) == (rows, columns) else s.select(rows, columns) for s in scores)


def systems_apart(*scores: Scores) -> set[str]:
    """Return the systems that no question about systems counts: people, those that repeat references, and copies."""
    return {name for s in scores for name in (*s.people, *s.leaked, *(copy.system for copy in s.copies))}


def _leave_out_empty(rows: tuple[str, ...], columns: tuple[str, ...], scores: Sequence[Scores]) -> tuple[str, ...]:
    """Leave out systems without a single score by one of them, say systems that no one judged, with a warning."""
    empty: dict[str, str] = {}
    for s in scores:
        if s.corpus is None and np.isnan(s.values).any():
            values = s.select(rows, columns).values
            bare: list[bool] = np.asarray(np.isnan(values).all(axis=1)).tolist()
            empty |= {system: s.name for system, nothing in zip(rows, bare, strict=True) if nothing}
    if not empty or len(empty) == len(rows):
        return rows
    for name in dict.fromkeys(empty.values()):
        systems = [system for system, by in empty.items() if by == name]
        count = f"{len(systems)} of {len(rows)} systems have" if len(systems) > 1 else "1 system has"
        warnings.warn(
            f"{count} no score by {name!r} on these items and {'are' if len(systems) > 1 else 'is'} left out: "
            f"{shorten_names(systems)}",
            MismatchWarning,
            stacklevel=3,
        )
    return tuple(system for system in rows if system not in empty)


def orient_values(scores: Scores) -> Floats:
    """Return the values, negated where lower is better, so that agreement with people is always positive."""
    return scores.values if scores.higher_is_better else -scores.values


def orient_means(scores: Scores) -> Floats:
    """Return one score per system (the corpus score where there is one), negated where lower is better."""
    return scores.means() if scores.higher_is_better else -scores.means()


def common_cells(metric: Scores, human: Scores) -> tuple[Floats, Floats]:
    """Return both as arrays in which higher is better, NaN in both where either has no score."""
    m, h = orient_values(metric), orient_values(human)
    missing = np.isnan(m) | np.isnan(h)
    return np.where(missing, np.nan, m), np.where(missing, np.nan, h)


def _common(
    kind: str,
    ids_by_name: Sequence[tuple[str, tuple[str, ...]]],
    *,
    wanted: Sequence[str] | None = None,
    without: Collection[str] = (),
) -> tuple[str, ...]:
    sets = [set(ids) for _, ids in ids_by_name]
    shared = set.intersection(*sets)
    if not shared:
        raise AlignmentError(_nothing_in_common(kind, ids_by_name))
    if wanted is not None:
        _refuse_absent(kind, wanted, ids_by_name)
    dropped = set(without)
    candidates = ids_by_name[0][1] if wanted is None else wanted
    ids = tuple(i for i in candidates if i in shared and i not in dropped)
    if not ids:
        raise AlignmentError(f"no {kind} is left: all {len(shared)} were left out by name")
    if wanted is None:
        _warn_partial(kind, ids_by_name, sets, shared, dropped)
    return ids


def _nothing_in_common(kind: str, ids_by_name: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    contents = "; ".join(f"{name!r} has {shorten_names(ids)}" for name, ids in dict(ids_by_name).items())
    return f"the scores have no {kind} in common: {contents}. They are matched by id, so ids must be spelled the same"


def _refuse_absent(kind: str, wanted: Iterable[str], ids_by_name: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    for name, ids in ids_by_name:
        absent = [i for i in wanted if i not in ids]
        if absent:
            raise AlignmentError(f"scores {name!r} have no {kind} {absent[0]!r}; they have {shorten_names(ids)}")


def _warn_partial(
    kind: str,
    ids_by_name: Sequence[tuple[str, tuple[str, ...]]],
    sets: Sequence[set[str]],
    shared: set[str],
    dropped: set[str],
) -> None:
    for (name, ids), own in zip(ids_by_name, sets, strict=True):
        extra = own - shared - dropped
        if extra:
            left_out = shorten_names([i for i in ids if i in extra])
            warnings.warn(
                f"{len(extra)} of {len(ids)} {kind}s of {name!r} are not in the other scores and are left out: "
                f"{left_out}",
                MismatchWarning,
                stacklevel=4,
            )


def shorten_names(ids: Sequence[str], most: int = 3) -> str:
    """Write the first few of many names.

    >>> shorten_names(["A", "B", "C", "D"])
    'A, B, C and 1 more'
    """
    rest = len(ids) - most
    return ", ".join(ids[:most]) + (f" and {rest} more" if rest > 0 else "")
