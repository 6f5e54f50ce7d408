"""Greedy matching of pieces by their vectors, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.contextual import greedy_pairs
from assay.text.vectors.encoder import EncodedPieces

VECTORS = {"a": (1.0, 0.0), "b": (0.6, 0.8), "c": (0.0, 1.0)}


class Letters:
    """An encoder that gives each letter its vector."""

    def tokens(self, strings):
        rows = [np.array([VECTORS[w] for w in s.split()], np.float32).reshape(-1, 2) for s in strings]
        return [EncodedPieces(tuple(s.split()), row) for s, row in zip(strings, rows, strict=True)]


def test_every_pair_of_output_and_reference():
    data = EvalSet.from_texts({"A": ["a c"], "B": [""]}, [["a b", "c"]])
    pairs = greedy_pairs(Batch(data), Letters(), lambda pieces: np.full(len(pieces), 1 / max(1, len(pieces))))
    assert pairs.output.tolist() == [0, 0, 1, 1]
    assert pairs.place.tolist() == [0, 1, 0, 1]
    assert pairs.precision.tolist() == pytest.approx([0.9, 0.5, 0, 0])  # a = a, c ~ b; a ~ c, c = c
    assert pairs.recall.tolist() == pytest.approx([0.9, 1.0, 0, 0])
