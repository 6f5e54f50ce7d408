"""Greedy matching of word pieces by their vectors in context (in the manner of Zhang et al. 2020)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..text.cache import Cache
from ..text.vectors.encoder import Encoder
from ..text.vectors.recent import EncodedPieces
from .batch import Batch

Floats = NDArray[np.float64]
Cosines = NDArray[np.float32]
Pair = tuple[str, str]  # output and reference
Weigh = Callable[[Sequence[str]], Floats]

_TEXTS = 512  # encoded at a time: enough to put those of like length together, few enough to hold (0.1 GB)


class PiecePairs(NamedTuple):
    """Precision and recall of every output against every reference of its item, in item order."""

    output: NDArray[np.int64]
    place: NDArray[np.int64]  # of the reference in its item
    precision: Floats
    recall: Floats


class ItemTexts(NamedTuple):
    """The outputs and references of an item."""

    outputs: Sequence[str]
    references: Sequence[str]


class BestCosines(NamedTuple):
    """How near each piece of an output is to the nearest of a reference, and the other way round."""

    output: Cosines
    reference: Cosines


def greedy_pairs(batch: Batch, encoder: Encoder, weigh: Weigh, *, cache: Cache | None = None) -> PiecePairs:
    """Match every piece with the piece of the other text that its vector is nearest to, and average the cosines.

    A text without pieces has precision and recall 0 against any other. The cache holds the cosines, not the vectors:
    they take a two-hundredth of the space, and weights by idf need no more.
    """
    first_output = np.searchsorted(batch.item, np.arange(batch.items + 1))
    first_reference = np.searchsorted(batch.reference_item, np.arange(batch.items + 1))
    values: list[tuple[float, float]] = []
    for start, stop in _blocks(np.diff(first_output) + np.diff(first_reference)):
        items = [
            ItemTexts(
                batch.outputs.strings[first_output[item] : first_output[item + 1]],
                batch.references.strings[first_reference[item] : first_reference[item + 1]],
            )
            for item in range(start, stop)
        ]
        values += _average_block(items, encoder, weigh, cache, batch.threads)
    many = np.diff(first_reference)[batch.item]
    output = np.repeat(np.arange(len(batch)), many)
    place = np.arange(len(output)) - np.repeat(np.cumsum(many) - many, many)
    precision, recall = np.array(values, np.float64).reshape(-1, 2).T
    return PiecePairs(output, place, precision, recall)


def _blocks(texts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield runs of items of about `_TEXTS` texts together."""
    start = size = 0
    for item, n in enumerate(texts):
        if size and size + n > _TEXTS:
            yield start, item
            start, size = item, 0
        size += int(n)
    if size:
        yield start, len(texts)


def _average_block(
    items: Sequence[ItemTexts], encoder: Encoder, weigh: Weigh, cache: Cache | None, threads: int | None
) -> list[tuple[float, float]]:
    """Return precision and recall of every pair."""
    pairs = [(output, reference) for item in items for output in item.outputs for reference in item.references]
    weights = {text: weigh(encoder.pieces(text)) for text in dict.fromkeys(text for pair in pairs for text in pair)}
    best = _read_cosines(pairs, weights, encoder, cache) if cache else {}
    new = _compare_items([_without_known(item, best) for item in items], encoder, threads)
    if cache and new:
        values = ((_key(pair), np.concatenate(cosines).astype("<f4").tobytes()) for pair, cosines in new.items())
        cache.put(encoder.model, _kind(encoder), values)
    best |= new
    return [
        (float(weights[pair[0]] @ best[pair].output), float(weights[pair[1]] @ best[pair].reference)) for pair in pairs
    ]


def _without_known(item: ItemTexts, best: Mapping[Pair, BestCosines]) -> ItemTexts:
    """Return the item without outputs that were compared with all references, each text once."""
    return ItemTexts(
        list(dict.fromkeys(o for o in item.outputs if any((o, r) not in best for r in item.references))),
        list(dict.fromkeys(item.references)),
    )


def _compare_items(items: Sequence[ItemTexts], encoder: Encoder, threads: int | None) -> dict[Pair, BestCosines]:
    """Return the cosines of every output with every reference of its item."""
    items = [item for item in items if item.outputs and item.references]
    distinct = list(dict.fromkeys(text for item in items for text in (*item.outputs, *item.references)))
    encoded = dict(zip(distinct, encoder.tokens(distinct, threads=threads), strict=True))
    best: dict[Pair, BestCosines] = {}
    for item in items:
        best |= _compare_item(item, encoded)
    return best


def _compare_item(item: ItemTexts, encoded: Mapping[str, EncodedPieces]) -> dict[Pair, BestCosines]:
    outputs, references = ([encoded[text].vectors for text in texts] for texts in item)
    (rows, row_ends), (columns, column_ends) = _stack(outputs), _stack(references)
    if not len(rows) or not len(columns):  # no pieces, and so no width
        of_rows, of_columns = (
            np.zeros((len(rows), len(references)), np.float32),
            np.zeros((len(outputs), len(columns)), np.float32),
        )
    else:
        of_rows, of_columns = _core.best_cosines(rows, row_ends, columns, column_ends)
    return {
        (output, reference): BestCosines(
            of_rows[row_ends[i] : row_ends[i + 1], j], of_columns[i, column_ends[j] : column_ends[j + 1]]
        )
        for i, output in enumerate(item.outputs)
        for j, reference in enumerate(item.references)
    }


def _stack(matrices: Sequence[Cosines]) -> tuple[Cosines, NDArray[np.int64]]:
    """Return the matrices one below the other, and where each begins and ends."""
    full = [matrix for matrix in matrices if len(matrix)]
    rows = np.concatenate(full) if full else np.zeros((0, 0), np.float32)
    return rows, np.cumsum([0, *map(len, matrices)])


def _read_cosines(
    pairs: Sequence[Pair], weights: Mapping[str, Floats], encoder: Encoder, cache: Cache
) -> dict[Pair, BestCosines]:
    """Return what the cache holds of these pairs; an entry of another length than the pair's pieces is none."""
    keys = {_key(pair): pair for pair in pairs}
    best: dict[Pair, BestCosines] = {}
    for key, value in cache.get(encoder.model, _kind(encoder), list(keys)).items():
        output, reference = keys[key]
        pieces = len(weights[output]), len(weights[reference])
        if len(value) == 4 * sum(pieces):
            cosines = np.frombuffer(value, "<f4")
            best[output, reference] = BestCosines(cosines[: pieces[0]], cosines[pieces[0] :])
    return best


def _kind(encoder: Encoder) -> str:
    return f"{encoder.version}-cosines"


def _key(pair: Pair) -> str:
    """Return both texts as one that no other two make."""
    return f"{len(pair[0])} {pair[0]}{pair[1]}"
