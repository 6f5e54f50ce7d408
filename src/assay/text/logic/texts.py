"""A shorter text next to its source: which words of the source it kept, and the label of each deletion."""

from __future__ import annotations

from ..parse.flat import ParsedText
from ..tokens.offsets import is_punctuation, split_tokens
from ..tokens.subsequence import kept_places
from .bonds import Bonds
from .deletions import Deletion, label_deletions


def find_kept(a: ParsedText, text: str) -> list[int] | None:
    """Return the tokens of a parsed source that a text kept; None if it has words that are not there, or moved.

    Case and punctuation are ignored: a compression begins with a capital and has its own commas.
    """
    source = [token for token in split_tokens(a.text) if not is_punctuation(token.text)]
    words = [_fold(token.text) for token in split_tokens(text) if not is_punctuation(token.text)]
    places = kept_places([_fold(token.text) for token in source], words)
    if len(places) != len(words):
        return None
    spans = [source[k] for k in places]
    tokens_kept, at = [], 0
    for i, token in enumerate(a.tokens):
        while at < len(spans) and spans[at].end <= token.start:
            at += 1
        if at < len(spans) and spans[at].start < token.end:
            tokens_kept.append(i)
    return tokens_kept


def _fold(word: str) -> str:
    """Return a word in lower case; an is a, because a deletion can change which of the two is right."""
    return "a" if word.lower() == "an" else word.lower()


def label_text(a: ParsedText, text: str) -> tuple[Deletion, ...] | None:
    """Label what a text left out of its source; None if it did not only delete.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The firm almost went bankrupt in 2008."])
    >>> [(a.tokens[d.words[0]].text, d.label) for d in label_text(a, "The firm went bankrupt.")]
    [('almost', 'not entailed'), ('in', 'entailed')]
    >>> label_text(a, "The company went bankrupt.")
    """
    tokens_kept = find_kept(a, text)
    return None if tokens_kept is None else label_deletions(Bonds(a), tokens_kept)
