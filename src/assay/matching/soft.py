"""Soft overlap: n-grams that match by the cosine of their word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..text import TextReading, Texts
from ..text.vectors.words import word_vectors
from .bags import Counts
from .batch import Batch
from .ngram_bags import NgramUnit, against_references

Ints = NDArray[np.int64]


class Vectors(Protocol):
    """Whatever has a vector for words: see text/vectors.py."""

    def matrix(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return a row for each word, zeros for an unknown one, and which are known."""


class Rule(NamedTuple):
    """When two n-grams match and how much that counts.

    `combine`: the vectors of an n-gram's words are added (sum) or multiplied (product). A cosine below `threshold` is
    no match; one above it counts 1 with `whole`, else as much as it is.
    """

    combine: str = "sum"
    threshold: float = 0.8
    whole: bool = True


class WordRows(NamedTuple):
    """The vectors of the words that some texts use: `row` is by word id, -1 where the texts have no such word."""

    vectors: NDArray[np.float32]
    known: NDArray[np.bool_]
    row: Ints


@dataclass(frozen=True)
class SoftNgram:
    """n-grams that match by their word vectors: `vectors` is the name of a table or a file."""

    n: int
    reading: TextReading
    vectors: str
    rule: Rule

    @property
    def takes_alternatives(self) -> bool:
        return False

    def count(self, batch: Batch, *, keep_own: bool) -> Counts:
        bags = against_references(batch, NgramUnit(self.n, self.reading), keep_own=keep_own)
        tokens = batch.outputs.tokens(self.reading), batch.references.tokens(self.reading)
        rows = word_rows(batch, self.reading, word_vectors(self.vectors))
        words = np.zeros((max(1, bags.outputs.vocab_size, bags.others.vocab_size), self.n), np.int64)
        for ngrams, text_tokens in zip((bags.outputs, bags.others), tokens, strict=True):
            first = _starts(text_tokens, self.n)
            for k in range(self.n):
                words[ngrams.ids, k] = rows.row[text_tokens.ids[first + k]]
        known, product = rows.known.astype(np.uint8), self.rule.combine == "product"
        return _core.soft_overlap(*bags, rows.vectors, known, words, product, self.rule.threshold, self.rule.whole)


def word_rows(batch: Batch, reading: TextReading, vectors: Vectors) -> WordRows:
    """Return the vector of every word of outputs and references, looked up once."""

    def make() -> WordRows:
        sides: list[Texts] = [batch.outputs, batch.references]
        tokens = [texts.tokens(reading) for texts in sides]
        used = np.unique(np.concatenate([t.ids for t in tokens]))
        vocab = batch.outputs.lexicon.vocab
        matrix, known = vectors.matrix([vocab[int(i)] for i in used])
        row = np.full(len(vocab), -1, np.int64)
        row[used] = np.arange(len(used))
        if not len(used):  # the core wants a row to point at
            matrix, known = np.zeros((1, 1), np.float32), np.zeros(1, np.bool_)
        return WordRows(np.ascontiguousarray(matrix), known, row)

    return batch.outputs.remember(("word vectors", reading, id(vectors)), make)


def _starts(tokens: _core.Tokens, n: int) -> Ints:
    """Return where each n-gram begins, text by text."""
    starts = tokens.starts
    many = np.maximum(np.diff(starts) - n + 1, 0)
    before = np.repeat(np.cumsum(many) - many, many)
    places: Ints = np.arange(many.sum()) - before + np.repeat(starts[:-1], many)
    return places
