"""A text in pieces as the network takes it, from [CLS] to [SEP]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assay.text.parse import pieces
from assay.text.parse.pieces import CLS, SEP


class Pieces(NamedTuple):
    """The pieces of a text, the first and last of each word, and the shape of each word."""

    ids: np.ndarray
    owner: np.ndarray  # the word of each piece, -1 for [CLS] and [SEP]
    first: np.ndarray
    last: np.ndarray
    shape: np.ndarray


def cut_words(forms: Sequence[str], spaces: Sequence[bool], line_starts: Sequence[bool]) -> Pieces:
    """Cut words into pieces as the parser does."""
    words = pieces.cut_words(forms, spaces, line_starts)
    counts = np.diff(words.ends, prepend=0)
    owner = np.repeat(np.arange(len(counts)), counts)
    framed = ([CLS, *words.pieces, SEP], [-1, *owner, -1], words.ends - counts + 1, words.ends, words.shapes)
    return Pieces(*(np.array(values, np.int32) for values in framed))
