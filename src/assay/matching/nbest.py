"""The best-matching pair among the n best parses of output and reference (Owczarzak et al. 2007b, 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..text import Texts
from ..text.parse.sentence import Parse
from .bags import Counts, Layout, count_overlap
from .batch import Batch
from .triple_bags import Ints, Side, TripleUnit, bag_pair, read_columns

Floats = NDArray[np.float64]
Measure = Callable[[Counts, Layout], Floats]  # the best score of each output of a layout over its references


def best_pairs(batch: Batch, unit: TripleUnit, n: int, measure: Measure, *, keep_own: bool) -> Floats:
    """Score output x reference by the best of the n x n pairs of parses; NaN where there is no such reference."""
    outputs, output_of = _flat(_parses(batch.outputs, unit.parser, n))
    all_references = _parses(batch.references, unit.parser, n)
    place = _places(batch.reference_item)
    left = Side(read_columns(batch.outputs, outputs, unit), batch.item[output_of])
    best = np.full((len(batch), int(place.max(initial=-1)) + 1), np.nan)
    for k in range(best.shape[1]):
        at = np.flatnonzero(place == k)
        references, reference_of = _flat([all_references[r] for r in at])
        items = batch.reference_item[at][reference_of]
        right = Side(read_columns(batch.references, references, unit), items)
        bags = bag_pair(batch, left, right, unit)
        layout = Layout(_ends(left.item, batch.items), _ends(items, batch.items), np.full(len(outputs), -1))
        counts = count_overlap(bags.outputs, bags.references, layout, weights=bags.weights)
        scores = measure(counts, layout)
        np.fmax.at(best[:, k], output_of, scores)
        if not keep_own:
            best[batch.own == k, k] = np.nan
    return best


def _parses(texts: Texts, parser: str, n: int) -> list[list[Parse]]:
    def make() -> list[list[Parse]]:
        from ..text.cache import default_cache
        from ..text.parse.parser import nbest

        return nbest(texts.strings, parser, n, cache=default_cache())

    return texts.remember(("n best", parser, n), make)


def _flat(parses: Sequence[Sequence[Parse]]) -> tuple[list[Parse], Ints]:
    """Return all parses in a row, and for each the text it is of."""
    text = np.repeat(np.arange(len(parses)), [len(some) for some in parses])
    return [parse for some in parses for parse in some], text


def _places(items: Ints) -> Ints:
    """Return for each reference its place among those of its item."""
    return np.arange(len(items)) - np.searchsorted(items, items)


def _ends(items: Ints, n: int) -> Ints:
    return np.searchsorted(items, np.arange(n + 1)).astype(np.int64)
