"""TER equals sacreBLEU 2.6, which is its plain twin: scores, options, many references, texts wider than the beam.

sacreBLEU 2.6 tokenizes references twice (`_cache_references`, then `_extract_reference_info`) and outputs once: with
normalized=True a text may differ from itself. The twin tokenizes both once, as tercom does.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER as SacrebleuTER  # type: ignore[attr-defined]

import assay
from assay.errors import FallbackWarning, InputError

words = st.lists(st.sampled_from("abcdefgh"), max_size=14).map(" ".join)
long_words = st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), min_size=20, max_size=130).map(" ".join)
lines = st.text(st.sampled_from("aB's .,-3(\"?\n& t;é"), max_size=30)


class TER(SacrebleuTER):
    """sacreBLEU's TER with references that are tokenized once."""

    def _extract_reference_info(self, refs):
        return {"ref_words": [ref.split() for ref in refs]}


def ours(outputs, references, name="ter") -> assay.Scores:
    return assay.score(assay.EvalSet.from_texts(outputs, references), name)


@settings(deadline=None, max_examples=300)
@given(words, st.lists(words, min_size=1, max_size=3))
def test_short(output, references):
    want = TER().sentence_score(output, references).score
    assert ours([output], [references]).values.item() == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=15)
@given(long_words, st.one_of(long_words, words))
def test_wider_than_the_beam(a, b):
    for output, reference in ((a, b), (b, a)):
        want = TER().sentence_score(output, [reference]).score
        assert ours([output], [reference]).values.item() == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=15)
@given(long_words, st.data())
def test_blocks_that_moved(text, data):
    parts = text.split()
    for _ in range(3):
        i, j, k = sorted(data.draw(st.lists(st.integers(0, len(parts)), min_size=3, max_size=3)))
        parts = parts[:i] + parts[j:k] + parts[i:j] + parts[k:]
    want = TER().sentence_score(" ".join(parts), [text]).score
    assert ours([" ".join(parts)], [text]).values.item() == pytest.approx(want, abs=1e-9)


def test_rows_wider_than_a_machine_word():
    reference = " ".join(str(i % 37) for i in range(400))
    for output in ("5", "7 6 5", "x 36 y 3 4 5 z"):
        want = TER().sentence_score(output, [reference]).score
        assert ours([output], [reference]).values.item() == pytest.approx(want, abs=1e-9)


@settings(deadline=None, max_examples=150)
@given(lines, lines, st.booleans(), st.booleans(), st.booleans())
@example("'s", "3's.", True, True, True)
def test_options(output, reference, case, normalize, punctuation):
    peer = TER(case_sensitive=case, normalized=normalize, no_punct=not punctuation)
    got = ours([output], [reference], f"ter(case={case}, normalize={normalize}, punctuation={punctuation})")
    assert got.values.item() == pytest.approx(peer.sentence_score(output, [reference]).score, abs=1e-9)


def test_sacrebleu_tokenizes_references_twice():
    """Where ours and the released sacreBLEU differ: a text that is its own reference."""
    assert SacrebleuTER(normalized=True).sentence_score("3's.", ["3's."]).score == pytest.approx(200 / 3)
    assert TER(normalized=True).sentence_score("3's.", ["3's."]).score == 0
    assert ours(["3's."], ["3's."], "ter(normalize=true)").values.item() == 0


asian = st.text('世界、。「ーアあいう・！（）ａ豈㍉㈱⼀ ab.,!"3-', max_size=20)


@settings(deadline=None, max_examples=150)
@given(asian, asian, st.booleans(), st.booleans())
def test_asian_support(output, reference, normalize, punctuation):
    peer = TER(normalized=normalize, no_punct=not punctuation, asian_support=True)
    got = ours([output], [reference], f"ter(normalize={normalize}, punctuation={punctuation}, asian=true)")
    assert got.values.item() == pytest.approx(peer.sentence_score(output, [reference]).score, abs=1e-9)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(words, st.lists(words, min_size=2, max_size=2)), min_size=1, max_size=4))
def test_corpus(corpus):
    outputs, references = [o for o, _ in corpus], [r for _, r in corpus]
    want = TER().corpus_score(outputs, [list(column) for column in zip(*references, strict=True)]).score
    assert ours(outputs, references).means().item() == pytest.approx(want, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 4, 8])
def test_wmt17(shared, number):
    """Three systems of WMT17 de-en, every sentence and the corpus, to 1e-9."""
    data = shared("wmt17-de-en.jsonl.gz")
    system = data.systems[number]
    scores = assay.score(data, "ter").select([system])
    outputs = [item.outputs[system] for item in data]
    references = [item.references[0].text for item in data]
    peer = TER()
    for got, output, reference in zip(scores.values[0], outputs, references, strict=True):
        assert got == pytest.approx(peer.sentence_score(output, [reference]).score, abs=1e-9)
    assert scores.means().item() == pytest.approx(peer.corpus_score(outputs, [references]).score, abs=1e-9)


def test_very_long_lines_fall_back():
    output, reference = "b " + "a " * 9_998 + "c", "c " + "a " * 9_998 + "b"
    start = time.process_time()
    with pytest.warns(FallbackWarning, match=r"more than 5000 words were compared without shifts \(1 outputs\)"):
        score = ours([output], [reference]).values.item()
    assert score == pytest.approx(100 * 2 / 10_000)
    assert time.process_time() - start < 10


def test_cap_is_checked():
    with pytest.raises(InputError, match="cap of ter must be 1 word or more; got 0"):
        assay.metric("ter(cap=0)")
