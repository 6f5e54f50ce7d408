"""The tagger's network in NumPy: two bidirectional LSTMs over a batch of sentences, both directions in one product."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....errors import InputError
from ._tagger_input import DEPTHS, DISTANCES, SIZES, Features

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

TABLES = ("word", "tag", "relation", "distance", "depth", "size")
ARRAYS = (
    *TABLES[1:],
    "first.enter",
    "first.bias",
    "first.again",
    "second.enter",
    "second.bias",
    "second.again",
    "middle.weight",
    "middle.bias",
    "last.weight",
    "last.bias",
)
_UNITS = 4096  # in a batch at most; more do not make it faster


@dataclass(frozen=True, eq=False)
class Lstm:
    """A bidirectional LSTM; the gates are in the order input, forget, output, cell, and the first three are halved.

    sigmoid(x) = (1 + tanh(x / 2)) / 2, so that one tanh serves all gates.
    """

    enter: Floats  # input x (2 directions x 4 gates x hidden)
    bias: Floats
    again: Floats  # 2 directions x hidden x (4 gates x hidden)

    def run(self, entered: Floats, first: Integers, last: Integers, active: Sequence[int]) -> Floats:
        """Compute the states of all units: forward and backward side by side.

        `entered` has a row for each unit: its input times `enter`. `first[t]` and `last[t]` are the rows of the
        sentences' t-th unit from the front and from the back, one step after another. Sentences come longest first,
        and `active[t]` tells how many have a t-th unit.
        """
        hidden, again = self.again.shape[1], self.again
        gates = np.stack([entered[first, : 4 * hidden], entered[last, 4 * hidden :]])  # in the order of the steps
        states = np.empty((2, len(entered), hidden), np.float32)
        state = cell = np.zeros((2, active[0], hidden), np.float32)
        at = 0
        for count in active:
            now = gates[:, at : at + count]
            now += state[:, :count] @ again
            np.tanh(now, out=now)
            opened = now[..., : 3 * hidden]
            opened *= 0.5
            opened += 0.5
            cell = cell[:, :count] * opened[..., hidden : 2 * hidden]
            cell += opened[..., :hidden] * now[..., 3 * hidden :]
            state = np.multiply(opened[..., 2 * hidden :], np.tanh(cell), out=states[:, at : at + count])
            at += count
        output = np.empty((len(entered), 2 * hidden), np.float32)
        output[first, :hidden], output[last, hidden:] = states
        return output


@dataclass(frozen=True, eq=False)
class Network:
    """Embeddings of a unit and its head, two LSTMs, the second of which also reads the head's state, a hidden layer."""

    tables: tuple[Floats, ...]
    first: Lstm
    second: Lstm
    middle: Floats
    middle_bias: Floats
    last: Floats
    last_bias: float

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> Network:
        """Build the network from the arrays of a model file; an InputError if they do not fit together."""
        _check_shapes({name: array.shape for name, array in arrays.items()})

        def floats(name: str) -> Floats:
            return np.ascontiguousarray(arrays[name], np.float32)

        return cls(
            tuple(floats(name) for name in TABLES),
            Lstm(floats("first.enter"), floats("first.bias"), floats("first.again")),
            Lstm(floats("second.enter"), floats("second.bias"), floats("second.again")),
            floats("middle.weight"),
            floats("middle.bias"),
            floats("last.weight"),
            float(arrays["last.bias"]),
        )

    def keep(self, sentences: Sequence[Features]) -> list[Floats]:
        """Compute p(keep) for every unit of each sentence."""
        return self.answer(sentences, self.keep_head)

    def answer(self, sentences: Sequence[Features], head: Callable[[Floats], Floats]) -> list[Floats]:
        """Compute what `head` makes of the last hidden layer, for every unit of each sentence."""
        output: list[Floats] = [np.zeros(0, np.float32)] * len(sentences)
        for batch in _batches([len(sentence.word) for sentence in sentences]):
            values = head(self._hidden([sentences[i] for i in batch]))
            at = 0
            for i in batch:
                size = len(sentences[i].word)
                output[i] = values[at : at + size]
                at += size
        return output

    def _hidden(self, sentences: Sequence[Features]) -> Floats:
        lengths = np.array([len(sentence.word) for sentence in sentences])
        starts = np.cumsum(lengths) - lengths
        heads = Heads.of(sentences, starts)
        first, last, active = _steps(lengths, starts)
        columns = zip(*(sentence[:6] for sentence in sentences), strict=True)
        own = np.concatenate(
            [
                table[np.concatenate([np.array(part, np.intp) for part in column])]
                for table, column in zip(self.tables, columns, strict=True)
            ],
            axis=1,
        )
        state = self.first.run(heads.product(own, self.first.enter, self.first.bias), first, last, active)
        state = self.second.run(heads.product(state, self.second.enter, self.second.bias), first, last, active)
        middle = heads.product(state, self.middle, self.middle_bias)
        np.maximum(middle, 0, out=middle)
        return middle

    def keep_head(self, middle: Floats) -> Floats:
        """Compute p(keep) from the last hidden layer."""
        logits: Floats = (middle @ self.last + self.last_bias).astype(np.float32, copy=False)
        probabilities: Floats = np.tanh(0.5 * logits)
        probabilities += 1
        probabilities *= 0.5
        return probabilities


