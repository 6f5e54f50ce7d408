"""Sentinels: simple measures of a text that cannot see quality, so no metric should lose to them (Perrella 2024)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from ..data.evalset import EvalSet, Item
from ..data.scores import Scores


def sentinel_scores(data: EvalSet) -> dict[str, Scores]:
    """Score a set by [length] (words), [variety] (distinct words / words) and [copying] (share of source words).

    [copying] only where some item has sources. Without words variety and copying are 0.

    >>> data = EvalSet.from_texts(["a b a"], ["a"], ["a c"])
    >>> {name: float(scores.values[0, 0].round(3)) for name, scores in sentinel_scores(data).items()}
    {'[length]': 3.0, '[variety]': 0.667, '[copying]': 0.667}
    """
    scores = {"[length]": _score(data, "[length]", _length), "[variety]": _score(data, "[variety]", _variety)}
    if any(item.sources for item in data):
        scores["[copying]"] = _score(data, "[copying]", _copying)
    return scores


def _score(data: EvalSet, name: str, measure: Callable[[Item, list[str]], float]) -> Scores:
    row = {system: i for i, system in enumerate(data.systems)}
    values = np.full((len(data.systems), len(data)), np.nan)
    for column, item in enumerate(data):
        for system, text in item.outputs.items():
            values[row[system], column] = measure(item, text.lower().split())
    return Scores(values, data.systems, data.items, name=name)


def _length(item: Item, words: list[str]) -> float:
    return float(len(words))


def _variety(item: Item, words: list[str]) -> float:
    return len(set(words)) / len(words) if words else 0.0


def _copying(item: Item, words: list[str]) -> float:
    from ..matching.multisets import unclipped_matches  # loads the core, which no other question about metrics needs

    source_words = {word for source in item.sources for word in source.lower().split()}
    if not words:
        return 0.0
    return unclipped_matches(Counter(words), source_words) / len(words) if source_words else float("nan")
