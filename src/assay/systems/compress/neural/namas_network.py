"""The network of namas in NumPy: a feed-forward language model of five words with an encoder of the source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import FormatError
from .sequence_model import Floats, check_shapes, read_about, read_model

Integers = NDArray[np.int64]
UNKNOWN, START, END = range(3)
CONTEXT = 5  # words of the language model
WINDOW = 2  # words to either side that a place of the source is smoothed over
KERNEL = 5  # of the convolution
FEATURES = 6
ENCODERS = ("attention", "bow", "convolution")
_LAYERS = tuple(f"layer{i}{part}" for i in range(3) for part in ("", ".bias"))


@dataclass(frozen=True, eq=False)
class NamasNetwork:
    """The arrays of a model: tables of words (E, F, G and the last layer) and the matrices between them."""

    words: tuple[str, ...]
    encoder: str
    weights: dict[str, tuple[float, ...]]  # of the features, by kind of features
    arrays: dict[str, Floats]

    @classmethod
    def load(cls, path: Path) -> NamasNetwork:
        """Load a model; each file is loaded once."""
        return _load(str(path))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def read(self, source: Integers) -> NamasReader:
        """Read a source, so that words can follow."""
        rows = self.arrays["source"][source]
        if self.encoder == "bow":
            return NamasReader(self, rows, rows.mean(0))
        if self.encoder == "convolution":
            return NamasReader(self, rows, self._convolve(rows))
        return NamasReader(self, rows, _smooth(rows))

    def _convolve(self, rows: Floats) -> Floats:
        """Three layers; as in the released code, the length is halved after the first."""
        state = self._layer(0, rows)
        if len(state) % 2:
            state = np.vstack([state, np.full_like(state[:1], -np.inf)])
        state = np.maximum(np.maximum(state[::2], state[1::2]), 0)
        return np.asarray(self._layer(2, np.maximum(self._layer(1, state), 0)).max(0), np.float32)

    def _layer(self, i: int, rows: Floats) -> Floats:
        padded = np.pad(rows, ((KERNEL // 2, KERNEL // 2), (0, 0)))
        weight = self.arrays[f"layer{i}"]
        parts = (padded[k : k + len(rows)] @ weight[k] for k in range(KERNEL))
        return np.asarray(sum(parts) + self.arrays[f"layer{i}.bias"], np.float32)


@dataclass(frozen=True, eq=False)
class NamasReader:
    """A source as the encoder has it: its rows (F x), and what attention averages or what stands for the whole."""

    network: NamasNetwork
    rows: Floats
    code: Floats

    def attend(self, contexts: Integers) -> Floats:
        """Return how much of each place of the source is read after each context; all the same without attention."""
        if self.network.encoder != "attention":
            return np.full((len(contexts), len(self.rows)), 1 / len(self.rows), np.float32)
        arrays = self.network.arrays
        query = arrays["query"][contexts].reshape(len(contexts), -1) @ arrays["match"]
        logits = query @ self.rows.T
        values = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(values / values.sum(1, keepdims=True), np.float32)

    def log_p(self, contexts: Integers) -> Floats:
        """Return the log-probability of every word after each context (contexts x CONTEXT words)."""
        arrays = self.network.arrays
        entered = arrays["context"][contexts].reshape(len(contexts), -1)
        hidden = np.tanh(entered @ arrays["enter"] + arrays["enter.bias"])
        if self.network.encoder == "attention":
            code = self.attend(contexts) @ self.code
        else:
            code = np.broadcast_to(self.code, (len(contexts), len(self.code)))
        encoded = code @ arrays["encode"] + arrays["encode.bias"]
        logits = np.hstack([hidden, encoded]) @ arrays["leave"].T
        logits += arrays["leave.bias"]
        logits -= logits.max(1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(1, keepdims=True))
        return np.asarray(logits, np.float32)


def _smooth(rows: Floats) -> Floats:
    """Average each place with its neighbours; zeros stand beyond the ends."""
    padded = np.pad(rows, ((WINDOW, WINDOW), (0, 0)))
    return np.asarray(sum(padded[k : k + len(rows)] for k in range(2 * WINDOW + 1)) / (2 * WINDOW + 1), np.float32)


@lru_cache(maxsize=4)
def _load(name: str) -> NamasNetwork:
    path = Path(name)
    about = _read_namas(path)
    encoder = about["encoder"]
    tables = ["context", "source", "leave", *(["query"] if encoder == "attention" else [])]
    matrices = ["enter", "enter.bias", "encode", "encode.bias", "leave.bias"]
    matrices += {"attention": ["match"], "bow": [], "convolution": [*_LAYERS]}[encoder]
    model = read_model(path, matrices, tables)
    words, width = model.arrays["source"].shape
    if words != len(model.words):
        raise FormatError(f"has {len(model.words)} words, but {words} rows for them", path=path)
    hidden = model.arrays["enter"].shape[-1]
    shapes: dict[str, tuple[int, ...]] = {
        "context": (words, width),
        "enter": (CONTEXT * width, hidden),
        "enter.bias": (hidden,),
        "encode": (width, width),
        "encode.bias": (width,),
        "leave": (words, hidden + width),
        "leave.bias": (words,),
    }
    if encoder == "attention":
        shapes |= {"query": (words, width), "match": (CONTEXT * width, width)}
    if encoder == "convolution":
        shapes |= {layer: (width,) if layer.endswith("bias") else (KERNEL, width, width) for layer in _LAYERS}
    check_shapes(model, shapes, path)
    weights = {str(kind): tuple(float(w) for w in row) for kind, row in about["weights"].items()}
    return NamasNetwork(model.words, encoder, weights, model.arrays)


def _read_namas(path: Path) -> dict[str, Any]:
    about = read_about(path)
    if about.get("encoder") not in ENCODERS:
        raise FormatError(f"its encoder is {about.get('encoder')!r}; known: {', '.join(ENCODERS)}", path=path)
    weights = about.get("weights")
    if not isinstance(weights, dict) or not all(_is_row(row) for row in weights.values()):
        raise FormatError("has no weights of the six features", path=path)
    return about


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == FEATURES and all(isinstance(w, int | float) for w in row)
