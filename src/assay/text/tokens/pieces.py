"""Pieces: words and punctuation of a text in any language, with their places in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ...errors import InputError

# Scripts that are written without spaces: each character counts as a word, as in word processors.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)

_CHUNK = re.compile(r"\S+")
_PIECE = re.compile(rf"[{UNSPACED}]|[^{UNSPACED}]+")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.){2,}|(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Inc|Ltd|Co|Corp|Gov|Sen|Rep|Gen)\.")
_WORDLIKE = frozenset("%&#@*/\\§_")  # category P, but read out as words or parts of them


class Token(NamedTuple):
    """A piece of a text: `text[start:end]` of the source."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=1 << 16)
def is_punctuation(token: str) -> bool:
    """Whether a token has no word in it.

    >>> [is_punctuation(t) for t in (",", "--", "``", "%", "$", "U.S.")]
    [True, True, True, False, False, False]
    """
    return all((unicodedata.category(c)[0] == "P" and c not in _WORDLIKE) or c == "`" for c in token)


def split_tokens(text: str) -> tuple[Token, ...]:
    """Tokens without a parser, for any language: words between white space, the punctuation around them apart.

    A word keeps what stands inside it (don't, York-based, 3.14, a/b.py); unspaced scripts give single characters.

    >>> [t.text for t in split_tokens('He said: "It isn\\'t U.S.-made."')]
    ['He', 'said', ':', '"', 'It', "isn't", 'U.S.-made', '.', '"']
    """
    found: list[Token] = []
    for chunk in _CHUNK.finditer(text):
        for piece in _PIECE.finditer(chunk[0]):
            found += _pieces(piece[0], chunk.start() + piece.start())
    return tuple(found)


def _pieces(chunk: str, at: int) -> list[Token]:
    start, end = 0, len(chunk)
    while start < end and is_punctuation(chunk[start]):
        start += 1
    while end > start and is_punctuation(chunk[end - 1]) and not _ABBREVIATION.fullmatch(chunk[start:end]):
        end -= 1
    before = [Token(chunk[i], at + i, at + i + 1) for i in range(start)]
    after = [Token(chunk[i], at + i, at + i + 1) for i in range(end, len(chunk))]
    return [*before, *([Token(chunk[start:end], at + start, at + end)] if start < end else []), *after]


def place(text: str, forms: Sequence[str], parser: str = "en") -> tuple[Token, ...]:
    """A parser's words found again in the text, white space aside.

    >>> place("do  n't", ["do", "n't"])
    (Token(text='do', start=0, end=2), Token(text="n't", start=4, end=7))
    """
    found: list[Token] = []
    at = 0
    for form in forms:
        start = end = -1
        for character in form:
            if character.isspace():
                continue
            while at < len(text) and text[at].isspace():
                at += 1
            if at >= len(text) or text[at] != character:
                raise InputError(
                    f"parser {parser!r} gives a word {form!r} that is not in the text at {text[at : at + 30]!r}; "
                    "compression needs a parser whose words are pieces of the text"
                )
            start, at = at if start < 0 else start, at + 1
            end = at
        found.append(Token(text[start:end], start, end) if start >= 0 else Token("", at, at))
    return tuple(found)
