"""From the pieces of a derivation, tokens of the source and new words, to running text."""

from __future__ import annotations

from collections.abc import Sequence

from ....text.parse.flat import ParsedText
from ....text.tokens.offsets import is_punctuation, split_tokens
from .._rendering import begins_with_vowel, is_clitic, is_final, render, tidy

_OPENS = frozenset(["(", "[", "{", "“", "‘", "``", "$", "£", "€", "#"])
_TAKES_NOT = frozenset(["do", "does", "did", "is", "are", "was", "were", "have", "has", "had", "ca", "wo", "sha"])
_TAKES_NOT |= {"would", "could", "should", "must", "need", "might"}
_HYPHENS = frozenset("-–/—")
_BEFORE_NOT = {"can": "ca", "will": "wo", "shall": "sha"}


def write_pieces(pieces: Sequence[int | str], analysis: ParsedText) -> str:
    """Write tokens (numbers) and new words as text: spaces as in the source, punctuation and articles repaired.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["In order to win, the old man will not run, he said."])
    >>> write_pieces([2, 3, 4, 5, 7, 8, "n't", 10, 14], a), write_pieces(["an", 6, 7, 10, 14], a)
    ("To win, the man won't run.", 'An old man run.')
    """
    pieces = _mend_hyphens(pieces, analysis)
    words = _words(pieces, analysis)
    text = "".join(
        word if k == 0 else f"{_gap(pieces, words, k, analysis)}{word}" for k, word in enumerate(words) if word
    )
    source = analysis.text.strip()
    if _begins_upper(source) and text[:1].islower() and pieces[0] != 0:
        text = text[0].upper() + text[1:]
    tokens = split_tokens(text)
    text = render(text, tokens, tidy(text, tokens, range(len(tokens))))
    if text.endswith("..") and not text.endswith("..."):  # an abbreviation now stands before the end
        text = text[:-1]
    end = source[-1:]
    if is_final(end) and text and text[-1].isalnum():
        text += end
    return text


def _mend_hyphens(pieces: Sequence[int | str], analysis: ParsedText) -> list[int | str]:
    """Keep a hyphen or slash without spaces if and only if both of its words are kept next to each other."""
    tokens = analysis.tokens
    joins = {
        i
        for i in range(1, len(tokens) - 1)
        if tokens[i].text in _HYPHENS and tokens[i - 1].end == tokens[i].start and tokens[i].end == tokens[i + 1].start
    }
    result: list[int | str] = []
    for piece in (p for p in pieces if p not in joins):
        if isinstance(piece, int) and piece - 1 in joins and result and result[-1] == piece - 2:
            result.append(piece - 1)
        result.append(piece)
    return result


def _words(pieces: Sequence[int | str], analysis: ParsedText) -> list[str]:
    words = [analysis.tokens[p].text if isinstance(p, int) else p for p in pieces]
    for k, piece in enumerate(pieces):
        if piece == 0 and k and analysis.words[0].pos != "PROPN" and words[k] != "I" and words[k][1:].islower():
            words[k] = words[k].lower()  # the first word of the source stands elsewhere now
        if words[k] == "n't" and isinstance(piece, str):
            before = words[k - 1].lower() if k else ""
            short = _BEFORE_NOT.get(before, before)
            if short in _TAKES_NOT:
                words[k - 1] = words[k - 1][0] + short[1:]
            else:
                words[k] = "not"
        if words[k].lower() in ("a", "an") and k + 1 < len(words) and not is_punctuation(words[k + 1]):
            words[k] = _article(words[k], words[k + 1], pieces, k)
    return words


def _article(word: str, following: str, pieces: Sequence[int | str], k: int) -> str:
    """Return a or an as the next word asks for, where the two did not stand together in the source."""
    piece, after = pieces[k], pieces[k + 1]
    if isinstance(piece, int) and isinstance(after, int) and after == piece + 1:
        return word
    article = "an" if begins_with_vowel(following) else "a"
    return article.capitalize() if word[0] == "A" else article


def _gap(pieces: Sequence[int | str], words: Sequence[str], k: int, analysis: ParsedText) -> str:
    """Return the space before a piece."""
    before, piece, word = pieces[k - 1], pieces[k], words[k]
    tokens = analysis.tokens
    if isinstance(piece, int) and piece and before == piece - 1:
        return " " if tokens[piece].start > tokens[piece - 1].end else ""
    if isinstance(piece, int) and piece and (is_punctuation(word) or is_clitic(word)):
        return " " if tokens[piece].start > tokens[piece - 1].end else ""
    if isinstance(before, int) and (words[k - 1] in _OPENS or words[k - 1] == '"') and before + 1 < len(tokens):
        return " " if tokens[before + 1].start > tokens[before].end else ""
    new_mark = isinstance(piece, str) and is_punctuation(word) and word not in _OPENS
    return "" if new_mark or is_clitic(word) or word == "%" else " "


def _begins_upper(text: str) -> bool:
    return next((c.isupper() for c in text if c.isalpha()), False)
