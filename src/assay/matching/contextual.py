"""Greedy matching of word pieces by their vectors in context (in the manner of Zhang et al. 2020)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..text.vectors.encoder import Encoder, Tokens
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
    """Every piece takes the piece of the other text that its vector is nearest to; weighted means of the cosines.

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
            mine = batch.outputs.strings[first_output[item] : first_output[item + 1]]
            theirs = batch.references.strings[first_reference[item] : first_reference[item + 1]]
            if mine and theirs:
                parts.append(_item(mine, theirs, encoded, weights))
    many = np.diff(first_reference)[batch.item]
    output = np.repeat(np.arange(len(batch)), many)
    place = np.arange(len(output)) - np.repeat(np.cumsum(many) - many, many)
    precision, recall = (np.concatenate([p[k] for p in parts]) if parts else np.zeros(0) for k in (0, 1))
    return PiecePairs(output, place, precision, recall)


def _blocks(texts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Runs of items of about `_TEXTS` texts together."""
    start = held = 0
    for item, n in enumerate(texts):
        if held and held + n > _TEXTS:
            yield start, item
            start, held = item, 0
        held += int(n)
    if held:
        yield start, len(texts)


def _item(
    outputs: Sequence[str], references: Sequence[str], encoded: Mapping[str, Tokens], weights: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Precision and recall, output by output and reference by reference."""
    precision, recall = np.zeros((2, len(outputs), len(references)))
    there = [j for j, text in enumerate(references) if encoded[text].pieces]
    if there:
        against = np.concatenate([encoded[references[j]].vectors for j in there])
        ends = np.cumsum([0, *(len(encoded[references[j]].pieces) for j in there)])
        columns = np.concatenate([weights[references[j]] for j in there])
        for i, text in enumerate(outputs):
            if encoded[text].pieces:
                cosines = np.minimum(encoded[text].vectors @ against.T, 1.0)
                best = np.maximum.reduceat(cosines, ends[:-1], axis=1).astype(np.float64)
                precision[i, there] = weights[text] @ best
                recall[i, there] = np.add.reduceat(cosines.max(axis=0).astype(np.float64) * columns, ends[:-1])
    return precision.ravel(), recall.ravel()
