"""Content units of texts, marked by people: who holds which (factoids: Daumé III and Marcu 2004, 4.3; Pyramid units).

A text is the bag of the units it holds, and the kernel that scores n-grams scores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from typing import Protocol

import numpy as np

from .._core import bags
from ..data.ratings import Floats
from ..data.scores import Scores
from ..errors import InputError, UnknownName
from ..matching.bags import Counts, Layout, Tokens, count_overlap
from ..matching.pooling import pool_counts
from ..raters._input import ignore_undefined
from ..stats import Kappa, cohen_kappa

_MEASURES = ("precision", "recall", "f")


class Marked(Protocol):
    """An item's units and which of them each text holds; None where nobody looked."""

    @property
    def item(self) -> str: ...
    @property
    def units(self) -> Sequence[str]: ...
    @property
    def present(self) -> Mapping[str, Sequence[bool | None]]: ...


@dataclass(frozen=True, eq=False)
class UnitTable:
    """Items with their units; a column is a text (a system's, a person's) that holds some of them."""

    items: tuple[Marked, ...]

    def __post_init__(self) -> None:
        if not self.items or not any(item.units for item in self.items):
            raise InputError("there are no content units")
        for item in self.items:
            for name, marks in item.present.items():
                if len(marks) != len(item.units):
                    raise InputError(
                        f"item {item.item!r} has {len(item.units)} units but {len(marks)} marks of {name!r}"
                    )
                for mark in marks:
                    if mark is not None and mark not in (0, 1):
                        raise InputError(f"item {item.item!r}: a mark of {name!r} must be 1, 0 or None; got {mark!r}")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names in the order they first appear."""
        return tuple(dict.fromkeys(name for item in self.items for name in item.present))

    def check(self, names: Iterable[str]) -> list[str]:
        """The names, each once; an error if there is no such column."""
        asked = list(dict.fromkeys(names))
        for name in asked:
            if name not in self.columns:
                raise UnknownName("column", name, self.columns, hint=f"(there are {', '.join(self.columns[:12])})")
        return asked

    def held(self, name: str) -> list[tuple[int, ...] | None]:
        """Per item the places of the units this text holds; None where the column is missing or has a gap."""
        found: list[tuple[int, ...] | None] = []
        for item in self.items:
            marks = item.present.get(name)
            whole = marks is not None and None not in marks
            found.append(tuple(k for k, mark in enumerate(marks or ()) if mark) if whole else None)
        return found

    def marks(self, name: str) -> Floats:
        """1 or 0 for every unit of every item, NaN where nobody looked."""
        cells = [
            np.nan if mark is None else float(mark)
            for item in self.items
            for mark in item.present.get(name, (None,) * len(item.units))
        ]
        return np.array(cells, dtype=np.float64)

    def coverage(self) -> Scores:
        """The share of each item's units that a text holds: recall against the sources."""
        values = np.full((len(self.columns), len(self.items)), np.nan)
        for row, name in enumerate(self.columns):
            for column, (item, held) in enumerate(zip(self.items, self.held(name), strict=True)):
                if held is not None and item.units:
                    values[row, column] = len(held) / len(item.units)
        return Scores(values, self.columns, tuple(item.item for item in self.items), "coverage", "units(coverage)")


@dataclass(frozen=True)
class UnitScores:
    """Precision, recall and F against one column, item by item, and of all items' units together (`pooled_...`)."""

    gold: str
    precision: Scores
    recall: Scores
    f: Scores
    pooled_precision: tuple[float, ...]
    pooled_recall: tuple[float, ...]
    pooled_f: tuple[float, ...]

    def sentence(self) -> str:
        """Answer in words."""
        rest = {n: v for n, v in zip(self.f.systems, self.pooled_f, strict=True) if n != self.gold and v == v}
        if not rest:
            return f"There is nothing to compare with {self.gold}."
        best = max(rest, key=rest.__getitem__)
        return f"{best} shares most with {self.gold}: F {rest[best]:.3f} over all units."


@dataclass(frozen=True)
class UnitAgreement:
    """How far two texts hold the same units, beyond chance."""

    first: str
    second: str
    kappa: Kappa


def against(table: UnitTable, gold: str) -> UnitScores:
    """Every column against one: a unit that both hold is a match. 0/0 is 0; items that either lacks are NaN.

    >>> from types import SimpleNamespace as Item
    >>> present = {"ref": [1, 1, 0, 0], "long": [1, 0, 1, 1]}
    >>> found = against(UnitTable((Item(item="1", units=list("abcd"), present=present),)), "ref")
    >>> found.precision.row("long").round(3).tolist(), found.recall.row("long").tolist(), found.f.row("ref").tolist()
    ([0.333], [0.5], [1.0])
    """
    table.check([gold])
    beside = unit_bags(table, [gold], keep_own=True)
    by_item = [beside.scores(measure) for measure in _MEASURES]
    match, mine, theirs = beside.sums()
    precision, recall = (_ratio(match, whole) for whole in (mine, theirs))
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.where(np.isnan(total), np.nan, 0.0), where=total > 0)
    pooled = [tuple(values.tolist()) for values in (precision, recall, f)]
    return UnitScores(gold, by_item[0], by_item[1], by_item[2], pooled[0], pooled[1], pooled[2])


