"""Pieces of sentences as one text: spaces and the capital."""

from __future__ import annotations

import pytest

from assay.systems.fuse._base import Piece
from assay.systems.fuse._joining import join_pieces

SENTENCES = ["The cat (a stray) didn't sleep.", "an old cat slept; it's “fine” now."]


def pieces(*parts):
    """Pieces by sentence and text."""
    return [Piece(s, SENTENCES[s].index(t), SENTENCES[s].index(t) + len(t)) for s, t in parts]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([(0, "The"), (0, "cat"), (0, "sleep"), (0, ".")], "The cat sleep."),
        ([(0, "cat"), (1, "slept"), (0, ".")], "Cat slept."),  # its sentence has a capital
        ([(1, "old"), (1, "cat")], "old cat"),  # and this one has none
        ([(0, "did"), (0, "n't"), (0, "sleep")], "Didn't sleep"),
        ([(1, "cat"), (0, "n't")], "catn't"),
        ([(1, "it"), (1, "'s"), (1, "“"), (1, "fine"), (1, "”")], "it's “fine”"),
        ([(0, "("), (1, "old"), (0, ")")], "(old)"),
        ([(1, "“"), (0, "cat")], "“cat"),
        ([(1, "now"), (1, "cat")], "now cat"),  # an earlier piece of the sentence after a later one
        ([], ""),
    ],
)
def test_as_a_writer_would(parts, text):
    assert join_pieces(SENTENCES, pieces(*parts)) == text
