"""Tokens with their places: what is split off, and that nothing is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.text.tokens.offsets import Token, is_punctuation, place, split_lexical_tokens, split_tokens

TEXTS = st.text(st.sampled_from("abZ3.,'’-$(\"_ \n\t東é"), max_size=60)


@pytest.mark.parametrize("split", [split_tokens, split_lexical_tokens])
@given(text=TEXTS)
def test_places_are_those_of_the_text(split, text):
    tokens = split(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert "".join(token.text for token in tokens) == "".join(text.split())
    assert all(a.end <= b.start for a, b in pairwise(tokens))


@given(TEXTS)
def test_lexical_tokens_joined_with_spaces_give_the_same_again(text):
    forms = [token.text for token in split_lexical_tokens(text)]
    assert [token.text for token in split_lexical_tokens(" ".join(forms))] == forms


@pytest.mark.parametrize(
    ("text", "words", "lexical"),
    [
        ("isn't U.S.-made.", ["isn't", "U.S.-made", "."], ["is", "n't", "U.S.", "-", "made", "."]),
        ("(5,000%)", ["(", "5,000%", ")"], ["(", "5,000", "%", ")"]),
        ("東京 Tower", ["東", "京", "Tower"], ["東", "京", "Tower"]),
        ("Mr. X", ["Mr.", "X"], ["Mr", ".", "X"]),
    ],
)
def test_two_ways_to_split(text, words, lexical):
    assert [token.text for token in split_tokens(text)] == words
    assert [token.text for token in split_lexical_tokens(text)] == lexical


def test_words_of_a_parser_are_found_again():
    assert place("a  bc", ["a", "b", "c"]) == (Token("a", 0, 1), Token("b", 3, 4), Token("c", 4, 5))
    with pytest.raises(InputError, match="parser 'x' gives a word 'd' that is not in the text at 'bc'"):
        place("a bc", ["a", "d"], "x")


def test_punctuation_has_no_word_in_it():
    assert [is_punctuation(t) for t in ("...", "§", "a.", "“")] == [True, False, False, True]
