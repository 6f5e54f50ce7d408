"""Sets of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(word_set("he she"))
    ['he', 'she']
    """
    return frozenset(text.split())
