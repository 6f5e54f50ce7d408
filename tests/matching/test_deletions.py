"""Deletions by hand."""

from __future__ import annotations

from collections import Counter

from assay import EvalSet, Item, Reference
from assay.matching.batch import Batch
from assay.matching.deletions import count_deletions, deletions
from assay.text import TextReading

SOURCE = "the big dog and the small dog ran home"


def test_places_and_words():
    source, text = SOURCE.split(), ["the", "small", "dog", "ran", "home"]
    assert deletions(source, text) == Counter({0: 1, 1: 1, 2: 1, 3: 1})
    assert deletions(source, text, "word") == Counter(["the", "big", "dog", "and"])


def test_counts_by_output_and_reference():
    references = (Reference("the dog ran home", "ann"), Reference("the dog ran", "bob"))
    item = Item("1", references, {"A": "the big dog ran home", "ann": "the dog ran home"}, sources=(SOURCE,))
    batch = Batch(EvalSet([item], people=["ann"]))
    counts = count_deletions(batch, TextReading("space"), by="word", keep_own=False)
    assert counts.tolist() == [[[4, 4, 5, 1], [4, 4, 6, 1]], [[0, 0, 0, 0], [5, 5, 6, 1]]]
    assert count_deletions(batch, TextReading("space"), by="word", keep_own=True)[1, 0].tolist() == [5, 5, 5, 1]
