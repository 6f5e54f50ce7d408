"""Sentinels: simple measures of a text that cannot see quality, so no metric should lose to them (Perrella 2024)."""

from __future__ import annotations

from collections import Counter

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
    measures = {"[length]": _length, "[variety]": _variety}
    if any(item.sources for item in data):
        measures["[copying]"] = _copying
    row = {system: i for i, system in enumerate(data.systems)}
    values = {name: np.full((len(data.systems), len(data)), np.nan) for name in measures}
    for column, item in enumerate(data):
        rows, texts = [row[system] for system in item.outputs], [text.lower().split() for text in item.outputs.values()]
        for name, measure in measures.items():
            values[name][rows, column] = [measure(item, words) for words in texts]
    return {
        name: Scores(own, data.systems, data.items, name=name, clusters=data.clusters, runs=data.runs)
        for name, own in values.items()
    }


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
