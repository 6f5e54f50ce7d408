"""Pyramid scores (Nenkova and Passonneau 2004): the weight of a unit is the number of references that contain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.minimums import MINIMUMS
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import InputError
from ..matching.content_scores import ROUNDING, PyramidCounts, modified_score, original_score, weigh_units
from ..stats.contrasts import compare_all
from .content_units import UnitTable, score_against, unit_bags

LEVEL = 0.05  # of the test of coverage


@dataclass(frozen=True)
class PyramidScores:
    """Original and modified scores of every column; a reference is scored against the others.

    Original: the weight of a text's units, divided by the largest weight of as many units. Modified (Nenkova et al.
    2007): divided by the largest weight of as many units as an average reference has, so that short texts score less.
    """

    references: tuple[str, ...]
    original: Scores
    modified: Scores


@dataclass(frozen=True)
class TextScores:
    """The scores of one text; None where no gold text, or no references, were named.

    `coverage` is the share of the units in the text, mean over items; `precision`, `recall` and `f` are against the
    gold text over all units, `mean_f` is the mean over items; `original` and `modified` are Pyramid scores.
    """

    kind: ClassVar[str] = "text_scores"
    text: str
    items: int
    coverage: float
    precision: float | None = None
    recall: float | None = None
    f: float | None = None
    mean_f: float | None = None
    original: float | None = None
    modified: float | None = None


@dataclass(frozen=True)
class ContentScores(Result, question="pyramid", kind="content_scores"):
    """The scores of all texts of a table of content units; means over annotators where several marked them.

    `leaders` are the text with the highest coverage, and those that it is not significantly above; empty where there
    are too few items to tell.
    """

    items: int
    units: int
    annotators: int
    gold: str | None
    references: tuple[str, ...]
    texts: tuple[TextScores, ...]
    leaders: tuple[str, ...] = ()


def score_texts(
    table: UnitTable, *, gold: str | None = None, references: Sequence[str] = (), size: str = ROUNDING
) -> ContentScores:
    """Score every text by its content units: coverage, against one gold text, and against a pyramid of references."""
    coverage = table.coverage()
    columns: dict[str, Sequence[float]] = {"coverage": coverage.means().tolist()}
    if gold:
        scores = score_against(table, gold)
        columns |= {"precision": scores.pooled_precision, "recall": scores.pooled_recall, "f": scores.pooled_f}
        columns |= {"mean_f": scores.f.means().tolist()}
    if references:
        pyramid = score_pyramid(table, references, size=size)
        columns |= {"original": pyramid.original.means().tolist(), "modified": pyramid.modified.means().tolist()}
    rows = (
        TextScores(
            name, _count_items(table, name), **{column: float(values[row]) for column, values in columns.items()}
        )
        for row, name in enumerate(table.columns)
    )
    units = {item.item: len(item.units) for item in table.items}
    people = max(1, len(table.annotators))
    references = tuple(dict.fromkeys(references))
    leaders = _find_leaders(coverage, [item.item for item in table.items])
    return ContentScores(len(units), sum(units.values()), people, gold, references, tuple(rows), leaders)


def _find_leaders(coverage: Scores, items: Sequence[str]) -> tuple[str, ...]:
    """Return the text with the highest coverage and those that do not differ from it, tested by item."""
    known = np.flatnonzero(~np.isnan(coverage.values).all(axis=1))
    if len(known) < 2 or len(set(items)) < MINIMUMS["comparison"].counts["clusters"]:
        return ()
    result = compare_all(coverage.values[known], np.array(items))
    best = int(np.nanargmax(result.means))
    near = [k for k in range(len(known)) if k == best or not result.adjusted[best, k] <= LEVEL]
    return tuple(coverage.systems[known[k]] for k in sorted(near, key=lambda k: -result.means[k]))


def _count_items(table: UnitTable, name: str) -> int:
    """Count the items with units that were looked for in this text."""
    return len({i.item for i, units in zip(table.items, table.units_in(name), strict=True) if units is not None})


def score_pyramid(table: UnitTable, references: Sequence[str], *, size: str = ROUNDING) -> PyramidScores:
    """Score all columns against the pyramid of the references named.

    `size` says how the average number of units becomes a whole one: round (half up, as DUCView), truncate or ceil.
    A text without units scores 0; no other reference, or none that contains a unit: NaN.

    >>> from assay.formats import ItemUnits
    >>> present = {"A": [1, 1, 1, 0], "B": [1, 1, 0, 0], "C": [1, 0, 0, 1], "sys": [0, 1, 1, 0]}
    >>> scores = score_pyramid(UnitTable((ItemUnits("1", tuple("wxyz"), present),)), ["A", "B", "C"])
    >>> scores.original.row("sys").tolist(), scores.modified.row("sys").tolist()  # (2 + 1) / (3 + 2)
    ([0.6], [0.6])
    """
    names = table.check(references)
    if not names:
        raise InputError("a pyramid needs at least one reference: name the columns")
    original, modified = pyramid_values(table, [names] * len(table.items), size)
    return PyramidScores(
        tuple(names),
        _to_scores(table, names, "original", original),
        _to_scores(table, names, f"modified, size={size}", modified),
    )


def pyramid_values(table: UnitTable, references: Sequence[Sequence[str]], size: str) -> tuple[Floats, Floats]:
    """Return original and modified scores, column x item, against the references named for each item."""
    bags = unit_bags(table, references, keep_own=False)
    units = {name: table.units_in(name) for name in table.columns}
    shape = (len(table.columns), len(table.items))
    original, modified = np.full(shape, np.nan), np.full(shape, np.nan)
    for (row, column), shared in zip(bags.rows, bags.matches(), strict=True):
        others = [units[name][column] for name in references[column] if name != table.columns[row]]
        models = [places for places in others if places is not None]
        if not models:
            continue
        counts = PyramidCounts(
            weight=sum(shared),  # a unit counts once for each reference that contains it: its weight
            units=len(units[table.columns[row]][column] or ()),
            weights=weigh_units(models),
            average=sum(map(len, models)) / len(models),
        )
        original[row, column] = original_score(counts)
        modified[row, column] = modified_score(counts, size)
    return original, modified


def _to_scores(table: UnitTable, references: Sequence[str], name: str, values: Floats) -> Scores:
    signature = f"pyramid({name}, references={'+'.join(references)})"
    title = f"{name.partition(',')[0]} pyramid"
    return Scores(values, table.columns, table.names, title, signature, people=tuple(references))
