"""chrF and chrF++ equal sacreBLEU 2.6, which is the kernel's plain twin: Counters of n-grams."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF  # type: ignore[attr-defined]

import assay
from assay.errors import InputError

text = st.text(st.sampled_from("aaab bcC .,-()é漢\t\u00a0'"), max_size=40)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
corpora = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.tuples(text, st.lists(text, min_size=k, max_size=k)), min_size=1, max_size=4)
)


def ours(outputs, references, name) -> assay.Scores:
    return assay.score(assay.EvalSet.from_texts(outputs, references), name)


@settings(deadline=None, max_examples=300)
@given(corpora, st.integers(1, 7), st.integers(0, 3), st.sampled_from([1, 2, 3]), st.booleans(), st.booleans())
def test_sentence_and_corpus(corpus, chars, words, beta, whitespace, eps):
    outputs, references = [o for o, _ in corpus], [r for _, r in corpus]
    peer = CHRF(char_order=chars, word_order=words, beta=beta, whitespace=whitespace, eps_smoothing=eps)
    name = f"chrf(chars={chars}, words={words}, beta={beta}, whitespace={whitespace}, eps={eps})"
    scores = ours(outputs, references, name)
    for got, output, refs in zip(scores.values[0], outputs, references, strict=True):
        assert got == pytest.approx(peer.sentence_score(output, refs).score, abs=1e-9)
    want = peer.corpus_score(outputs, [list(column) for column in zip(*references, strict=True)]).score
    assert scores.means().item() == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=200)
@given(any_text, any_text, st.booleans())
def test_any_script(output, reference, lower):
    want = CHRF(word_order=2, lowercase=lower).sentence_score(output, [reference]).score
    assert ours([output], [reference], f"chrf++(lower={lower})").values.item() == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("n", [70, 40_000])
def test_alphabets_too_large_to_pack_and_long_texts(n):
    output = "".join(chr(0x4E00 + i * 7 % 5000) for i in range(n))
    reference = "".join(chr(0x4E00 + i * 11 % 5000) for i in range(n))
    want = CHRF().sentence_score(output, [reference]).score
    assert ours([output], [reference], "chrf").values.item() == pytest.approx(want, abs=1e-9)


def test_long_words_and_many():
    """Words of more than 15 bytes that differ in the last one, and more of them than a small table holds."""
    stems = ["é" * 8, "a" * 14, "b" * 15, "c" * 16, "d" * 40]
    words = [stem + chr(97 + i) for stem in stems for i in range(26)] + [f"w{i}" for i in range(300)]
    output, reference = " ".join(words[::2] + words[1::3]), " ".join(words[::3] + words[::5])
    want = CHRF(word_order=2).sentence_score(output, [reference]).score
    assert ours([output], [reference], "chrf++").values.item() == pytest.approx(want, abs=1e-9)


def test_one_letter_many_times():
    want = CHRF().sentence_score("a" * 70_000, ["a" * 60_000]).score
    assert ours(["a" * 70_000], ["a" * 60_000], "chrf").values.item() == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("words", [0, 2])
@pytest.mark.parametrize("number", [0, 4, 8])
def test_wmt17(shared, number, words):
    """Three systems of WMT17 de-en, every fifth sentence and the corpus, to 1e-9."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[number]
    scores = assay.score(data, f"chrf(words={words})").select([system])
    outputs = [item.outputs[system] for item in data]
    references = [item.references[0].text for item in data]
    peer = CHRF(word_order=words)
    assert scores.means().item() == pytest.approx(peer.corpus_score(outputs, [references]).score, abs=1e-9)
    for got, output, reference in list(zip(scores.values[0], outputs, references, strict=True))[::5]:
        assert got == pytest.approx(peer.sentence_score(output, [reference]).score, abs=1e-9)


def test_many_references(shared):
    """SummEval, eleven references."""
    data = shared("summeval.jsonl.gz")
    system = data.systems[0]
    scores = assay.score(data, "chrf").select([system])
    for got, item in list(zip(scores.values[0], data, strict=True))[:10]:
        want = CHRF().sentence_score(item.outputs[system], [r.text for r in item.references]).score
        assert got == pytest.approx(want, abs=1e-9)


def test_names_and_errors():
    assert assay.metric("chrF++") == assay.metric("chrf(words=2)")
    with pytest.raises(InputError, match="chars between 1 and 100"):
        assay.metric("chrf(chars=0)")
    with pytest.raises(InputError, match="beta of chrf must be above 0"):
        assay.metric("chrf(beta=0)")


@pytest.mark.parametrize("metric", ["chrf", "chrf++"])
def test_half_a_character_is_refused(metric):
    for outputs, references in ((["a \ud800"], ["a"]), (["a"], ["a \ud800"])):
        with pytest.raises(InputError, match=r"half a character \(a lone surrogate\) at position 2"):
            assay.score(outputs, references, metric)
