"""Sentences by rule: where one ends, and where it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.sentences import sentence_spans, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Mr. Smith paid $3.50. He left.", ["Mr. Smith paid $3.50.", "He left."]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ('He said "Yes." Then he left.', ['He said "Yes."', "Then he left."]),
        ("a headline\nIt is.", ["a headline", "It is."]),
        ("今日は晴れ。明日は雨。", ["今日は晴れ。", "明日は雨。"]),
        ("it ended. and went on", ["it ended. and went on"]),
        ("  \n ", []),
    ],
)
def test_where_sentences_end(text, sentences):
    assert split_sentences(text) == sentences


@given(st.text(st.sampled_from("abZ.!? \n\"'。"), max_size=60))
def test_spans_are_the_sentences_and_nothing_is_lost(text):
    sentences = split_sentences(text)
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences
    assert "".join("".join(sentences).split()) == "".join(text.split())
