"""The features of ABS+ (Rush et al. 2015, section 5): how much of a text, and in what order, is from the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .namas_network import FEATURES, START

Floats = NDArray[np.float64]
Kind = Literal["paper", "released", "none"]
KINDS: tuple[Kind, ...] = ("paper", "released", "none")
LOG_P, UNIGRAM, BIGRAM, TRIGRAM, REORDERED, LENGTH = range(FEATURES)


class SourceFeatures:
    """What each feature is after given words, for one source.

    log p of the word; whether the word, its bigram and its trigram stand in the source; whether the word stands before
    the one it follows; and 1, for the length. The paper has the first five, the released code all six.

    `released` does what the released code does: it looks up n-grams in which the word before the last is skipped (its
    bigrams are x[j-2] x[j]), so that a copied bigram is not found; and two words count as reordered only if they had
    not stood in this order before that place.
    """

    def __init__(self, source: Sequence[int], kind: Kind = "paper") -> None:
        self.words = set(source)
        self.bigrams: dict[int, set[int]] = defaultdict(set)
        self.trigrams: dict[tuple[int, int], set[int]] = defaultdict(set)
        self.reordered: dict[int, set[int]] = defaultdict(set)
        skip = 1 if kind == "released" else 0
        padded = [START] * (2 + skip) + list(source)
        for j, word in enumerate(source):
            self.bigrams[padded[j + 1]].add(word)
            self.trigrams[padded[j], padded[j + 1]].add(word)
        in_order: dict[int, set[int]] = defaultdict(set)
        for j, word in enumerate(source):
            for earlier in source[: j + 1]:
                in_order[earlier].add(word)
                if kind == "released" and earlier not in in_order[word]:
                    self.reordered[word].add(earlier)
            if kind != "released":
                self.reordered[word].update(source[:j])

    def add(self, scores: Floats, contexts: NDArray[np.int64], weights: Sequence[float]) -> None:
        """Add the weighted features, but for log p, to the scores of all words after each context."""
        scores[:, list(self.words)] += weights[UNIGRAM]
        scores += weights[LENGTH]
        for row, (before, last) in zip(scores, contexts[:, -2:].tolist(), strict=True):
            tables = (
                (self.bigrams.get(last), BIGRAM),
                (self.trigrams.get((before, last)), TRIGRAM),
                (self.reordered.get(last), REORDERED),
            )
            for words, feature in tables:
                if words and weights[feature]:
                    row[list(words)] += weights[feature]

    def of(self, before: int, last: int, word: int, log_p: float) -> Floats:
        """Return the features of one word after two."""
        values = (
            word in self.words,
            word in self.bigrams.get(last, ()),
            word in self.trigrams.get((before, last), ()),
            word in self.reordered.get(last, ()),
        )
        return np.array([log_p, *values, 1], np.float64)
