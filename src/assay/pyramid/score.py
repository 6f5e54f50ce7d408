"""Pyramid scores (Nenkova and Passonneau 2004): a unit weighs as many references as hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data.scores import Scores
from ..errors import InputError
from .content_units import UnitTable, unit_bags


@dataclass(frozen=True)
class Pyramid:
    """Original and modified scores of every column; a reference is scored against the others.

    Original: the weight of the units a text holds, over the most that as many units can weigh. Modified (Nenkova et
    al. 2007): over the most that an average reference's number of units can weigh, so that saying little costs.
    """

    references: tuple[str, ...]
    original: Scores
    modified: Scores


def pyramid(table: UnitTable, references: Sequence[str]) -> Pyramid:
    """Scores all columns against the pyramid of the references named.

    The average number of units is rounded, .5 up. A text without units scores 0; no other reference, or none that
    holds a unit: NaN.

    >>> from types import SimpleNamespace as Item
    >>> present = {"A": [1, 1, 1, 0], "B": [1, 1, 0, 0], "C": [1, 0, 0, 1], "sys": [0, 1, 1, 0]}
    >>> found = pyramid(UnitTable((Item(item="1", units=list("wxyz"), present=present),)), ["A", "B", "C"])
    >>> found.original.row("sys").tolist(), found.modified.row("sys").tolist()  # (2 + 1) / (3 + 2)
    ([0.6], [0.6])
    """
    names = table.check(references)
    if not names:
        raise InputError("a pyramid needs at least one reference: name the columns")
    beside = unit_bags(table, names, keep_own=False)
    held = {name: table.held(name) for name in table.columns}
    shape = (len(table.columns), len(table.items))
    original, modified = np.full(shape, np.nan), np.full(shape, np.nan)
    for (row, column), shared in zip(beside.rows, beside.matches(), strict=True):
        others = [held[name][column] for name in names if name != table.columns[row]]
        models = [places for places in others if places is not None]
        weights = sorted(_weights(models), reverse=True)
        if not weights:
            continue
        weight = sum(shared)  # a unit counts once for each reference that holds it: its weight
        size = len(held[table.columns[row]][column] or ())
        average = int(sum(map(len, models)) / len(models) + 0.5)
        original[row, column] = weight / sum(weights[:size]) if size else 0.0
        modified[row, column] = weight / sum(weights[: max(average, 1)])
    items = tuple(item.item for item in table.items)
    made = [
        Scores(values, table.columns, items, f"{name} pyramid", f"pyramid({name}, references={'+'.join(names)})",
               people=tuple(names))
        for name, values in (("original", original), ("modified", modified))
    ]  # fmt: skip
    return Pyramid(tuple(names), made[0], made[1])


def _weights(models: Sequence[tuple[int, ...]]) -> list[int]:
    counts: dict[int, int] = {}
    for places in models:
        for place in places:
            counts[place] = counts.get(place, 0) + 1
    return list(counts.values())
