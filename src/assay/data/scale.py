"""Scale: what the numbers of a judged dimension mean: which end is best, and whether they are ratings or ranks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from ..errors import InputError
from .item import Item
from .sequences import preview

KINDS = ("rating", "ranking", "pairs")
KEYS = ("best", "range", "labels", "kind")
_LOWER_WORDS = frozenset({"rank", "ranks", "ranking", "rankings", "error", "errors", "ter", "wer"})
_RANK_WORDS = frozenset({"rank", "ranks", "ranking", "rankings"})


@dataclass(frozen=True)
class Scale:
    """What is stated about a dimension. `best` is "high" or "low", or None where no one said it.

    kind: rating; ranking (the scores of one rater for one item order the systems); pairs (two systems at a time); None
    where no one said it: then they are ratings, unless the dimension is called rank and holds ranks (`EvalSet.scale`).

    >>> Scale(best="low").lower_is_better, Scale().lower_is_better
    (True, False)
    """

    best: str | None = None
    range: tuple[float, float] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    kind: str | None = None

    def __post_init__(self) -> None:
        if self.best not in (None, "high", "low"):
            raise InputError(f'best must be "high" or "low", got {preview(self.best)}')
        if self.kind not in (None, *KINDS):
            raise InputError(f"kind of a scale must be one of {', '.join(KINDS)}, got {preview(self.kind)}")

    @property
    def lower_is_better(self) -> bool:
        """Whether low numbers were stated to be better; by default high ones are."""
        return self.best == "low"

    def keys(self) -> dict[str, Any]:
        """Return what a file says of it: the keys that are stated."""
        keys = {
            "best": self.best,
            "range": self.range and list(self.range),
            "labels": dict(self.labels),
            "kind": self.kind,
        }
        return {key: value for key, value in keys.items() if value}


def suggests_lower(name: str) -> bool:
    """Check if a name holds a word for which low numbers are usually better: rank, error, ter or wer.

    >>> suggests_lower("Overall rank"), suggests_lower("my-wer"), suggests_lower("terseness")
    (True, True, False)
    """
    return not _LOWER_WORDS.isdisjoint(_words(name))


def read_scales(items: Iterable[Item]) -> dict[str, Scale]:
    """Read the scales that items state under the key `scales`; two that differ are an error.

    `{"rank": {"best": 1}}` says that 1 is best: "low" if no score of the set is lower, "high" if none is higher.
    """
    stated: dict[str, tuple[Mapping[str, Any], Item]] = {}
    items = tuple(items)
    for item in items:
        for dimension, keys in _scales_of(item).items():
            first, where = stated.setdefault(dimension, (keys, item))
            if first is not keys and first != keys:
                raise InputError(f"{item.place} states another scale of {dimension!r} than {where.place}; state one")
    return {d: _read(d, keys, items, where.place) for d, (keys, where) in stated.items()}


def state_scales(item: Item, scales: Mapping[str, Mapping[str, Any]]) -> Item:
    """Return the item with these scales stated, over those it states."""
    extra = {**item.extra, "scales": {**_scales_of(item), **scales}}
    return Item(
        *(item.id, item.references, item.outputs, item.sources, item.group, item.judgments, extra, item.where),
        *(item.cluster, item.run),
    )


def holds_ranks(dimension: str, items: Iterable[Item]) -> bool:
    """Check if a dimension is called rank and its scores are ranks, from 1 to the number of outputs of an item."""
    if _RANK_WORDS.isdisjoint(_words(dimension)):
        return False
    return all(
        1 <= j.score <= len(item.outputs) and (2 * j.score) == int(2 * j.score)
        for item in items
        for j in item.judgments
        if j.dimension == dimension
    )


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", name.lower())


def _scales_of(item: Item) -> Mapping[str, Mapping[str, Any]]:
    scales = item.extra.get("scales") or {}
    if not isinstance(scales, Mapping) or not all(isinstance(keys, Mapping) for keys in scales.values()):
        raise InputError(
            f'{item.place}: scales must look like {{"rank": {{"best": 1}}}}; got {preview(item.extra["scales"])}'
        )
    return scales


def _read(dimension: str, keys: Mapping[str, Any], items: Iterable[Item], place: str) -> Scale:
    where = f"{place}: scale of {dimension!r}"
    for key in keys:
        if key not in KEYS:
            raise InputError(f"{where}: unknown key {key!r}; it takes {', '.join(KEYS)}")
    ends = keys.get("range")
    if ends is not None and not (_is_numbers(ends) and len(ends) == 2 and ends[0] < ends[1]):
        raise InputError(f"{where}: range must be two numbers, the lower first; got {preview(ends)}")
    if not isinstance(keys.get("labels", {}), Mapping):
        raise InputError(f'{where}: labels must look like {{"1": "poor"}}; got {preview(keys["labels"])}')
    best = keys.get("best")
    if _is_numbers([best]):
        used = [j.score for item in items for j in item.judgments if j.dimension == dimension]
        best = _best_end(float(best), list(ends or used), where)  # type: ignore[arg-type]
    try:
        return Scale(best, tuple(ends) if ends else None, keys.get("labels", {}), keys.get("kind"))
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _best_end(best: float, values: list[float], where: str) -> str | None:
    """Return the end of the scale that a number is; a scale on which nothing else was given says nothing."""
    low, high = min(values, default=best), max(values, default=best)
    if low < best < high:
        raise InputError(f"{where}: best is {best:g}, but there are scores from {low:g} to {high:g}; it must be an end")
    if low == high == best:
        return "low" if best <= 1 else "high"
    return "low" if best <= low else "high"


def _is_numbers(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and all(
        isinstance(v, (int, float)) and not isinstance(v, bool) and isfinite(v) for v in values
    )
