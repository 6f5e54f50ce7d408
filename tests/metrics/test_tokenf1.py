"""Token F1: by hand, against its plain twin, and figures known of a public corpus."""

from __future__ import annotations

from collections import Counter

import pytest

import assay
from assay import EvalSet
from assay.errors import UnknownName
from assay.metrics import metric
from assay.text.stems import stop_words
from assay.text.tokens.tokenizers import tokenize

SOURCE = "the big dog and the small dog ran home ."

TEXTS = ["the dog ran home .", "the small dog ran", "", "dog dog dog", SOURCE, "a cat slept", "the the big ran ."]


def one(output: str, reference: str | list[str], name: str, source: str = SOURCE) -> float:
    return assay.score(EvalSet.from_texts([output], [reference], [source]), name).values.item()


def plain_f1(output: list[str], reference: list[str], clip: bool = True) -> float:
    a, b = Counter(output), Counter(reference)
    if clip:
        matched = sum((a & b).values())
        return 2 * matched / (len(output) + len(reference)) if matched else 0.0
    precision = sum(w in b for w in output) / max(1, len(output))
    recall = sum(w in a for w in reference) / max(1, len(reference))
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("output", TEXTS)
@pytest.mark.parametrize("reference", TEXTS)
def test_token_f1_against_its_twin(output, reference, clip):
    words = [text.split() for text in (output, reference)]
    found = one(output, reference, f"tokenf1(tokenizer=space, clip={clip})")
    assert found == pytest.approx(plain_f1(*words, clip=clip))
    bare = [[w for w in text if w != "."] for text in words]
    found = one(output, reference, f"tokenf1(tokenizer=space, punctuation=false, clip={clip})")
    assert found == pytest.approx(plain_f1(*bare, clip=clip))


def test_token_f1_of_several_references():
    refs = ["the dog ran home .", "the cat"]
    assert one("the dog", refs, "tokenf1") == pytest.approx((4 / 7 + 2 / 4) / 2)
    assert one("the dog", refs, "tokenf1(refs=max)") == pytest.approx(4 / 7)
    assert one("the dog", refs, "tokenf1(clip=false, refs=max)") == pytest.approx(4 / 7)
    assert one("the dog", refs, "tokenf1(measure=precision, refs=max)") == 1.0
    assert one("THE dog", refs, "tokenf1(lower=true, refs=max)") == pytest.approx(4 / 7)
    with pytest.raises(UnknownName, match="unknown refs of tokenf1 with clip=false 'prob'"):
        metric("tokenf1(clip=false, refs=prob)")


def test_known_figures_of_the_google_set(shared):
    """Counted elsewhere on the 1,000 sentences that come before these 9,000: .588, first 11 tokens .586.

    Without stop words: .489 there, by another list.
    """
    data = list(shared("google-compression-9k.jsonl.gz"))
    sources = [item.sources[0] for item in data]
    words, stop = [tokenize(source, "13a") for source in sources], stop_words()
    outputs = {
        "identity": sources,
        "lead": [" ".join(source[:11]) for source in words],
        "content": [" ".join(word for word in source if word.lower() not in stop) for source in words],
    }
    made = EvalSet.from_texts(outputs, [[r.text for r in item.references] for item in data], sources)
    found = assay.score(made, "tokenf1").means()
    assert found[:2] == pytest.approx([0.588, 0.586], abs=0.01)
    assert found == pytest.approx([0.5876, 0.5947, 0.5210], abs=0.0005)
