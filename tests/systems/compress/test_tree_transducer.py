"""The tree transducer, and the decision tree, as they are used: limits, odd texts, the language model."""

from __future__ import annotations

import pytest

from assay.systems.compress import compress

TEXTS = [
    "Doctors have praised the courage of the boy who was rescued beside the river in North Haven, reporters said.",
    "As you said, the president has just left for a busy three days of speeches in Nevada, California and New Mexico.",
]


@pytest.mark.parametrize("system", ["transducer", "decision-tree"])
def test_budgets(system):
    for made in compress(TEXTS, system, words=7):
        assert 5 <= made.words <= 7
        assert not made.notes
    for made in compress(TEXTS, system, chars=40):
        assert 20 <= len(made.text) <= 40
    for made in compress(TEXTS, system, ratio=1.0):
        assert made.word_rate > 0.8
    for made in compress(TEXTS, system, words=1):
        assert made.words == 1


@pytest.mark.parametrize("system", ["transducer", "decision-tree"])
def test_odd_texts(system):
    texts = ["", "   ", "Hello", "...", "( )", "no verb here", "!!! ???", "a\nb\nc", "the cat saw the dog and " * 80]
    for text, made in zip(texts, compress(texts, system), strict=True):
        assert made.source == text
        assert bool(made.text.strip()) == bool(text.strip())
        assert made.kept_tokens == tuple(sorted(set(made.kept_tokens)))
    assert compress(["Hello"], system)[0].text == "Hello"


def test_the_language_model_has_a_say():
    plain = compress(TEXTS, "transducer(lm=0)", words=8)
    strong = compress(TEXTS, "transducer(lm=5)", words=8)
    assert [c.text for c in plain] != [c.text for c in strong]
