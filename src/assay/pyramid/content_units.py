"""Content units of texts, marked by people (factoids: Daumé III and Marcu 2004, 4.3; Pyramid units).

A text is the bag of the units it contains, and the kernel that scores n-grams scores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from ..data.content_units import Pyramid
from ..data.ratings import Floats
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError, UnknownName, ignore_undefined
from ..matching.bags import Counts, Layout, count_overlap
from ..matching.content_bags import BagBuilder
from ..matching.pooling import pool_counts
from ..stats import cohen_kappa

_MEASURES = ("precision", "recall", "f")


class UnitMarks(Protocol):
    """An item's units and which of them each text contains; None where no one looked.

    Where several annotators marked an item, it comes once for each; `annotator` is None where there is one for all.
    """

    @property
    def item(self) -> str: ...
    @property
    def annotator(self) -> str | None: ...
    @property
    def units(self) -> Sequence[str]: ...
    @property
    def present(self) -> Mapping[str, Sequence[bool | None]]: ...


@dataclass(frozen=True, eq=False)
class UnitTable:
    """Items with their units; a column is a text (of a system or a person) that contains some of them.

    An item that several annotators marked counts once for each of them, so scores are means over annotators.
    """

    items: tuple[UnitMarks, ...]

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

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        """Names in the order they first appear; none if the items do not say who marked them."""
        return tuple(dict.fromkeys(item.annotator for item in self.items if item.annotator is not None))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The items' names, with the annotator where there is one."""
        return tuple(f"{i.item} ({i.annotator})" if i.annotator is not None else i.item for i in self.items)

    def check(self, names: Iterable[str]) -> list[str]:
        """Return the names, each once; an error if there is no such column."""
        unique = list(dict.fromkeys(names))
        for name in unique:
            if name not in self.columns:
                raise UnknownName("column", name, self.columns, hint=f"(there are {', '.join(self.columns[:12])})")
        return unique

    def units_in(self, name: str) -> list[tuple[int, ...] | None]:
        """Return per item the places of the units in this text; None where the column is missing or has a gap."""
        units: list[tuple[int, ...] | None] = []
        for item in self.items:
            marks = item.present.get(name)
            complete = marks is not None and None not in marks
            units.append(tuple(k for k, mark in enumerate(marks or ()) if mark) if complete else None)
        return units

    def marks(self, name: str) -> Floats:
        """Return 1 or 0 for every unit of every item, NaN where no one looked."""
        cells = [
            np.nan if mark is None else float(mark)
            for item in self.items
            for mark in item.present.get(name, (None,) * len(item.units))
        ]
        return np.array(cells, dtype=np.float64)

    def coverage(self) -> Scores:
        """Return the share of each item's units that a text contains: recall against the sources."""
        values = np.full((len(self.columns), len(self.items)), np.nan)
        for row, name in enumerate(self.columns):
            for column, (item, units) in enumerate(zip(self.items, self.units_in(name), strict=True)):
                if units is not None and item.units:
                    values[row, column] = len(units) / len(item.units)
        return Scores(values, self.columns, self.names, "coverage", "units(coverage)")


class PyramidMarks(NamedTuple):
    """The units of a pyramid as marks: what models state, and what one annotator found in peers."""

    item: str
    annotator: str | None
    units: tuple[str, ...]
    present: dict[str, tuple[bool, ...]]


def tabulate_units(pyramids: Iterable[Pyramid]) -> UnitTable:
    """Return the marks of annotated topics without their places, an item for each topic and annotator."""
    items = []
    for pyramid in pyramids:
        ids = tuple(unit.id for unit in pyramid.units)
        models = {name: pyramid.units_of(name) for name in pyramid.models}
        for annotator in dict.fromkeys(peer.annotator for peer in pyramid.peers) or (None,):
            peers = {p.peer: p.unit_ids for p in pyramid.peers if p.annotator == annotator and p.peer not in models}
            present = {name: tuple(unit in own for unit in ids) for name, own in (models | peers).items()}
            items.append(PyramidMarks(pyramid.item, annotator, ids, present))
    return UnitTable(tuple(items))


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


@dataclass(frozen=True)
class UnitKappa:
    """How far two texts contain the same units, beyond chance: Cohen's kappa."""

    kind: ClassVar[str] = "unit_kappa"
    first: str
    second: str
    kappa: float
    observed: float
    expected: float
    n: int


@dataclass(frozen=True)
class UnitKappas(Result, question="pyramid", kind="unit_kappas"):
    """Kappa of every two of some texts."""

    texts: tuple[str, ...]
    pairs: tuple[UnitKappa, ...]


