"""Bags of n-grams, numbered alike in outputs and in what they are held against."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError
from ..text import TextReading, Texts
from .batch import Batch

Floats = NDArray[np.float64]


class NgramUnit(NamedTuple):
    """n words in a row; one of stop words alone (by the list (smart, short or none) is left out."""

    n: int
    reading: TextReading
    stop: str = "none"

    def check(self) -> NgramUnit:
        """Return the unit itself, or raise an error if n is out of range."""
        if not 1 <= self.n <= 1000:
            raise InputError(f"n-grams need n between 1 and 1000; got {self.n}")
        return self

    def stop_map(self, texts: Texts) -> _core.WordMap | None:
        """Return a map of the lexicon's words to themselves, and of stop words to nothing; None without stop words."""
        return None if self.stop == "none" else texts.lexicon.without_stop_words(self.stop)


class BagPair(NamedTuple):
    """Outputs, the other texts, and which meet which."""

    outputs: _core.Tokens
    others: _core.Tokens
    layout: _core.Layout


def against_references(batch: Batch, unit: NgramUnit, *, keep_own: bool = False) -> BagPair:
    """Return the bags of outputs and of their references."""
    return BagPair(*_bags(batch, unit, batch.references, "references"), batch.layout(keep_own))


def against_sources(batch: Batch, unit: NgramUnit) -> BagPair:
    """Return the bags of outputs and of their items' sources, those of one item taken together."""
    return BagPair(*_bags(batch, unit, batch.source_texts, "sources"), batch.source_layout)


def bags_of_outputs(batch: Batch, unit: NgramUnit) -> _core.Tokens:
    """Return the bags of outputs alone."""

    def make() -> _core.Tokens:
        tokens = batch.outputs.tokens(unit.reading)
        return _core.ngrams([tokens], unit.n, unit.stop_map(batch.outputs))[0]

    return batch.outputs.remember(("n-grams", unit), make)


def per_text(values: Floats, bags: _core.Tokens) -> Floats:
    """Return sums over the units of each text.

    >>> bags = _core.bags(np.array([0, 1, 0]), np.array([0, 2, 2, 3]), 2)
    >>> per_text(np.array([1.0, 2.0, 4.0]), bags).tolist()
    [3.0, 0.0, 4.0]
    """
    return np.bincount(text_of(bags), values, minlength=len(bags)).astype(np.float64)


def text_of(bags: _core.Tokens) -> NDArray[np.int64]:
    """Return for each unit the text it is in."""
    starts = bags.starts
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _bags(batch: Batch, unit: NgramUnit, others: Texts, kind: str) -> tuple[_core.Tokens, _core.Tokens]:
    def make() -> tuple[_core.Tokens, _core.Tokens]:
        tokens = [batch.outputs.tokens(unit.reading), others.tokens(unit.reading)]
        outputs, rest = _core.ngrams(tokens, unit.n, unit.stop_map(batch.outputs))
        return outputs, rest

    return batch.outputs.remember(("n-grams", kind, unit), make)