def unit_kappas(table: UnitTable, names: Sequence[str] | None = None) -> tuple[UnitAgreement, ...]:
    """Cohen's kappa of every two columns over all units of all items (the paper's Table 3); NaN where 0/0.

    >>> from types import SimpleNamespace as Item
    >>> present = {"ann": [1, 1, 0, 0], "bob": [1, 0, 0, 0]}
    >>> [pair] = unit_kappas(UnitTable((Item(item="1", units=list("abcd"), present=present),)))
    >>> pair.kappa.value
    0.5
    """
    asked = table.check(table.columns if names is None else names)
    with ignore_undefined():
        return tuple(
            UnitAgreement(a, b, cohen_kappa(table.marks(a), table.marks(b), categories=(0.0, 1.0)))
            for a, b in combinations(asked, 2)
        )


@dataclass(frozen=True)
class UnitBags:
    """The columns' bags beside those of some of them as references, ready for the kernel."""

    table: UnitTable
    layout: Layout
    counts: Counts
    rows: tuple[tuple[int, int], ...]  # (column, item) of each output
    pairs: tuple[int, ...]  # where each output's references begin among the pairs
    own: tuple[int, ...]

    def scores(self, measure: str) -> Scores:
        """One of precision, recall and f, summed over references."""
        values = np.full((len(self.table.columns), len(self.table.items)), np.nan)
        scores = pool_counts(self.counts, self.layout, measure=measure, refs="sum")
        for (row, column), value in zip(self.rows, scores.tolist(), strict=True):
            values[row, column] = value
        items = tuple(item.item for item in self.table.items)
        return Scores(values, self.table.columns, items, f"unit {measure}", f"units({measure})")

    def matches(self) -> list[list[float]]:
        """For each output the units it shares with each reference that is not its own."""
        match = self.counts.match.tolist()
        return [
            [value for k, value in enumerate(match[start:end]) if k != own]
            for start, end, own in zip(self.pairs, self.pairs[1:], self.own, strict=False)
        ]

    def sums(self) -> tuple[Floats, Floats, Floats]:
        """Per column: shared units, units of the text, units of the reference, over all items."""
        sums = np.zeros((3, len(self.table.columns)))
        seen = np.zeros(len(self.table.columns), dtype=bool)
        for k, (row, _) in enumerate(self.rows):
            here = slice(self.pairs[k], self.pairs[k + 1])
            if self.pairs[k + 1] > self.pairs[k]:
                seen[row] = True
                sums[:, row] += (
                    self.counts.match[here].sum(),
                    self.counts.output[k],
                    self.counts.reference[here].sum(),
                )
        sums[:, ~seen] = np.nan
        return sums[0], sums[1], sums[2]


def unit_bags(table: UnitTable, references: Sequence[str], *, keep_own: bool) -> UnitBags:
    """Every column's bag of units as output, those of `references` as references, item by item."""
    held = {name: table.held(name) for name in table.columns}
    rows: list[tuple[int, int]] = []
    own: list[int] = []
    outputs, golds = _Bags(), _Bags()
    firsts = [0, *accumulate(len(item.units) for item in table.items)]  # no unit of one item is a unit of another
    for column, first in enumerate(firsts[:-1]):
        there = [name for name in references if held[name][column] is not None]
        for name in there:
            golds.add(held[name][column], first)
        for row, name in enumerate(table.columns):
            if held[name][column] is not None:
                outputs.add(held[name][column], first)
                rows.append((row, column))
                own.append(there.index(name) if name in there and not keep_own else -1)
        outputs.end_item()
        golds.end_item()
    size = firsts[-1]
    layout = Layout(np.array(outputs.items), np.array(golds.items), np.array(own, dtype=np.int64))
    counts = count_overlap(outputs.tokens(size), golds.tokens(size), layout)
    starts = np.concatenate([[0], np.cumsum([golds.items[c + 1] - golds.items[c] for _, c in rows])])
    return UnitBags(table, layout, counts, tuple(rows), tuple(starts.astype(int).tolist()), tuple(own))


class _Bags:
    def __init__(self) -> None:
        self.ids: list[int] = []
        self.ends = [0]
        self.items = [0]

    def add(self, places: tuple[int, ...] | None, first: int) -> None:
        self.ids += [first + place for place in places or ()]
        self.ends.append(len(self.ids))

    def end_item(self) -> None:
        self.items.append(len(self.ends) - 1)

    def tokens(self, size: int) -> Tokens:
        return bags(np.array(self.ids, dtype=np.int64), np.array(self.ends, dtype=np.int64), size)


def _ratio(part: Floats, whole: Floats) -> Floats:
    found: Floats = np.divide(part, whole, out=np.where(np.isnan(whole), np.nan, 0.0), where=whole > 0)
    return found
