"""The longest text within a limit, and the note where even the shortest exceeds it."""

from __future__ import annotations

import pytest

from assay.systems.budget import Limit
from assay.systems.compress import Source
from assay.systems.compress.length._limit import cut_to_limit, fit, note_excess, shorten
from assay.text.tokens.offsets import split_tokens

TEXT = "Rain fell, and rivers rose."
TOKENS = split_tokens(TEXT)  # Rain fell , and rivers rose .
ALL = range(len(TOKENS))


@pytest.mark.parametrize(
    ("words", "text"),
    [(5, "Rain fell, and rivers rose."), (3, "Rain fell, and."), (2, "Rain fell."), (1, "Rain.")],
)
def test_the_first_words_that_the_limit_allows(words, text):
    cut = cut_to_limit(Source(TEXT), TOKENS, ALL, Limit(words, "words"))
    assert (cut.text, cut.notes) == (text, ())


def test_of_chosen_tokens_only():
    assert cut_to_limit(Source(TEXT), TOKENS, [0, 4, 5, 6], Limit(2, "words")).text == "Rain rivers."


def test_the_limit_holds_in_characters_and_one_more_would_not_fit():
    for most in range(5, len(TEXT) + 1):
        text = cut_to_limit(Source(TEXT), TOKENS, ALL, Limit(most, "chars")).text
        assert len(text) <= most
        longer = [cut_to_limit(Source(TEXT), TOKENS, ALL, Limit(n, "words")).text for n in range(1, 6)]
        assert all(len(other) > most or len(other) <= len(text) for other in longer)


def test_a_note_where_even_one_word_is_too_long():
    cut = cut_to_limit(Source(TEXT), TOKENS, ALL, Limit(3, "chars"))
    assert cut.text == "Rain."
    assert cut.notes == ("longer than the limit of 3 characters: the shortest possible text has 5",)
    assert note_excess("Rain.", None) == note_excess("Rain.", Limit(5, "chars")) == ()


def test_a_search_is_asked_for_less_until_its_text_fits():
    asked = []

    def within(most):
        asked.append(most)
        return list(range(min(most + 1, 6)))  # one word more than it was allowed, the comma aside

    text = shorten(Source(TEXT), TOKENS, within, Limit(2, "words")).text
    assert asked == [2, 1] or text.count(" ") <= 1
    assert fit(Source(TEXT), TOKENS, lambda n: list(range(n)), 2, Limit(9, "words")).text == "Rain fell."
