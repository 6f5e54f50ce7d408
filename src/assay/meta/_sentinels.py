"""Blind metrics made from an evaluation set: they look at the output alone, or at the source, and must not win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..matching.multisets import unclipped_matches

if TYPE_CHECKING:
    from ..data.evalset import EvalSet, Item
    from ..data.scores import Scores


def sentinels(data: EvalSet) -> dict[str, Scores]:
    """length: words of the output; variety: distinct words / words; copying: words that the source has (if any)."""
    found = {"[length]": _made(data, "[length]", _length), "[variety]": _made(data, "[variety]", _variety)}
    if any(item.sources for item in data):
        found["[copying]"] = _made(data, "[copying]", _copying)
    return found


def _made(data: EvalSet, name: str, blind: Callable[[Item, list[str]], float]) -> Scores:
    import numpy as np

    from ..data.scores import Scores

    row = {system: i for i, system in enumerate(data.systems)}
    values = np.full((len(data.systems), len(data)), np.nan)
    for column, item in enumerate(data):
        for system, text in item.outputs.items():
            values[row[system], column] = blind(item, text.lower().split())
    return Scores(values, data.systems, data.items, name=name)


def _length(item: Item, words: list[str]) -> float:
    return float(len(words))


def _variety(item: Item, words: list[str]) -> float:
    return len(set(words)) / len(words) if words else 0.0


def _copying(item: Item, words: list[str]) -> float:
    of_source = {word for source in item.sources for word in source.lower().split()}
    if not words:
        return 0.0
    return unclipped_matches(Counter(words), of_source) / len(words) if of_source else float("nan")
