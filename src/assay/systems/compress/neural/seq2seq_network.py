"""The network of seq2seq in NumPy: a stack of LSTMs reads a sentence backwards, then again and labels it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....errors import FormatError
from .sequence_model import Floats, check_shapes, read_model

Integers = NDArray[np.int64]
LAYERS = 3
DELETE, KEEP, END = range(3)
NONE = 3  # no label yet
MATRICES = tuple(f"layer{i}.{part}" for i in range(LAYERS) for part in ("enter", "again", "bias"))


@dataclass(frozen=True, eq=False)
class LstmLayer:
    """One LSTM; gates in the order input, forget, output, cell, the first three halved so that one tanh serves all.

    sigmoid(x) = (1 + tanh(x / 2)) / 2
    """

    enter: Floats  # input x (4 gates x hidden)
    again: Floats  # hidden x (4 gates x hidden)
    bias: Floats

    def step(self, entered: Floats, state: Floats, cell: Floats) -> tuple[Floats, Floats]:
        """Compute the next state and cell; `entered` is the input times `enter`, with the bias."""
        hidden = len(self.again)
        now = entered + state @ self.again
        np.tanh(now, out=now)
        gates = now[..., : 3 * hidden]
        gates *= 0.5
        gates += 0.5
        cell = cell * gates[..., hidden : 2 * hidden] + gates[..., :hidden] * now[..., 3 * hidden :]
        return gates[..., 2 * hidden :] * np.tanh(cell), cell


@dataclass(frozen=True, eq=False)
class Seq2SeqNetwork:
    """Words as vectors, the stack, and the layer of the labels delete, keep and end."""

    words: dict[str, int]  # 0 is for what is unknown
    table: Floats  # the last row stands for the end
    layers: tuple[LstmLayer, ...]
    label: Floats
    label_bias: Floats

    @classmethod
    def load(cls, path: Path) -> Seq2SeqNetwork:
        """Load a model; each file is loaded once."""
        return _load(str(path))

    def numbers(self, forms: Sequence[str]) -> Integers:
        """Return the words' numbers."""
        return np.array([self.words.get(form, 0) for form in forms], np.int64)

    def read(self, words: Integers) -> LabelReader:
        """Read a sentence backwards, so that it can be labelled."""
        layers = self.layers
        width = self.table.shape[1]
        rows = self.table[words]
        inputs = rows[::-1]
        states = []
        entered = inputs @ layers[0].enter[:width] + layers[0].bias  # no label yet: its columns are zeros
        for i, layer in enumerate(layers):
            hidden = len(layer.again)
            state = cell = np.zeros(hidden, np.float32)
            outputs = np.empty((len(words), hidden), np.float32)
            for t, row in enumerate(entered):
                state, cell = layer.step(row, state, cell)
                outputs[t] = state
            states.append((state[None], cell[None]))
            if i + 1 < len(layers):
                entered = outputs @ layers[i + 1].enter + layers[i + 1].bias
        return LabelReader(self, rows @ layers[0].enter[:width] + layers[0].bias, tuple(states))


@dataclass(eq=False)
class LabelReader:
    """The second reading of a sentence, of several labellings at once; it starts as many times as it is asked to."""

    network: Seq2SeqNetwork
    entered: Floats  # what the first layer gets of each word
    start: tuple[tuple[Floats, Floats], ...]  # state and cell of each layer after the first reading

    def __post_init__(self) -> None:
        self._states = self.start

    def begin(self, count: int) -> None:
        """Start again with n labellings."""
        self._states = tuple((np.repeat(s, count, 0), np.repeat(c, count, 0)) for s, c in self.start)

    def advance(self, t: int, parents: Integers, labels: Integers) -> NDArray[np.float64]:
        """Read word `t` after labellings `parents` with these last labels; return log p of delete and keep."""
        layers = self.network.layers
        width = self.network.table.shape[1]
        codes = np.vstack([layers[0].enter[width:], np.zeros_like(layers[0].bias)])  # of the labels, and of none
        entered = self.entered[t] + codes[labels]
        states = []
        for i, layer in enumerate(layers):
            state, cell = layer.step(entered, self._states[i][0][parents], self._states[i][1][parents])
            states.append((state, cell))
            if i + 1 < len(layers):
                entered = state @ layers[i + 1].enter + layers[i + 1].bias
        self._states = tuple(states)
        logits = (state @ self.network.label + self.network.label_bias)[:, :END].astype(np.float64)
        logits -= logits.max(1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(1, keepdims=True)), np.float64)


@lru_cache(maxsize=4)
def _load(name: str) -> Seq2SeqNetwork:
    path = Path(name)
    model = read_model(path, (*MATRICES, "label", "label.bias"), ("word",))
    arrays = model.arrays
    table, hidden = arrays["word"], arrays["label"].shape[0]
    if len(table) != len(model.words) + 1:
        raise FormatError(f"has {len(model.words)} words, but {len(table)} rows for them and the end", path=path)
    shapes: dict[str, tuple[int, ...]] = {"label": (hidden, END + 1), "label.bias": (END + 1,)}
    for i in range(LAYERS):
        width = hidden if i else table.shape[1] + END + 1
        parts = {"enter": (width, 4 * hidden), "again": (hidden, 4 * hidden), "bias": (4 * hidden,)}
        shapes |= {f"layer{i}.{part}": shape for part, shape in parts.items()}
    check_shapes(model, shapes, path)
    layers = tuple(
        LstmLayer(*(arrays[f"layer{i}.{part}"] for part in ("enter", "again", "bias"))) for i in range(LAYERS)
    )
    words = {word: i for i, word in enumerate(model.words)}
    return Seq2SeqNetwork(words, table, layers, arrays["label"], arrays["label.bias"])