def score_against(table: UnitTable, gold: str) -> UnitScores:
    """Score every column against one: a unit in both is a match. 0/0 is 0; items that either lacks are NaN.

    >>> from assay.formats import ItemUnits
    >>> present = {"ref": [1, 1, 0, 0], "long": [1, 0, 1, 1]}
    >>> scores = score_against(UnitTable((ItemUnits("1", tuple("abcd"), present),)), "ref")
    >>> scores.precision.row("long").round(3).tolist(), scores.recall.row("long").tolist(), scores.f.row("ref").tolist()
    ([0.333], [0.5], [1.0])
    """
    table.check([gold])
    bags = unit_bags(table, [[gold]] * len(table.items), keep_own=True)
    by_item = [bags.scores(measure) for measure in _MEASURES]
    match, output, reference = bags.sums()
    precision, recall = (_ratio(match, total) for total in (output, reference))
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.where(np.isnan(total), np.nan, 0.0), where=total > 0)
    pooled = [tuple(values.tolist()) for values in (precision, recall, f)]
    return UnitScores(gold, by_item[0], by_item[1], by_item[2], pooled[0], pooled[1], pooled[2])


def unit_kappas(table: UnitTable, names: Sequence[str] | None = None) -> UnitKappas:
    """Compute Cohen's kappa of every two columns over all units of all items (the paper's Table 3); NaN where 0/0.

    >>> from assay.formats import ItemUnits
    >>> present = {"ann": [1, 1, 0, 0], "bob": [1, 0, 0, 0]}
    >>> [pair] = unit_kappas(UnitTable((ItemUnits("1", tuple("abcd"), present),))).pairs
    >>> pair.kappa
    0.5
    """
    texts = table.check(table.columns if names is None else names)
    with ignore_undefined():
        return UnitKappas(tuple(texts), tuple(_kappa(table, a, b) for a, b in combinations(texts, 2)))


def _kappa(table: UnitTable, a: str, b: str) -> UnitKappa:
    kappa = cohen_kappa(table.marks(a), table.marks(b), categories=(0.0, 1.0))
    return UnitKappa(a, b, kappa.value, kappa.observed, kappa.expected, kappa.n)


@dataclass(frozen=True)
class UnitBags:
    """The columns' bags next to those of some of them as references, ready for the kernel."""

    table: UnitTable
    layout: Layout
    counts: Counts
    rows: tuple[tuple[int, int], ...]  # (column, item) of each output
    pairs: tuple[int, ...]  # where each output's references begin among the pairs
    own: tuple[int, ...]

    def scores(self, measure: str) -> Scores:
        """Return precision, recall or f, summed over references."""
        values = np.full((len(self.table.columns), len(self.table.items)), np.nan)
        scores = pool_counts(self.counts, self.layout, measure=measure, refs="sum")
        for (row, column), value in zip(self.rows, scores.tolist(), strict=True):
            values[row, column] = value
        return Scores(values, self.table.columns, self.table.names, f"unit {measure}", f"units({measure})")

    def matches(self) -> list[list[float]]:
        """Return for each output the units it shares with each reference that is not its own."""
        match = self.counts.match.tolist()
        return [
            [value for k, value in enumerate(match[start:end]) if k != own]
            for start, end, own in zip(self.pairs, self.pairs[1:], self.own, strict=False)
        ]

    def sums(self) -> tuple[Floats, Floats, Floats]:
        """Return per column: shared units, units of the text, units of the reference, over all items."""
        sums = np.zeros((3, len(self.table.columns)))
        compared = np.zeros(len(self.table.columns), dtype=bool)
        for k, (row, _) in enumerate(self.rows):
            here = slice(self.pairs[k], self.pairs[k + 1])
            if self.pairs[k + 1] > self.pairs[k]:
                compared[row] = True
                sums[:, row] += (
                    self.counts.match[here].sum(),
                    self.counts.output[k],
                    self.counts.reference[here].sum(),
                )
        sums[:, ~compared] = np.nan
        return sums[0], sums[1], sums[2]


def unit_bags(table: UnitTable, references: Sequence[Sequence[str]], *, keep_own: bool) -> UnitBags:
    """Make every column's bag of units as output, and those of each item's `references` as references."""
    units = {name: table.units_in(name) for name in table.columns}
    rows: list[tuple[int, int]] = []
    own: list[int] = []
    outputs, golds = BagBuilder(), BagBuilder()
    firsts = [0, *accumulate(len(item.units) for item in table.items)]  # no unit of one item is a unit of another
    for column, (first, names) in enumerate(zip(firsts[:-1], references, strict=True)):
        present = [name for name in names if units[name][column] is not None]
        for name in present:
            golds.add(units[name][column] or (), first)
        for row, name in enumerate(table.columns):
            if units[name][column] is not None:
                outputs.add(units[name][column] or (), first)
                rows.append((row, column))
                own.append(present.index(name) if name in present and not keep_own else -1)
        outputs.end_item()
        golds.end_item()
    size = firsts[-1]
    layout = Layout(np.array(outputs.items), np.array(golds.items), np.array(own, dtype=np.int64))
    counts = count_overlap(outputs.tokens(size), golds.tokens(size), layout)
    starts = np.concatenate([[0], np.cumsum([golds.items[c + 1] - golds.items[c] for _, c in rows])])
    return UnitBags(table, layout, counts, tuple(rows), tuple(starts.astype(int).tolist()), tuple(own))


def _ratio(part: Floats, whole: Floats) -> Floats:
    ratio: Floats = np.divide(part, whole, out=np.where(np.isnan(whole), np.nan, 0.0), where=whole > 0)
    return ratio
