"""The compiled kernels equal their plain twins, on texts made to collide."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet, Item, Reference, _core
from assay.matching.bags import count_overlap
from assay.matching.batch import Batch
from assay.matching.pooling import MEASURES, POOLINGS, pool_counts
from assay.matching.unit import WordUnit
from assay.text import Reading
from assay.units import Ngram, SkipBigram, Subsequence

sys.path.insert(0, str(Path(__file__).parent))
import twins

words = st.lists(st.sampled_from("abcde"), max_size=12)
long_words = st.lists(st.sampled_from("abc"), max_size=150)
reference_lists = st.lists(words, min_size=1, max_size=5)
READ = Reading("space")
relaxed = settings(max_examples=150)


def batch(output, references) -> Batch:
    return Batch(EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]]))


def finish(counts, data: Batch, measure: str, pooling: str, beta: float = 1.0) -> float:
    return float(pool_counts(counts, data.layout(False), measure=measure, refs=pooling, beta=beta)[0])


@relaxed
@given(words, reference_lists, st.integers(1, 5))
def test_ngram_counts(output, references, n):
    data = batch(output, references)
    counts = data.counts(WordUnit(Ngram(n), READ))
    bags = [twins.ngrams(r, n) for r in references]
    mine = twins.ngrams(output, n)
    assert counts.match.tolist() == [twins.overlap(mine, b) for b in bags]
    assert counts.reference.tolist() == [b.total() for b in bags]
    assert counts.output[0] == mine.total()
    assert counts.union_match[0] == twins.overlap(mine, twins.union(bags))
    assert counts.union_total[0] == twins.union(bags).total()


@relaxed
@given(words, reference_lists, st.integers(-1, 6), st.booleans())
def test_skip_bigram_counts(output, references, gap, unigrams):
    data = batch(output, references)
    counts = data.counts(WordUnit(SkipBigram(gap, unigrams), READ))
    bags = [twins.skip_bigrams(r, gap, unigrams) for r in references]
    mine = twins.skip_bigrams(output, gap, unigrams)
    assert counts.match.tolist() == [twins.overlap(mine, b) for b in bags]
    assert counts.reference.tolist() == [b.total() for b in bags]
    assert counts.output[0] == mine.total()
    assert counts.union_match[0] == twins.overlap(mine, twins.union(bags))


@relaxed
@given(words, reference_lists, st.sampled_from(MEASURES), st.sampled_from(POOLINGS), st.sampled_from([0.5, 1.0, 2.0]))
def test_every_measure_and_pooling(output, references, measure, pooling, beta):
    data = batch(output, references)
    got = finish(data.counts(WordUnit(Ngram(2), READ)), data, measure, pooling, beta)
    bags = [twins.ngrams(r, 2) for r in references]
    mine = twins.ngrams(output, 2)
    if pooling in ("sum", "prob") and measure == "precision-brevity":
        return  # a penalty on summed lengths, which the twin states for "sum" only
    assert got == pytest.approx(twins.pooled(mine, bags, measure, pooling, beta), abs=1e-12)


@relaxed
@given(long_words, st.lists(long_words, min_size=1, max_size=3))
def test_lcs_of_any_length(output, references):
    counts = batch(output, references).counts(WordUnit(Subsequence(), READ))
    assert counts.match.tolist() == [twins.lcs(r, output) for r in references]


sentences = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=9), min_size=0, max_size=4)


def as_text(sents) -> str:
    return "\n".join(" ".join(s) for s in sents)


@relaxed
@given(sentences, sentences, st.sampled_from([1.0, 1.2, 2.0]))
def test_union_lcs(output, reference, weight):
    data = Batch(EvalSet.from_texts([as_text(output)], [[as_text(reference)]]))
    counts = data.counts(WordUnit(Subsequence(union=True, weight=weight), READ))
    assert counts.match[0] == pytest.approx(twins.union_lcs(reference, output, weight), abs=1e-9)
    base = sum(len(s) ** weight for s in reference)
    assert counts.reference[0] == pytest.approx(base**weight if weight != 1 else base)


@relaxed
@given(
    st.lists(st.sampled_from("ab"), min_size=60, max_size=140),
    st.lists(st.sampled_from("abc"), min_size=60, max_size=140),
)
def test_union_lcs_across_words_of_64_bits(output, reference):
    data = Batch(EvalSet.from_texts([" ".join(output)], [" ".join(reference)]))
    counts = data.counts(WordUnit(Subsequence(union=True), READ))
    assert counts.match[0] == twins.union_lcs([reference], [output], 1.0)


@relaxed
@given(words, reference_lists, st.sampled_from(["max", "all", "prob", "sum", "mean", "single", "best", "jackknife"]))
def test_a_persons_own_reference_is_left_out(output, references, pooling):
    """Scored among the references, a person gets what they would get against the others alone."""
    texts = [" ".join(r) for r in references]
    refs = [Reference(" ".join(output), "me"), *(Reference(t) for t in texts)]
    for place in (0, len(refs) - 1):
        refs.insert(place, refs.pop(next(i for i, r in enumerate(refs) if r.id == "me")))
        mixed = Batch(EvalSet([Item("1", tuple(refs), {"me": " ".join(output)})]))
        alone = batch(output, references)
        got = finish(mixed.counts(WordUnit(Ngram(1), READ)), mixed, "f", pooling)
        # Leaving oneself out is the one way to leave one out, so jackknife is then the best of the rest.
        want = finish(alone.counts(WordUnit(Ngram(1), READ)), alone, "f", "max" if pooling == "jackknife" else pooling)
        assert got == pytest.approx(want, abs=1e-12)


def test_no_reference_is_nan_and_empty_texts_are_zero():
    none = batch(["a"], [])
    assert math.isnan(finish(none.counts(WordUnit(Ngram(1), READ)), none, "f", "max"))
    empty = batch([], [["a"]])
    assert finish(empty.counts(WordUnit(Ngram(1), READ)), empty, "precision", "max") == 0.0
    both = batch([], [[]])
    assert finish(both.counts(WordUnit(Ngram(1), READ)), both, "f", "max") == 0.0


@relaxed
@given(
    st.lists(st.integers(0, 5), max_size=10), st.lists(st.lists(st.integers(0, 5), max_size=10), min_size=1, max_size=3)
)
def test_bags_made_elsewhere_and_weights(output, references):
    weights = [0.5, 1.0, 2.0, 0.0, 3.0, 1.5]
    data = batch(["x"], [["y"]] * len(references))

    def tokens(bags):
        ids = np.array([i for b in bags for i in b], dtype=np.int64)
        return _core.bags(ids, np.cumsum([0, *map(len, bags)], dtype=np.int64), 6)

    counts = count_overlap(tokens([output]), tokens(references), data.layout(False), weights=weights)
    for match, total, reference in zip(counts.match, counts.reference, references, strict=True):
        common = twins.Counter(output) & twins.Counter(reference)
        assert match == pytest.approx(sum(weights[u] * n for u, n in common.items()))
        assert total == pytest.approx(sum(weights[u] for u in reference))
    assert counts.output[0] == pytest.approx(sum(weights[u] for u in output))


def test_the_core_refuses_what_does_not_fit():
    data = batch(["a"], [["b"]])
    one = _core.bags(np.array([0]), np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="texts and layout do not fit"):
        _core.union_lcs(one, _core.bags(np.array([], dtype=np.int64), np.array([0]), 1), data.layout(False), 1.0)
    with pytest.raises(ValueError, match="id out of range"):
        _core.bags(np.array([5]), np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="offsets must not decrease"):
        _core.bags(np.array([0]), np.array([0, 1, 0]), 1)
    with pytest.raises(ValueError, match="own reference out of range"):
        _core.Layout(np.array([0, 1]), np.array([0, 1]), np.array([3]))
