"""Readings: what a tokenizer's words are after stemming, stop words and limits."""

from __future__ import annotations

import pytest

from assay.errors import UnknownName
from assay.text import Lexicon, Reading, Texts


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (Reading(), ["the", "cats", "sat", "down"]),
        (Reading(stem=True), ["the", "cat", "sat", "down"]),
        (Reading("13a"), ["The", "cats", "sat", "-", "down", "."]),
        (Reading("13a", punctuation=False, lower=True), ["the", "cats", "sat", "down"]),
        (Reading(stop=True), ["cats"]),
        (Reading("space", words=2), ["The", "cats"]),
    ],
)
def test_words_of_a_reading(reading, words):
    assert Texts(["The cats sat - down."], Lexicon()).words(reading) == [words]


def test_true_takes_the_stemmer_of_the_tokenizer():
    assert [Reading(t, stem=True).stem for t in ("rouge", "rouge155", "unicode")] == ["porter", "porter155", "english"]
    assert Reading("rouge", stem=True) == Reading("rouge", stem="porter")


@pytest.mark.parametrize("options", [{"tokenizer": "13b"}, {"stem": "klingon"}, {"sentences": "none"}])
def test_unknown_names(options):
    with pytest.raises(UnknownName):
        Reading(**options)
