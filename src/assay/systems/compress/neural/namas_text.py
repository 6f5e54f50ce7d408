"""From the words that namas generates to a text: copies of the source's words where it has them, marks and spaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....text.stems import stop_words
from ....text.tokens.offsets import Token, is_punctuation, split_lexical_tokens
from .._base import build_compression
from .._rendering import is_clitic, is_final
from .word_units import ModelWord

_QUOTES = {"``": '"', "''": '"', "`": "'"}
_OPENS = frozenset({"``", "`", "(", "[", "{", "$", "£", "€", "“", "‘", "#"})


def copy_places(
    words: Sequence[int], source: Sequence[int], attention: NDArray[np.float32], placeholders: frozenset[int]
) -> list[int]:
    """Find the place of the source that each generated word is a copy of, -1 for a word that the source does not have.

    Of several places that hold the word, the one that attention reads most; for a word that stands for others (unknown
    words, numbers), one that was not copied before.

    >>> attention = np.array([[0.1, 0.6, 0.3], [0.2, 0.5, 0.3]], np.float32)
    >>> copy_places([0, 0], [0, 0, 7], attention, frozenset({0}))
    [1, 0]
    >>> copy_places([7, 5], [0, 0, 7], attention, frozenset({0}))
    [2, -1]
    """
    places: list[int] = []
    for word, row in zip(words, attention, strict=True):
        options = [j for j, other in enumerate(source) if other == word]
        if word in placeholders:
            options = [j for j in options if j not in places]
        places.append(max(options, key=lambda j: (row[j], -j), default=-1))
    return places


def render_text(
    text: str, tokens: Sequence[Token], units: Sequence[ModelWord], words: Sequence[str], places: Sequence[int]
) -> str:
    """Write generated words as a text: copies as they stand in the source, capitals and the end as there.

    >>> from assay.systems.compress.neural.word_units import join_words
    >>> text = "The old man, Mr. Li, paid $5."
    >>> tokens = split_lexical_tokens(text)
    >>> units = join_words(tokens)
    >>> render_text(text, tokens, units, ["mr", ".", "li", "gave", "$", "##"], [4, 5, 6, -1, 9, 10])
    'Mr. Li gave $5.'
    """
    pieces: list[str] = []
    opens = False  # whether the word before is written to this one
    for word, place in zip(words, places, strict=True):
        if place >= 0:
            unit = units[place]
            first = tokens[unit.start]
            piece = text[first.start : tokens[unit.end - 1].end]
            if unit.start == 0 and pieces and word in stop_words():
                piece = piece.lower()
            apart = unit.start == 0 or first.start > tokens[unit.start - 1].end or not _clings(word)
        else:
            piece = "I" if word == "i" else _QUOTES.get(word, word)
            apart = not _clings(word)
        if pieces and apart and not opens:
            pieces.append(" ")
        pieces.append(piece)
        opens = word in _OPENS and not (place >= 0 and _is_followed_by_space(tokens, units[place]))
    return _tidy(text, "".join(pieces))


def _is_followed_by_space(tokens: Sequence[Token], unit: ModelWord) -> bool:
    return unit.end < len(tokens) and tokens[unit.end].start > tokens[unit.end - 1].end


def _clings(word: str) -> bool:
    """Check if a word is written to the one before: marks but opening ones, clitics, percent."""
    return (is_punctuation(word) and word not in _OPENS and word != "--") or is_clitic(word) or word in ("%", "n't")


def _tidy(source: str, text: str) -> str:
    """Mend marks, begin with a capital and end with a mark if the source does."""
    tokens = split_lexical_tokens(text)
    marks = [token for token in split_lexical_tokens(source)[-2:] if is_final(token.text)]
    if marks and tokens and not any(is_final(token.text) for token in tokens[-2:]):
        space = " " if marks[0].start and source[marks[0].start - 1].isspace() else ""
        text = text.rstrip(" ,;:-–—") + space + marks[0].text
        tokens = split_lexical_tokens(text)
    first = next((c for c in source if c.isalnum()), "")
    if first.isupper():
        at = next((i for i, c in enumerate(text) if c.isalnum()), 0)
        text = text[:at] + text[at : at + 1].upper() + text[at + 1 :] if len(text[at : at + 1].upper()) == 1 else text
        tokens = split_lexical_tokens(text)
    return build_compression(text, tokens, range(len(tokens))).text
