"""Word error rate and simple string accuracy: the plain edit distance, jiwer and rapidfuzz."""

from __future__ import annotations

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import assay

words = st.lists(st.sampled_from("abcdef"), max_size=12)

long_words = st.lists(st.sampled_from("abcdef"), min_size=50, max_size=200)


def levenshtein(a: list[str], b: list[str]) -> int:
    """The textbook's table, row by row."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j - 1] + (x != y), before[j] + 1, row[j - 1] + 1))
    return row[-1]


def ours(output, references, name="wer") -> float:
    data = assay.EvalSet.from_texts([" ".join(output)], [[" ".join(r) for r in references]])
    return assay.score(data, name).values.item()


@settings(deadline=None, max_examples=200)
@given(st.one_of(words, long_words), st.one_of(words, long_words))
def test_distance(output, reference):
    edits = levenshtein(output, reference)
    assert edits == Levenshtein.distance(output, reference)
    want = edits / len(reference) if reference else edits
    assert ours(output, [reference]) == pytest.approx(want, abs=1e-12)
    assert ours(output, [reference], "ssa") == pytest.approx(1 - want, abs=1e-12)
    assert jiwer.wer(" ".join(reference), " ".join(output)) == pytest.approx(want, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(words, st.lists(words.filter(bool), min_size=1, max_size=4))
def test_best_reference(output, references):
    assert ours(output, references) == min(ours(output, [r]) for r in references)
    assert ours(output, references, "ssa") == max(ours(output, [r], "ssa") for r in references)


def test_corpus_and_mean(shared):
    """jiwer 4.0 on a system of WMT17 de-en."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[0]
    outputs = [item.outputs[system] for item in data]
    references = [item.references[0].text for item in data]
    scores = assay.score(data, "wer").select([system])
    assert scores.means().item() == pytest.approx(jiwer.wer(references, outputs), abs=1e-12)
    mean = assay.score(data, "wer(aggregate=mean)").select([system])
    assert mean.means().item() == pytest.approx(scores.values.mean())


def test_of_several_references_an_empty_one_counts_its_edits():
    assert ours(["a", "b", "c"], [["d", "e"], []]) == 1.5  # 3 edits of 2 words; 3 edits against nothing
