"""Compounds in running text: the words of sentences are split, everything else stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .splitter import load_splitter

if TYPE_CHECKING:
    from .splitter import CompoundSplitter

# A word: letters and digits, with apostrophes, hyphens and zero-width non-joiners inside.
WORDS = re.compile(r"(\w[\w'’‐‑\u200c-]*)")


def mark_texts(splitter: CompoundSplitter, texts: Sequence[str], sign: str = "|") -> list[str]:
    """Return texts with a sign at each boundary inside a word.

    >>> mark_texts(load_splitter("de"), ["Ein Prüfungsprogramm, vielleicht."])
    ['Ein Prüfungs|programm, vielleicht.']
    """
    pieces = [WORDS.split(text) for text in texts]
    marked = iter(splitter.mark([word for text in pieces for word in text[1::2]], sign))
    return ["".join(next(marked) if i % 2 else piece for i, piece in enumerate(text)) for text in pieces]


def split_texts(texts: Sequence[str], language: str) -> list[str]:
    """Return texts with spaces between the parts of compounds, for a tokenizer; linking elements are left out.

    >>> split_texts(["Ein Prüfungsprogramm, vielleicht."], "de")
    ['Ein Prüfung programm, vielleicht.']
    """
    splitter = load_splitter(language)
    pieces = [WORDS.split(text) for text in texts]
    words = list(dict.fromkeys(word for text in pieces for word in text[1::2]))
    spaced = {word: " ".join(parts) for word, parts in zip(words, splitter.pieces(words), strict=True)}
    return ["".join(spaced[piece] if i % 2 else piece for i, piece in enumerate(text)) for text in pieces]
