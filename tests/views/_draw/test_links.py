"""Drawings of links."""

from __future__ import annotations

from assay.views._draw.links import draw_link_lines, draw_link_matrix


def test_long_texts_are_folded():
    words = [f"word{i}" for i in range(40)]
    lines = draw_link_lines(words, words, [((0,), (0,)), ((39,), (39,))]).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0].startswith("word0 word1")
    assert lines[1] == "1"


def test_wide_characters_keep_the_columns():
    matrix = draw_link_matrix(["東京", "a"], ["x"], {(0, 0): "exact"})
    assert matrix.splitlines()[1:3] == ["東京 ■", "a    ·"]
