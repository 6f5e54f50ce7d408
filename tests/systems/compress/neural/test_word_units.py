from __future__ import annotations

import pytest

from assay.systems.compress.neural.word_units import join_words, spell_words
from assay.text.tokens.offsets import split_lexical_tokens


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("A well-known man", ["a", "well-known", "man"]),
        ("rain - he said", ["rain", "-", "he", "said"]),
        ("$40m and 3.5%", ["$", "##", "and", "##", "%"]),
        ("15-year-olds didn't", ["##", "did", "n't"]),
        ("the group's U.S.-led", ["the", "group", "'s", "u.s.-led"]),
        ('"No," ‘he’ said', ["``", "no", ",", "''", "'", "he", "'", "said"]),
        ("", []),
    ],
)
def test_the_spelling_of_the_google_pairs(text, forms):
    assert [unit.form for unit in join_words(split_lexical_tokens(text))] == forms


def test_units_cover_all_tokens():
    tokens = split_lexical_tokens("Mr. Li's 40m-strong and/or U.S.-led (a) group—well, -ish 東京へ -- x-y-z.")
    units = join_words(tokens)
    assert [unit.start for unit in units] == [0, *(unit.end for unit in units[:-1])]
    assert units[-1].end == len(tokens)


def test_quotation_marks_alternate():
    assert spell_words(['"', "a", '"', '"', "b", '"']) == ["``", "a", "''", "``", "b", "''"]
