"""Features of words that the aligner compares."""

from __future__ import annotations

from assay.text.align.word_features import CONTENT, FUNCTION, MARK, describe_words, stem_of, word_class


def test_classes_of_words():
    assert [word_class(w) for w in ("police", "of", "n't", "$", "...", "3")] == [
        CONTENT,
        FUNCTION,
        FUNCTION,
        CONTENT,
        MARK,
        CONTENT,
    ]


def test_irregular_forms_have_the_stem_of_their_base():
    assert stem_of("bought") == stem_of("buying") == "buy"


def test_the_core_gets_one_word_for_each_form():
    assert len(describe_words(["The", "United", "Nations", ","])) == 4
    assert len(describe_words([])) == 0
