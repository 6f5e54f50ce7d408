"""Tokens with their places in the text: two ways to split a text, and a parser's words found again in it."""

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
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.){2,}|(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Inc|Ltd|Co|Corp|Gov|Sen|Rep|Gen)\.")
_WORDLIKE = frozenset("%&#@*/\\§_")  # category P, but read out as words or parts of them


# Compiled when they are first used: large character classes take milliseconds, and most imports need none of them.
@lru_cache(maxsize=1)
def _piece_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]|[^{UNSPACED}]+")


@lru_cache(maxsize=1)
def _lexical_pattern() -> re.Pattern[str]:
    return re.compile(
        r"""\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?![^\W\d_])  # 3.5, 5,000, 13th, 1990s
          | (?:[^\W\d_]\.){2,}                   # U.S., e.g.
          | [\u3040-\u30ff\u3400-\u9fff]         # scripts without spaces: a character each
          | [^\W_]+?(?=n['’]t\b) | n['’]t\b      # do n't
          | ['’](?:s|re|ve|ll|d|m)\b             # it 's
          | [^\W_]+
          | ([^\w\s]|_)\1*                       # a mark, or a run of the same one""",
        re.VERBOSE | re.IGNORECASE,
    )


class Token(NamedTuple):
    """A word or mark: `text` is what stands between `start` and `end` of the source."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=1 << 16)
def is_punctuation(token: str) -> bool:
    """Return whether a token has no word in it.

    >>> [is_punctuation(t) for t in (",", "--", "``", "%", "$", "U.S.")]
    [True, True, True, False, False, False]
    """
    return all((unicodedata.category(c)[0] == "P" and c not in _WORDLIKE) or c == "`" for c in token)


def split_tokens(text: str) -> tuple[Token, ...]:
    """Split a text of any language into words between white space and the punctuation around them.

    A word keeps what stands inside it (don't, York-based, 3.14, a/b.py); unspaced scripts give single characters.

    >>> [t.text for t in split_tokens('He said: "It isn\\'t U.S.-made."')]
    ['He', 'said', ':', '"', 'It', "isn't", 'U.S.-made', '.', '"']
    """
    tokens: list[Token] = []
    for chunk in _CHUNK.finditer(text):
        for piece in _piece_pattern().finditer(chunk[0]):
            tokens += _strip_punctuation(piece[0], chunk.start() + piece.start())
    return tuple(tokens)


def _strip_punctuation(chunk: str, at: int) -> list[Token]:
    start, end = 0, len(chunk)
    while start < end and is_punctuation(chunk[start]):
        start += 1
    while end > start and is_punctuation(chunk[end - 1]) and not _ABBREVIATION.fullmatch(chunk[start:end]):
        end -= 1
    before = [Token(chunk[i], at + i, at + i + 1) for i in range(start)]
    after = [Token(chunk[i], at + i, at + i + 1) for i in range(end, len(chunk))]
    return [*before, *([Token(chunk[start:end], at + start, at + end)] if start < end else []), *after]


def split_lexical_tokens(text: str) -> tuple[Token, ...]:
    """Split a text into words, numbers and marks as dictionaries list them: contractions and hyphens are cut.

    all-cash is three tokens and don't is two. Splitting tokens that were joined with spaces gives the same again.

    >>> [token.text for token in split_lexical_tokens("Don't pay $3.50 for all-cash U.S. deals...")]
    ['Do', "n't", 'pay', '$', '3.50', 'for', 'all', '-', 'cash', 'U.S.', 'deals', '...']
    >>> split_lexical_tokens("Hm, yes")[-1]
    Token(text='yes', start=4, end=7)
    """
    return tuple(Token(match[0], match.start(), match.end()) for match in _lexical_pattern().finditer(text))


def place(text: str, forms: Sequence[str], parser: str = "en") -> tuple[Token, ...]:
    """Find a parser's words again in the text, white space aside.

    >>> place("do  n't", ["do", "n't"])
    (Token(text='do', start=0, end=2), Token(text="n't", start=4, end=7))
    """
    tokens: list[Token] = []
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
                    "compression needs a parser with words that are pieces of the text"
                )
            start, at = at if start < 0 else start, at + 1
            end = at
        tokens.append(Token(text[start:end], start, end) if start >= 0 else Token("", at, at))
    return tuple(tokens)
