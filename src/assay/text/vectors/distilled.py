"""Distilled vectors: what the sentence encoder makes of a word alone, so that no file of word vectors is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..cache import default_cache
from .encoder import encoder

Floats = NDArray[np.float32]


class DistilledVectors:
    """A vector for any word: the sentence encoder's for the word as a text of its own, kept in the user's cache.

    Every word that the encoder cuts into known pieces has one, so also names and misspellings. In the manner of
    Model2Vec (Tulkens and van Dongen 2024), but without its reduction to fewer dimensions: a word's vector does not
    depend on which other words were asked for.
    """

    def __init__(self, model: str = "minilm") -> None:
        self.name = "distilled" if model == "minilm" else f"distilled:{model}"
        self._encoder = encoder(model)

    def matrix(self, words: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return a row for each word, zeros for one the encoder makes nothing of, and which are known."""
        rows = self._encoder.sentences(words, cache=default_cache())
        return rows, np.asarray(rows.any(axis=1))
