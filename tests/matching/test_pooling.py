"""Measures and poolings equal their plain twins."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet, Item, Reference
from assay.matching.batch import Batch
from assay.matching.pooling import MEASURES, POOLINGS, pool_counts
from assay.matching.unit import WordUnit
from assay.text import TextReading
from assay.units.surface import Ngram

sys.path.insert(0, str(Path(__file__).parent))
import twins

words = st.lists(st.sampled_from("abcde"), max_size=12)

reference_lists = st.lists(words, min_size=1, max_size=5)

READ = TextReading("space")

relaxed = settings(max_examples=150)


def batch(output, references) -> Batch:
    return Batch(EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]]))


def finish(counts, data: Batch, measure: str, pooling: str, beta: float = 1.0) -> float:
    return float(pool_counts(counts, data.layout(False), measure=measure, refs=pooling, beta=beta)[0])


@relaxed
@given(words, reference_lists, st.sampled_from(MEASURES), st.sampled_from(POOLINGS), st.sampled_from([0.5, 1.0, 2.0]))
def test_every_measure_and_pooling(output, references, measure, pooling, beta):
    data = batch(output, references)
    got = finish(data.counts(WordUnit(Ngram(2), READ)), data, measure, pooling, beta)
    bags = [twins.ngrams(r, 2) for r in references]
    mine = twins.ngrams(output, 2)
    if pooling in ("sum", "prob", "jackknife") and measure == "precision-brevity":
        return  # a penalty on summed lengths, which the twin states for "sum" only
    assert got == pytest.approx(twins.pooled(mine, bags, measure, pooling, beta), abs=1e-12)


@relaxed
@given(words, reference_lists, st.sampled_from([p for p in POOLINGS if p != "best-recall"]))
def test_a_persons_own_reference_is_left_out(output, references, pooling):
    """Scored among the references, a person gets what they would get against the others alone."""
    texts = [" ".join(r) for r in references]
    refs = [Reference(" ".join(output), "me"), *(Reference(t) for t in texts)]
    for place in (0, len(refs) - 1):
        refs.insert(place, refs.pop(next(i for i, r in enumerate(refs) if r.id == "me")))
        mixed = Batch(EvalSet([Item("1", tuple(refs), {"me": " ".join(output)})]))
        alone = batch(output, references)
        got = finish(mixed.counts(WordUnit(Ngram(1), READ)), mixed, "f", pooling)
        # Leaving oneself out is the one way to leave one out, so jackknife is then the pooling of the rest.
        rest = {"jackknife": "sum", "jackknife-max": "max"}.get(pooling, pooling)
        want = finish(alone.counts(WordUnit(Ngram(1), READ)), alone, "f", rest)
        assert got == pytest.approx(want, abs=1e-12)


def test_no_reference_is_nan_and_empty_texts_are_zero():
    none = batch(["a"], [])
    assert math.isnan(finish(none.counts(WordUnit(Ngram(1), READ)), none, "f", "max"))
    empty = batch([], [["a"]])
    assert finish(empty.counts(WordUnit(Ngram(1), READ)), empty, "precision", "max") == 0.0
    both = batch([], [[]])
    assert finish(both.counts(WordUnit(Ngram(1), READ)), both, "f", "max") == 0.0
