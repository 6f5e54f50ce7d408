"""Words as the encoder takes them: word pieces, and the shape that an uncased vocabulary loses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from assay.extras import find_data
from assay.text.vectors.encoder import VOCABULARY

CLS, SEP, UNKNOWN = 101, 102, 100
LONGEST = 8  # pieces of a word: the first seven and the last
SHAPES = 60  # 5 cases x 3 amounts of digits x space before or not x first in line or not


class Pieces(NamedTuple):
    """A text in pieces, from [CLS] to [SEP], with the first and last piece of each word and the shape of each word."""

    ids: np.ndarray
    owner: np.ndarray  # the word of each piece, -1 for [CLS] and [SEP]
    first: np.ndarray
    last: np.ndarray
    shape: np.ndarray


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from tokenizers.implementations import BertWordPieceTokenizer

    return BertWordPieceTokenizer(str(find_data(VOCABULARY)), lowercase=True)


@lru_cache(maxsize=200_000)
def word_pieces(form: str) -> tuple[int, ...]:
    """Return the numbers of the pieces of a word; a word without any is unknown."""
    ids = tuple(_tokenizer().encode(form, add_special_tokens=False).ids) or (UNKNOWN,)
    return ids if len(ids) <= LONGEST else (*ids[: LONGEST - 1], ids[-1])


@lru_cache(maxsize=200_000)
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


def cut_words(forms: Sequence[str], spaces: Sequence[bool], line_starts: Sequence[bool]) -> Pieces:
    """Cut words into pieces. `spaces`: if a space follows each word; `line_starts`: if each begins a line."""
    ids, owner, first, last, shape = [CLS], [-1], [], [], []
    before = True
    for number, (form, space, starts) in enumerate(zip(forms, spaces, line_starts, strict=True)):
        pieces = word_pieces(form)
        first.append(len(ids))
        ids += pieces
        owner += [number] * len(pieces)
        last.append(len(ids) - 1)
        shape.append(4 * spelling(form) + 2 * (before or starts) + starts)
        before = space
    ids.append(SEP)
    owner.append(-1)
    return Pieces(*(np.array(values, np.int32) for values in (ids, owner, first, last, shape)))
