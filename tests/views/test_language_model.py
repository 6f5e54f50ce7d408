"""What is printed of a language model and of perplexity."""

from __future__ import annotations

from assay.text.lm.trigrams import ModelSummary, Perplexity


def test_perplexity():
    assert str(Perplexity(152.06, 157.1, 20000, 546551, 11440, "news.npz")) == (
        "Perplexity 152.1 under news.npz: 20,000 sentences, 546,551 words, 11,440 of them unknown (2.1%).\n"
        "Without unknown words: 157.1."
    )


def test_a_model():
    text = str(ModelSummary("news.npz", (14, 20), 2_000_000, 4, 25, {}))
    assert text == "news.npz (2.0 MB): 14 1-grams, 20 2-grams, trained on 4 sentences with 25 words."
