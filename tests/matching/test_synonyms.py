"""Synonyms as one word."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from assay import EvalSet
from assay.matching.batch import Batch
from assay.matching.triple_bags import TripleUnit

sys.path += [str(Path(__file__).parent), str(Path(__file__).parent.parent / "units")]
import parses


def test_synonyms_of_the_references_are_one_word():
    batch = Batch(EvalSet.from_texts({"A": ["o"], "B": ["p"]}, ["r"]))
    batch.outputs.remember(("parses", "en"), lambda: [parses.CAR, parses.JOHN])
    batch.references.remember(("parses", "en"), lambda: [parses.AUTOMOBILE])
    assert batch.counts(TripleUnit(wn=True)).match.tolist() == [5.0, 0.0]
    assert batch.counts(TripleUnit()).match.tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(batch.counts(TripleUnit(wn=True)).output, batch.counts(TripleUnit()).output)
