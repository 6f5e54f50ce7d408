"""The beam against all texts over a toy vocabulary."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from assay.systems.compress.neural.namas_features import SourceFeatures
from assay.systems.compress.neural.namas_network import CONTEXT, END, START, UNKNOWN
from assay.systems.compress.neural.namas_search import Bounds, search_words

SIZE = 6  # <unk> <s> </s> and three words, of which the last costs nothing
COSTS = np.array([1, 0, 0, 1, 1, 0])
WEIGHTS = (1.0, 0.7, 0.4, 0.3, -0.6, 0.2)
SOURCE = [3, UNKNOWN, 4]


class Toy:
    """Log p of a word by the two before it, at random."""

    def __init__(self, seed):
        values = np.random.default_rng(seed).normal(0, 2, (SIZE, SIZE, SIZE))
        self.table = (values - np.log(np.exp(values).sum(2, keepdims=True))).astype(np.float32)

    def log_p(self, contexts):
        return self.table[contexts[:, -2], contexts[:, -1]]


def score(model, features, words):
    """Weighted features of a text, and log p of its end."""
    padded = [START] * CONTEXT + list(words)
    total = np.zeros(6)
    for i, word in enumerate(words):
        before, last = padded[i + CONTEXT - 2 : i + CONTEXT]
        total += features.of(before, last, word, model.table[before, last, word])
    total[0] += model.table[padded[-2], padded[-1], END]
    return total @ WEIGHTS


def texts_within(bounds, longest):
    """All texts that the bounds allow."""
    for n in range(1, longest + 1):
        for words in product((UNKNOWN, 3, 4, 5), repeat=n):
            cost = sum(COSTS[list(words)])
            often = all(count <= bounds.at_most(word) for word, count in Counter(words).items())
            early = any(word in bounds.finals for word in words[:-1])
            foreign = bounds.extractive and any(word not in bounds.copies for word in words)
            short = words[-1] in bounds.finals and cost < bounds.low
            if max(1, bounds.low) <= cost <= bounds.high and often and not (early or foreign or short):
                yield words


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "limits",
    [
        {"low": 1, "high": 3},
        {"low": 3, "high": 3},
        {"low": 0, "high": 2, "extractive": True},
        {"low": 2, "high": 3, "finals": (5,)},
    ],
    ids=str,
)
def test_a_beam_of_full_width_finds_the_best_of_all(seed, limits):
    model, features = Toy(seed), SourceFeatures(SOURCE)
    bounds = Bounds(costs=COSTS, copies=dict(Counter(SOURCE)), **limits)
    texts = search_words(model, features, WEIGHTS, bounds, beam=4**5)
    wanted = {words: score(model, features, words) for words in texts_within(bounds, 4)}
    assert {text.words for text in texts} == set(wanted)
    for text in texts:
        assert text.score == pytest.approx(wanted[text.words], abs=1e-5)
        assert text.features @ WEIGHTS == pytest.approx(text.score, abs=1e-5)
    assert texts[0].score == pytest.approx(max(wanted.values()), abs=1e-5)
    assert [text.score for text in texts] == sorted((text.score for text in texts), reverse=True)


def test_a_narrow_beam_keeps_to_the_bounds():
    for seed in range(10):
        bounds = Bounds(2, 3, COSTS, {3: 2, 4: 1})
        for text in search_words(Toy(seed), SourceFeatures([3, 4, 3]), WEIGHTS, bounds, beam=2):
            assert 2 <= sum(COSTS[list(text.words)]) <= 3
            assert UNKNOWN not in text.words
            assert text.words.count(3) <= 2
            assert text.words.count(4) <= 1


def test_repeats_where_they_are_allowed():
    class Stutter:
        def log_p(self, contexts):
            return np.log(np.tile(np.array([0.01, 0.01, 0.02, 0.9, 0.05, 0.01], np.float32), (len(contexts), 1)))

    bounds = Bounds(3, 3, COSTS, {3: 1})
    first = search_words(Stutter(), SourceFeatures([3]), (1, 0, 0, 0, 0, 0), bounds._replace(repeats=True), beam=5)[0]
    assert first.words == (3, 3, 3)
    texts = search_words(Stutter(), SourceFeatures([3]), (1, 0, 0, 0, 0, 0), bounds, beam=5)
    assert texts == []  # three words that cost something, each once, are more than there are
