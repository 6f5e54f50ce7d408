"""Synonyms as one word: WordNet for bags, item by item (the wn of Owczarzak 2009)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from .triple_bags import Columns, Ints, Side

WORDNET_POS = ("", "n", "v", "a", "r")


def merge_synonyms(words: Sequence[str], outputs: Side, references: Side, items: int) -> tuple[Side, Side]:
    """Replace each word by the word of its item's references that stands for its synonyms.

    Reference words, most frequent first, each take in the words that share a synset with them and have not been taken.
    So what becomes one word shares a synset with the same word: there are no chains, and what other systems wrote does
    not matter. `words` is the vocabulary.
    """
    lookup = _Synsets(words)
    outputs, references = _copy(outputs), _copy(references)
    for own, shared in zip(_rows(outputs, items), _rows(references, items), strict=True):
        stars = _Stars(lookup)
        for word, pos in _by_frequency(references.columns, shared):
            stars.add(word, pos)
        stars.replace(outputs.columns, own)
        stars.replace(references.columns, shared)
    return outputs, references


def _rows(side: Side, items: int) -> list[slice]:
    """Return the rows of each item; rows are in item order."""
    ends = np.searchsorted(side.item[side.columns.text], np.arange(items + 1)).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]


def _copy(side: Side) -> Side:
    old = side.columns
    return side._replace(columns=old._replace(head=old.head.copy(), dependent=old.dependent.copy()))


def _by_frequency(side: Columns, part: slice) -> Iterator[tuple[int, int]]:
    """Return content words of the rows with part of speech, the most frequent first, then the earliest."""
    word = np.concatenate([side.head[part], side.dependent[part]])
    pos = np.concatenate([side.head_pos[part], side.dependent_pos[part]])
    keys, first, count = np.unique((word * 8 + pos)[pos > 0], return_index=True, return_counts=True)
    for k in np.lexsort((first, -count)):
        yield int(keys[k]) // 8, int(keys[k]) % 8


class _Synsets:
    """Synsets of a word id, looked up once."""

    def __init__(self, words: Sequence[str]) -> None:
        from ..text.lexicon.wordnet import synsets

        self._words, self._ask = words, synsets
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def __call__(self, word: int, pos: int) -> frozenset[int]:
        key = word, pos
        if key not in self._known:
            self._known[key] = frozenset(self._ask(self._words[word - 1], WORDNET_POS[pos]))
        return self._known[key]


class _Stars:
    """Words that stand for others; the rank of a word is the order in which it came."""

    def __init__(self, synsets: Callable[[int, int], frozenset[int]]) -> None:
        self._synsets = synsets
        self._owner: dict[int, tuple[int, int]] = {}  # synset: rank and word
        self._owner_of: dict[tuple[int, int], int] = {}

    def add(self, word: int, pos: int) -> None:
        if self.of(word, pos) == word:
            for s in self._synsets(word, pos):
                self._owner.setdefault(s, (len(self._owner_of), word))

    def of(self, word: int, pos: int) -> int:
        """Return the word that stands for this one: itself where no earlier word shares a synset."""
        key = word, pos
        if key not in self._owner_of:
            owners = [self._owner[s] for s in self._synsets(word, pos) if s in self._owner]
            self._owner_of[key] = min(owners)[1] if owners else word
        return self._owner_of[key]

    def replace(self, side: Columns, rows: slice) -> None:
        """Put the words that stand for others into some rows."""
        side.head[rows] = self._replace(side.head[rows], side.head_pos[rows])
        side.dependent[rows] = self._replace(side.dependent[rows], side.dependent_pos[rows])

    def _replace(self, words: Ints, pos: Ints) -> Ints:
        keys, place = np.unique(words * 8 + pos, return_inverse=True)
        new = [self.of(k // 8, k % 8) if k % 8 else k // 8 for k in keys.tolist()]
        return np.array(new, dtype=np.int64)[place] if new else words
