"""Counts of units of words equal their plain twins, on texts made to collide."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import EvalSet, Item, Reference
from assay.matching.batch import Batch
from assay.matching.unit import WordUnit
from assay.text import TextReading
from assay.units.surface import Ngram, SkipBigram, Subsequence

sys.path.insert(0, str(Path(__file__).parent))
import twins

words = st.lists(st.sampled_from("abcde"), max_size=12)

long_words = st.lists(st.sampled_from("abc"), max_size=150)

reference_lists = st.lists(words, min_size=1, max_size=9)

READ = TextReading("space")

relaxed = settings(max_examples=150)


def batch(output, references) -> Batch:
    return Batch(EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]]))


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
@given(long_words, st.lists(long_words, min_size=1, max_size=3))
def test_lcs_of_any_length(output, references):
    counts = batch(output, references).counts(WordUnit(Subsequence(), READ))
    assert counts.match.tolist() == [twins.lcs(r, output) for r in references]


UNITS = {
    "LR-1": (Ngram(1), lambda words: twins.ngrams(words, 1)),
    "LR-3": (Ngram(3), lambda words: twins.ngrams(words, 3)),
    "skip3": (SkipBigram(3, False), lambda words: twins.skip_bigrams(words, 3, False)),
    "su2": (SkipBigram(2, True), lambda words: twins.skip_bigrams(words, 2, True)),
}


def random_items(seed: int) -> list[Item]:
    """Return items of few and of many words (beyond a square table of pairs), some of their outputs own references."""
    rng = random.Random(seed)
    items = []
    for number in range(30):
        vocabulary = [f"w{i}" for i in range(rng.choice([2, 6, 40, 400]))]
        texts = [rng.choices(vocabulary, k=rng.choice([0, 1, 7, 30, 300])) for _ in range(rng.randrange(7) + 3)]
        references = tuple(Reference(" ".join(t), f"p{i}") for i, t in enumerate(texts[3:]))
        outputs = {"A": " ".join(texts[0]), "B": " ".join(texts[1])}
        items.append(Item(str(number), references, {**outputs, "p0": references[0].text if references else ""}))
    return items


@pytest.mark.parametrize("seed", range(3))
def test_items_share_tables_and_nothing_else(seed):
    """Tables are kept from item to item and from batch to batch: what one leaves behind must not count in the next."""
    data = Batch(EvalSet(random_items(seed), people=["p0"]))
    outputs, references = data.outputs.words(READ), data.references.words(READ)
    for shape, bag in UNITS.values():
        counts = data.counts(WordUnit(shape, READ))
        pairs = iter(zip(counts.match.tolist(), counts.reference.tolist(), strict=True))
        places = data.references_of(keep_own=True)
        for o, (met, every) in enumerate(zip(data.references_of(), places, strict=True)):
            mine, bags = bag(outputs[o]), {k: bag(references[k]) for k in every}
            for k in every:
                assert next(pairs) == (twins.overlap(mine, bags[k]), bags[k].total())
            together = twins.union([bags[k] for k in met])
            assert (counts.union_match[o], counts.union_total[o]) == (twins.overlap(mine, together), together.total())


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