def _check_shapes(shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Check that the arrays fit together, and have a row for each value that a feature can have."""
    for name, least in (("distance", 2 * DISTANCES + 2), ("depth", DEPTHS + 1), ("size", SIZES + 1)):
        if len(shapes[name]) != 2 or shapes[name][0] < least:
            raise InputError(f"the array {name} has the shape {shapes[name]}; it needs {least} rows")
    width = sum(shapes[name][-1] for name in TABLES)
    hidden, middle = (shapes[name][1] if len(shapes[name]) > 1 else 0 for name in ("first.again", "middle.weight"))
    wanted = {
        "first.enter": (2 * width, 8 * hidden),
        "first.bias": (8 * hidden,),
        "first.again": (2, hidden, 4 * hidden),
        "second.enter": (4 * hidden, 8 * hidden),
        "second.bias": (8 * hidden,),
        "second.again": (2, hidden, 4 * hidden),
        "middle.weight": (4 * hidden, middle),
        "middle.bias": (middle,),
        "last.weight": (middle,),
        "last.bias": (),
    }
    for name, shape in wanted.items():
        if shapes[name] != shape:
            raise InputError(f"the array {name} has the shape {shapes[name]}; the others ask for {shape}")


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group sentences by length into batches, longest first; empty ones are left out."""
    batch: list[int] = []
    units = 0
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if not lengths[i]:
            break
        if batch and units + lengths[i] > _UNITS:
            yield batch
            batch, units = [], 0
        batch.append(i)
        units += lengths[i]
    if batch:
        yield batch


class Heads(NamedTuple):
    """Units that have a head, the rows that are heads, and which of these each such unit has."""

    below: Integers
    above: Integers
    which: Integers

    @classmethod
    def of(cls, sentences: Sequence[Features], starts: Integers) -> Heads:
        """Build the heads of a batch of sentences; their rows follow one another."""
        rows = np.array(
            [
                head + start if head >= 0 else -1
                for sentence, start in zip(sentences, starts.tolist(), strict=True)
                for head in sentence.head
            ]
        )
        below = np.flatnonzero(rows >= 0)
        above, which = np.unique(rows[below], return_inverse=True)
        return cls(below, above, which)

    def product(self, rows: Floats, weights: Floats, bias: Floats) -> Floats:
        """Multiply each row and that of its head (zeros for a root), side by side, with the weights; each head once."""
        width = rows.shape[1]
        output: Floats = rows @ weights[:width]
        output += bias
        output[self.below] += (rows[self.above] @ weights[width:])[self.which]
        return output


def _steps(lengths: Integers, starts: Integers) -> tuple[Integers, Integers, list[int]]:
    """Return, for each step, the rows from the front and from the back, and their number."""
    steps = np.arange(lengths[0])
    active = np.searchsorted(-lengths, -steps, side="left")
    there = np.arange(len(lengths)) < active[:, None]
    first = (starts + steps[:, None])[there]
    last = (starts + lengths - 1 - steps[:, None])[there]
    return first, last, active.tolist()
