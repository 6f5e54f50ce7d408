"""Soft overlap: n-grams that match by the cosine of their word vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..text import Reading, Texts
from .batch import Batch, Counts
from .ngram_bags import NgramUnit, against_references

Ints = NDArray[np.int64]


class Vectors(Protocol):
    """Whatever has a vector for words: see text/vectors.py."""

    def matrix(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """A row for each word, zeros for an unknown one, and which are known."""


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


def soft_counts(batch: Batch, n: int, reading: Reading, vectors: Vectors, rule: Rule, *, keep_own: bool) -> Counts:
    """Matches and totals as the overlap kernel gives them, with soft matches."""
    bags = against_references(batch, NgramUnit(n, reading), keep_own=keep_own)
    tokens = batch.outputs.tokens(reading), batch.references.tokens(reading)
    rows = word_rows(batch, reading, vectors)
    words = np.zeros((max(1, bags.outputs.vocab_size, bags.others.vocab_size), n), np.int64)
    for made, of in zip((bags.outputs, bags.others), tokens, strict=True):
        first = _places(of, n)
        for k in range(n):
            words[made.ids, k] = rows.row[of.ids[first + k]]
    known = rows.known.astype(np.uint8)
    product = rule.combine == "product"
    return _core.soft_overlap(*bags, rows.vectors, known, words, product, rule.threshold, rule.whole)


def word_rows(batch: Batch, reading: Reading, vectors: Vectors) -> WordRows:
    """The vector of every word of outputs and references, looked up once."""

    def make() -> WordRows:
        sides: list[Texts] = [batch.outputs, batch.references]
        tokens = [texts.tokens(reading) for texts in sides]
        used = np.unique(np.concatenate([t.ids for t in tokens]))
        vocab = batch.outputs.lexicon.vocab
        found, known = vectors.matrix([vocab[int(i)] for i in used])
        row = np.full(len(vocab), -1, np.int64)
        row[used] = np.arange(len(used))
        if not len(used):  # the core wants a row to point at
            found, known = np.zeros((1, 1), np.float32), np.zeros(1, np.bool_)
        return WordRows(np.ascontiguousarray(found), known, row)

    return batch.outputs.remember(("word vectors", reading, id(vectors)), make)


def _places(tokens: _core.Tokens, n: int) -> Ints:
    """Where each n-gram begins, text by text."""
    starts = tokens.starts
    many = np.maximum(np.diff(starts) - n + 1, 0)
    before = np.repeat(np.cumsum(many) - many, many)
    places: Ints = np.arange(many.sum()) - before + np.repeat(starts[:-1], many)
    return places
