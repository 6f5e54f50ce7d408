"""Words in pieces, with the shape that lower case loses."""

from __future__ import annotations

from assay.text.parse.pieces import LONGEST, SHAPES, UNKNOWN, cut_words, spelling, word_pieces


def test_pieces_are_flat_with_the_end_of_each_word():
    words = cut_words(["Unbelievably", "7", "cats"], [True, False, True], [True, False, False])
    assert words.ends.tolist() == [len(word_pieces("Unbelievably")), words.ends[0] + 1, len(words.pieces)]
    assert tuple(words.pieces[: words.ends[0]]) == word_pieces("unbelievably")


def test_a_long_word_keeps_its_beginning_and_end():
    word = "antidisestablishmentarianism" * 3
    assert len(word_pieces(word)) == LONGEST
    assert word_pieces(word)[:6] == word_pieces("antidisestablishmentarianism")[:6]


def test_a_word_without_pieces_is_unknown():
    assert word_pieces("\u200b") == word_pieces("\u0301") == (UNKNOWN,)


def test_shapes_tell_spelling_space_and_place_in_the_line():
    shapes = cut_words(["Cat", "cat", "CAT", "9"], [False, True, True, True], [True, False, False, False]).shapes
    assert shapes.tolist() == [4 * 3 + 3, 0, 4 * 9 + 2, 4 * 2 + 2]
    assert 4 * spelling("iPod2") + 3 < SHAPES
    assert cut_words([], [], []).pieces.tolist() == []
