"""Batches: which outputs meet which references, and that counts are made once."""

from __future__ import annotations

import numpy as np

from assay import EvalSet, Item, Reference
from assay.matching.batch import Batch
from assay.matching.unit import CountRequest, WordUnit
from assay.text import TextReading
from assay.units.surface import Ngram

ITEMS = [
    Item("1", (Reference("a b", "ann"), Reference("a c")), {"A": "a", "ann": "a b"}, sources=("a b c",)),
    Item("2", (Reference("d"),), {"A": "d e", "ann": "d"}),
]
DATA = EvalSet(ITEMS, people=["ann"])
UNIT = WordUnit(Ngram(1), TextReading("space"))


def test_outputs_and_the_references_they_meet():
    batch = Batch(DATA)
    assert (len(batch), batch.items) == (4, 2)
    assert batch.keys == [("1", "A"), ("1", "ann"), ("2", "A"), ("2", "ann")]
    assert batch.own.tolist() == [-1, 0, -1, 0]  # by id, and by text
    assert batch.references_of() == [[0, 1], [1], [2], []]
    assert batch.references_of(keep_own=True) == [[0, 1], [0, 1], [2], [2]]
    assert batch.sources == [("a b c",), ("a b c",), (), ()]


def test_a_part_is_a_batch_of_its_own():
    part = Batch(DATA, start=1, stop=2)
    assert part.keys == [("2", "A"), ("2", "ann")]
    assert part.counts(UNIT).match.tolist() == Batch(DATA).counts(UNIT).match.tolist()[4:]


def test_counts_are_made_once_and_alike_in_one_pass():
    batch, units = Batch(DATA), [WordUnit(Ngram(n), TextReading("space")) for n in (1, 2)]
    batch.prefetch(CountRequest(unit) for unit in units)
    counts = [batch.counts(unit) for unit in units]
    assert [batch.counts(unit) is c for unit, c in zip(units, counts, strict=True)] == [True, True]
    for unit, c in zip(units, counts, strict=True):
        np.testing.assert_array_equal(c.match, Batch(DATA).counts(unit).match)
