"""BLEU equals sacreBLEU 2.6."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU  # type: ignore[attr-defined]

import assay

SMOOTH = ("exp", "floor", "add-k", "none")
text = st.text(st.sampled_from("ab cd ef the cat . , 3"), max_size=40)
corpora = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.tuples(text, st.lists(text, min_size=k, max_size=k)), min_size=1, max_size=5)
)


def peer(effective: bool, **options) -> BLEU:
    return BLEU(effective_order=effective, force=True, **options)


@settings(deadline=None, max_examples=150)
@given(corpora, st.sampled_from(SMOOTH), st.integers(1, 5))
def test_sentence_and_corpus(corpus, smooth, n):
    outputs, references = [o for o, _ in corpus], [r for _, r in corpus]
    scores = assay.score(assay.EvalSet.from_texts(outputs, references), f"bleu{n}(smooth={smooth})")
    options = {"smooth_method": smooth, "max_ngram_order": n}
    sentence, whole = peer(True, **options), peer(False, **options)
    for got, output, refs in zip(scores.values[0], outputs, references, strict=True):
        assert got == pytest.approx(sentence.sentence_score(output, refs).score, abs=1e-9)
    want = whole.corpus_score(outputs, [list(column) for column in zip(*references, strict=True)]).score
    assert scores.means().item() == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("smooth", SMOOTH)
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "char"])
def test_wmt17(shared, smooth, tokenizer):
    """One system of WMT17 de-en, every sentence and the corpus, to 1e-9."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[0]
    scores = assay.score(data, f"bleu(smooth={smooth}, tokenizer={tokenizer})").select([system])
    outputs = [item.outputs[system] for item in data]
    references = [item.references[0].text for item in data]
    options = {"smooth_method": smooth, "tokenize": tokenizer}
    assert scores.means().item() == pytest.approx(
        peer(False, **options).corpus_score(outputs, [references]).score, abs=1e-9
    )
    sentence = peer(True, **options)
    for got, output, reference in list(zip(scores.values[0], outputs, references, strict=True))[::7]:
        assert got == pytest.approx(sentence.sentence_score(output, [reference]).score, abs=1e-9)


def test_many_references(shared):
    """SummEval, eleven references, one system."""
    data = shared("summeval.jsonl.gz")
    system = data.systems[0]
    outputs = [item.outputs[system] for item in data]
    references = [[item.references[k].text for item in data] for k in range(11)]
    scores = assay.score(data, "bleu").select([system])
    assert scores.means().item() == pytest.approx(peer(False).corpus_score(outputs, references).score, abs=1e-9)


def test_lower_case_and_single_reference():
    data = assay.EvalSet.from_texts(["THE CAT sat on mats"], [["the cat sat on mats", "THE CAT sat on mats"]])
    assert assay.score(data, "bleu(lower=true, refs=single)").values.item() == pytest.approx(100.0)
    assert assay.score(data, "bleu(refs=single)").values.item() < 100.0
    assert assay.score(data, "bleu").values.item() == pytest.approx(100.0)


def test_mean_of_sentences():
    data = assay.EvalSet.from_texts(["a b c d", "x"], ["a b c d", "a b c d"])
    scores = assay.score(data, "bleu(aggregate=mean)")
    assert scores.means().item() == pytest.approx(scores.values.mean())
    assert scores.corpus is None


def test_lin_and_och():
    """By hand: p1 = 3/4, then (1+1)/(3+1), (0+1)/(2+1), (0+1)/(1+1); no penalty."""
    data = assay.EvalSet.from_texts(["a b x c"], ["a b y c"])
    want = 100 * (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25
    assert assay.score(data, "bleus").values.item() == pytest.approx(want)
    assert assay.metric("BLEUS") == assay.metric("bleu(smooth=add-k, k=1, aggregate=mean)")
