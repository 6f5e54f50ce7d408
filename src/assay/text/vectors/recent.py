"""The texts that were encoded last, kept in memory up to a number of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class EncodedPieces(NamedTuple):
    """The word pieces of a text and a vector for each, rows of length 1."""

    pieces: tuple[str, ...]
    vectors: Floats


class RecentTexts:
    """What was used last, as much as fits in `limit` bytes of vectors; several threads may share it."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._texts: OrderedDict[str, EncodedPieces] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> EncodedPieces | None:
        """Return what is known of a text, which now counts as the last that was used."""
        with self._lock:
            if text in self._texts:
                self._texts.move_to_end(text)
            return self._texts.get(text)

    def add(self, encoded: Mapping[str, EncodedPieces]) -> None:
        """Keep some texts in place of those that were not used for longest."""
        with self._lock:
            for text, tokens in encoded.items():
                if text not in self._texts:
                    self._texts[text] = tokens
                    self._size += tokens.vectors.nbytes
            while self._size > self._limit:
                _, tokens = self._texts.popitem(last=False)
                self._size -= tokens.vectors.nbytes
