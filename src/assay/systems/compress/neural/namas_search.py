"""Beam search of namas: the most likely words after a source, within bounds of the length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .namas_features import SourceFeatures
from .namas_network import CONTEXT, END, FEATURES, START, UNKNOWN

Integers = NDArray[np.int64]
_BLOCK = 128  # options of which only the best is looked at first
_MARKS = 6  # words that cost nothing (marks, clitics) that a text may have in addition to half as many as words


class WordReader(Protocol):
    """A model of the next word."""

    def log_p(self, contexts: Integers) -> NDArray[np.float32]:
        """Return the log-probability of every word after each context."""


class Hypothesis(NamedTuple):
    """A text of the beam that has an end: its words, its features added up, and its score."""

    words: tuple[int, ...]
    features: NDArray[np.float64]
    score: float


class Bounds(NamedTuple):
    """What the words of a text may cost together, what each word costs, and which may be used how often."""

    low: int
    high: int
    costs: Integers  # of every word
    copies: dict[int, int]  # words of the source, and how often it has them
    placeholders: frozenset[int] = frozenset(
        {UNKNOWN}
    )  # words that stand for words of the source: unknown ones, numbers
    finals: tuple[int, ...] = ()  # marks that end a sentence: only where the text may end
    extractive: bool = False  # whether only words of the source may be used
    repeats: bool = False  # whether a word may be used more often than in the source (a new one: more than once)

    def at_most(self, word: int) -> int:
        """Return how often a word may be used."""
        return max(0 if word in self.placeholders else 1, self.copies.get(word, 0))


def search_words(
    reader: WordReader, features: SourceFeatures, weights: Sequence[float], bounds: Bounds, *, beam: int
) -> list[Hypothesis]:
    """Return the texts that end within the bounds, best first; none if there is none.

    The score is the sum of the weighted features over the words; the end adds its log p.
    """
    allowed = np.zeros(len(bounds.costs), np.float64)
    if bounds.extractive:
        allowed[:] = -np.inf
        allowed[list(bounds.copies)] = 0
    allowed[START] = -np.inf
    allowed[[word for word in bounds.placeholders if word not in bounds.copies]] = -np.inf
    allowed[END] = 0
    paths: list[tuple[int, ...]] = [()]
    contexts = np.full((1, CONTEXT), START, np.int64)
    scores, spent, sums = np.zeros(1), np.zeros(1, np.int64), np.zeros((1, FEATURES))
    results: list[Hypothesis] = []
    for _ in range(bounds.high + bounds.high // 2 + _MARKS):
        log_p = reader.log_p(contexts)
        options = float(weights[0]) * log_p.astype(np.float64)
        features.add(options, contexts, weights)
        options[:, END] = weights[0] * log_p[:, END]  # the end is not a word: it has no feature but log p
        options += scores[:, None] + allowed
        _forbid(options, paths, spent, bounds)
        _collect(options, paths, sums, log_p, results)
        order = _best(options, beam)
        if not len(order):
            break
        parents, words = np.divmod(order, options.shape[1])
        scores, spent = options.flat[order], spent[parents] + bounds.costs[words]
        sums = sums[parents] + [
            features.of(int(contexts[k, -2]), int(contexts[k, -1]), int(word), float(log_p[k, word]))
            for k, word in zip(parents, words, strict=True)
        ]
        contexts = np.hstack([contexts[parents, 1:], words[:, None]])
        paths = [(*paths[k], int(word)) for k, word in zip(parents, words, strict=True)]
    return sorted(results, key=lambda text: -text.score)


def _forbid(options: NDArray[np.float64], paths: Sequence[tuple[int, ...]], spent: Integers, bounds: Bounds) -> None:
    """Exclude words that would cost too much or were used often enough, and the end of a text that is too short."""
    left = bounds.high - spent
    if left.min() < bounds.costs.max():
        options[bounds.costs[None] > left[:, None]] = -np.inf
    short = spent < max(1, bounds.low)
    for word in (END, *bounds.finals):
        options[short, word] = -np.inf
    over = np.array([bool(path) and path[-1] in bounds.finals for path in paths])
    options[over, :END] = options[over, END + 1 :] = -np.inf
    for row, path in zip(options, paths, strict=True):
        for word, count in Counter(path).items():
            if count >= bounds.at_most(word) and not (bounds.repeats and word not in bounds.placeholders):
                row[word] = -np.inf


def _collect(
    options: NDArray[np.float64],
    paths: Sequence[tuple[int, ...]],
    sums: NDArray[np.float64],
    log_p: NDArray[np.float32],
    results: list[Hypothesis],
) -> None:
    """Move texts that end here out of the beam, so that they take no place of others."""
    for k in np.flatnonzero(np.isfinite(options[:, END])).tolist():
        total = sums[k].copy()
        total[0] += log_p[k, END]
        results.append(Hypothesis(paths[k], total, float(options[k, END])))
    options[:, END] = -np.inf


def _best(options: NDArray[np.float64], beam: int) -> Integers:
    """Return the places of the best options, best first."""
    flat = options.ravel()
    # The best of each block: the beam's last option cannot be lower than the last of those.
    blocks = np.maximum.reduceat(flat, np.arange(0, len(flat), _BLOCK))
    least = np.partition(blocks, -beam)[-beam] if len(blocks) > beam else -np.inf
    places = np.flatnonzero(flat >= least)
    places = places[np.isfinite(flat[places])]
    return np.asarray(places[np.lexsort((places, -flat[places]))][:beam], np.int64)
