"""The tagger's network in NumPy: two bidirectional LSTMs over a batch of sentences, both directions in one product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tagger_input import Features

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

TABLES = ("word", "tag", "relation", "distance", "depth", "size")
_UNITS = 4096  # in a batch at most; more do not make it faster


@dataclass(frozen=True, eq=False)
class Lstm:
    """A bidirectional LSTM; the gates are in the order input, forget, output, cell, and the first three are halved.

    sigmoid(x) = (1 + tanh(x / 2)) / 2, so that one tanh serves all gates.
    """

    enter: Floats  # input x (2 directions x 4 gates x hidden)
    bias: Floats
    again: Floats  # 2 directions x hidden x (4 gates x hidden)

    def run(self, rows: Floats, first: Integers, last: Integers, active: Sequence[int]) -> Floats:
        """The states of all units: forward and backward side by side.

        `rows` has a row for each unit; `first[t]` and `last[t]` are the rows of the sentences' t-th unit from the front
        and from the back. Sentences come longest first, and `active[t]` tells how many have a t-th unit.
        """
        hidden, again = self.again.shape[1], self.again
        entered = rows @ self.enter
        entered += self.bias
        gates = np.stack([entered[first, : 4 * hidden], entered[last, 4 * hidden :]])  # in the order of the steps
        states = np.empty((2, len(rows), hidden), np.float32)
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
        found = np.empty((len(rows), 2 * hidden), np.float32)
        found[first, :hidden], found[last, hidden:] = states
        return found


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
        """From the arrays of a model's file."""

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
        """p(keep) of every unit of each sentence."""
        found: list[Floats] = [np.zeros(0, np.float32)] * len(sentences)
        for chosen in _batches([len(sentence.word) for sentence in sentences]):
            values = self._batch([sentences[i] for i in chosen])
            at = 0
            for i in chosen:
                size = len(sentences[i].word)
                found[i] = values[at : at + size]
                at += size
        return found

    def _batch(self, sentences: Sequence[Features]) -> Floats:
        lengths = np.array([len(sentence.word) for sentence in sentences])
        starts = np.cumsum(lengths) - lengths
        heads = _heads(sentences, starts)
        first, last, active = _steps(lengths, starts)
        columns = zip(*(sentence[:6] for sentence in sentences), strict=True)
        own = np.concatenate(
            [
                table[np.concatenate([np.array(part, np.intp) for part in column])]
                for table, column in zip(self.tables, columns, strict=True)
            ],
            axis=1,
        )
        state = self.first.run(_with_head(own, heads), first, last, active)
        state = self.second.run(_with_head(state, heads), first, last, active)
        middle = _with_head(state, heads) @ self.middle
        middle += self.middle_bias
        np.maximum(middle, 0, out=middle)
        logits: Floats = (middle @ self.last + self.last_bias).astype(np.float32, copy=False)
        probabilities: Floats = np.tanh(0.5 * logits)
        probabilities += 1
        probabilities *= 0.5
        return probabilities


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Sentences longest first, so that those of a batch have about the same length; empty ones are left out."""
    chosen: list[int] = []
    units = 0
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if not lengths[i]:
            break
        if chosen and units + lengths[i] > _UNITS:
            yield chosen
            chosen, units = [], 0
        chosen.append(i)
        units += lengths[i]
    if chosen:
        yield chosen


def _heads(sentences: Sequence[Features], starts: Integers) -> Integers:
    """The row of each unit's head; the row after the last, which is zero, for a root."""
    nowhere = int(starts[-1]) + len(sentences[-1].word)
    return np.array(
        [
            head + start if head >= 0 else nowhere
            for sentence, start in zip(sentences, starts.tolist(), strict=True)
            for head in sentence.head
        ]
    )


def _steps(lengths: Integers, starts: Integers) -> tuple[Integers, Integers, list[int]]:
    """For each step the rows it works on, from the front and from the back, and how many they are."""
    steps = np.arange(lengths[0])
    active = np.searchsorted(-lengths, -steps, side="left")
    there = np.arange(len(lengths)) < active[:, None]
    first = (starts + steps[:, None])[there]
    last = (starts + lengths - 1 - steps[:, None])[there]
    return first, last, active.tolist()


def _with_head(rows: Floats, heads: Integers) -> Floats:
    width = rows.shape[1]
    found = np.zeros((len(rows), 2 * width), np.float32)
    found[:, :width] = rows
    below = np.flatnonzero(heads < len(rows))
    found[below, width:] = rows[heads[below]]
    return found
