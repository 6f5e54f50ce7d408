"""Word pieces: a text cut by the vocabulary of an uncased BERT, in the core."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from .._core import WordPieces

VOCABULARY = "text/data/bert-uncased.txt"

_SPACES = {"Zs", "Zl", "Zp"}
_IGNORED = {"Cc", "Cf", "Co", "Cs", "Mn"}
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def read_word_pieces(vocabulary: Path) -> WordPieces:
    """Return what cuts texts into the pieces of a vocabulary, one on each line.

    No special pieces are looked for: "[SEP]" in a text is three pieces. A lone surrogate is left out.
    """
    return WordPieces(vocabulary.read_text("utf-8"), normalize_character)


def normalize_character(char: str) -> str:
    """Return a character in lower case and without accents; spaces are where words end.

    The characters are those of Python's Unicode; `tokenizers` has an older one.

    >>> normalize_character("É"), normalize_character("?"), normalize_character("\\u200b")
    ('e', ' ? ', '')
    """
    if char in "\t\n\r" or unicodedata.category(char) in _SPACES:
        return " "
    if any(first <= ord(char) <= last for first, last in _IDEOGRAPHS):
        return f" {unicodedata.normalize('NFD', char)} "
    return "".join(map(_normalize_part, unicodedata.normalize("NFD", char)))


def _normalize_part(char: str) -> str:
    category = unicodedata.category(char)
    if category in _IGNORED or char == "\ufffd":
        return ""
    is_sign = category[0] == "P" or (char.isascii() and category[0] == "S")
    return f" {char} " if is_sign else char.lower()
