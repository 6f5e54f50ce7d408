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
        ('"He left." "', ['"He left." "']),
        ("The vote is today . ''  It is close .", ["The vote is today . ''", "It is close ."]),
        ("2. Call the bank. 3. Pay.", ["2. Call the bank.", "3. Pay."]),
        ("It goes on . .. and on.", ["It goes on . .. and on."]),
        ("It was hot... so we swam.", ["It was hot... so we swam."]),
        ("We won! :) They lost. =( Bye.", ["We won! :)", "They lost. =(", "Bye."]),
        ('"Who knows?" she said. "Nobody."', ['"Who knows?" she said.', '"Nobody."']),
        ("He said no. She asked why.", ["He said no.", "She asked why."]),
        ("Look at No. 5 and fig. 2 again.", ["Look at No. 5 and fig. 2 again."]),
        ("They lay in the sun. Bob slept until Sun. Oct. 1.", ["They lay in the sun.", "Bob slept until Sun. Oct. 1."]),
        ("It opens at 8 a.m. Monday in the U.S. They know.", ["It opens at 8 a.m. Monday in the U.S.", "They know."]),
        ("the cat sat . the dog lay .", ["the cat sat .", "the dog lay ."]),
        ("We like them.They do not. See a.b@Some.Org.", ["We like them.", "They do not.", "See a.b@Some.Org."]),
        ("...", ["..."]),
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


@pytest.mark.parametrize("part", [". ", ". :", "A.", "a. ", '."', ". )"])
def test_a_long_line_of_marks_takes_no_longer_than_its_length(part):
    assert "".join("".join(split_sentences(part * 40_000)).split()) == "".join((part * 40_000).split())
