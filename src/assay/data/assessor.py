"""Assessor: who judged: a name and a kind, a person, a language model or a metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from ..errors import AlignmentError, InputError, UnknownName
from .item import KINDS, Item


class Assessor(NamedTuple):
    """Who judged; `kind` is human, llm or metric.

    >>> Assessor("ann")
    Assessor(name='ann', kind='human')
    """

    name: str
    kind: str = "human"


def list_assessors(items: Iterable[Item]) -> tuple[Assessor, ...]:
    """List who judged, in the order they first appear; whoever no one stated a kind of is a person.

    A name that is stated to be of two kinds is an error: two assessors under one name cannot be told apart.
    """
    kinds: dict[str, str | None] = {}
    for item in items:
        for judgment in item.judgments:
            rater, kind = judgment.rater, judgment.kind
            known = kinds.setdefault(rater, kind)
            if kind is not None and kind != known:
                if known is not None:
                    raise AlignmentError(
                        f"{item.place}: rater {rater!r} is of kind {kind} here and of kind {known} before; "
                        "give the two different names"
                    )
                kinds[rater] = kind
    return tuple(Assessor(name, kind or "human") for name, kind in kinds.items())


def match_kinds(patterns: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return the kind of each name that a pattern (`gpt*`) matches; a pattern that matches no one is an error.

    >>> match_kinds({"gpt*": "llm"}, ["ann", "gpt-4o"])
    {'gpt-4o': 'llm'}
    """
    kinds: dict[str, str] = {}
    for pattern, kind in patterns.items():
        if kind not in KINDS:
            raise InputError(f"the kind of a rater is {', '.join(KINDS)}; got {kind!r} for {pattern!r}")
        kinds |= dict.fromkeys(match_raters([pattern], names), kind)
    return kinds


def match_raters(patterns: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the names that a pattern matches (`expert*`), in order; a pattern that matches no one is an error.

    >>> match_raters(["expert*"], ["turker1", "expert1"])
    ['expert1']
    """
    patterns = list(patterns)
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UnknownName("rater", pattern, names, hint=f"(raters: {', '.join(names[:8])})")
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def state_kinds(item: Item, kinds: Mapping[str, str]) -> Item:
    """Return the item with the kinds of these raters stated in its judgments."""
    if not any(j.rater in kinds for j in item.judgments):
        return item
    judgments = tuple(j._replace(kind=kinds.get(j.rater, j.kind)) for j in item.judgments)
    return Item(
        *(item.id, item.references, item.outputs, item.sources, item.group, judgments, item.extra, item.where),
        *(item.cluster, item.run),
    )
