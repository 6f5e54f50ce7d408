"""Greedy matching of word pieces by their vectors in context (in the manner of Zhang et al. 2020)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..text.vectors.encoder import EncodedPieces, Encoder
from .batch import Batch

Floats = NDArray[np.float64]
Weigh = Callable[[Sequence[str]], Floats]

_TEXTS = 512  # encoded at a time: enough to put those of like length together, few enough to hold (0.1 GB)


class PiecePairs(NamedTuple):
    """Precision and recall of every output against every reference of its item, in item order."""

    output: NDArray[np.int64]
    place: NDArray[np.int64]  # of the reference in its item
    precision: Floats
    recall: Floats


def greedy_pairs(batch: Batch, encoder: Encoder, weigh: Weigh) -> PiecePairs:
    """Match every piece with the piece of the other text that its vector is nearest to, and average the cosines.

    A text without pieces has precision and recall 0 against any other.
    """
    first_output = np.searchsorted(batch.item, np.arange(batch.items + 1))
    first_reference = np.searchsorted(batch.reference_item, np.arange(batch.items + 1))
    parts: list[tuple[Floats, Floats]] = []
    for start, stop in _blocks(np.diff(first_output) + np.diff(first_reference)):
        outputs = batch.outputs.strings[first_output[start] : first_output[stop]]
        references = batch.references.strings[first_reference[start] : first_reference[stop]]
        distinct = list(dict.fromkeys([*outputs, *references]))
        encoded = dict(zip(distinct, encoder.tokens(distinct), strict=True))
        weights = {text: weigh(tokens.pieces) for text, tokens in encoded.items()}
        for item in range(start, stop):
            of_outputs = batch.outputs.strings[first_output[item] : first_output[item + 1]]
            of_references = batch.references.strings[first_reference[item] : first_reference[item + 1]]
            if of_outputs and of_references:
                parts.append(_compare_item(of_outputs, of_references, encoded, weights))
    many = np.diff(first_reference)[batch.item]
    output = np.repeat(np.arange(len(batch)), many)
    place = np.arange(len(output)) - np.repeat(np.cumsum(many) - many, many)
    precision, recall = (np.concatenate([p[k] for p in parts]) if parts else np.zeros(0) for k in (0, 1))
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


def _compare_item(
    outputs: Sequence[str],
    references: Sequence[str],
    encoded: Mapping[str, EncodedPieces],
    weights: Mapping[str, Floats],
) -> tuple[Floats, Floats]:
    """Return precision and recall, output by output and reference by reference."""
    precision, recall = np.zeros((2, len(outputs), len(references)))
    nonempty = [j for j, text in enumerate(references) if encoded[text].pieces]
    if nonempty:
        against = np.concatenate([encoded[references[j]].vectors for j in nonempty])
        ends = np.cumsum([0, *(len(encoded[references[j]].pieces) for j in nonempty)])
        columns = np.concatenate([weights[references[j]] for j in nonempty])
        for i, text in enumerate(outputs):
            if encoded[text].pieces:
                cosines = np.minimum(encoded[text].vectors @ against.T, 1.0)
                best = np.maximum.reduceat(cosines, ends[:-1], axis=1).astype(np.float64)
                precision[i, nonempty] = weights[text] @ best
                recall[i, nonempty] = np.add.reduceat(cosines.max(axis=0).astype(np.float64) * columns, ends[:-1])
    return precision.ravel(), recall.ravel()
