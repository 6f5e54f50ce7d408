"""Words as the encoder takes them: word pieces, and the shape that an uncased vocabulary loses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core import WordPieces
from ...extras import find_data
from ..word_pieces import VOCABULARY, read_word_pieces

CLS, SEP, UNKNOWN = 101, 102, 100
LONGEST = 8  # pieces of a word: the first seven and the last
SHAPES = 60  # 5 cases x 3 amounts of digits x space before or not x first in line or not

Numbers = NDArray[np.int32]


class WordsInPieces(NamedTuple):
    """The pieces of words in a row, where those of each word end, and the shape of each word."""

    pieces: Numbers
    ends: Numbers
    shapes: Numbers


@lru_cache(maxsize=1)
def _cutter() -> WordPieces:
    return read_word_pieces(find_data(VOCABULARY))


@lru_cache(maxsize=100_000)
def word_pieces(form: str) -> tuple[int, ...]:
    """Return the numbers of the pieces of a word; a word without any is unknown."""
    pieces = tuple(_cutter().cut(form).tolist()) or (UNKNOWN,)
    return pieces if len(pieces) <= LONGEST else (*pieces[: LONGEST - 1], pieces[-1])


@lru_cache(maxsize=100_000)
def spelling(form: str) -> int:
    """Number the case pattern (lower, Title, one capital, CAPITALS, miXed) and the digits (none, some, all) of a form.

    >>> [spelling(form) for form in ("cat", "Cat", "I", "NATO", "iPod", "7", "A4")]
    [0, 3, 6, 9, 12, 2, 7]
    """
    if form == form.lower():
        case = 0
    elif form == form.upper():
        case = 2 if sum(map(str.isalpha, form)) == 1 else 3
    else:
        case = 1 if form[0].isupper() and form[1:] == form[1:].lower() else 4
    digits = sum(map(str.isdigit, form))
    return 3 * case + (0 if not digits else 2 if digits == len(form) else 1)


def cut_words(forms: Sequence[str], spaces: Sequence[bool], line_starts: Sequence[bool]) -> WordsInPieces:
    """Cut words into pieces. `spaces`: if a space follows each word; `line_starts`: if each begins a line."""
    pieces: list[int] = []
    ends, shapes = [], []
    before = True
    for form, space, starts in zip(forms, spaces, line_starts, strict=True):
        pieces += word_pieces(form)
        ends.append(len(pieces))
        shapes.append(4 * spelling(form) + 2 * (before or starts) + starts)
        before = space
    return WordsInPieces(*(np.array(values, np.int32) for values in (pieces, ends, shapes)))
