"""Features by hand, and MERT on lists for which the best weights are known."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from sequence_models import TRAINING

from assay.systems.compress.neural.namas_features import KINDS, SourceFeatures
from assay.systems.compress.neural.namas_network import START

A, B, C, D = 3, 4, 5, 6


@pytest.mark.parametrize(
    ("words", "values"),  # unigram, bigram, trigram, reordered, length
    [
        ((START, START, A), [1, 1, 1, 0, 1]),  # begins as the source does
        ((START, A, B), [1, 1, 1, 0, 1]),
        ((A, B, C), [1, 1, 1, 0, 1]),
        ((A, C, D), [0, 0, 0, 0, 1]),
        ((START, A, C), [1, 0, 0, 0, 1]),
        ((A, C, B), [1, 0, 0, 1, 1]),
        ((D, B, C), [1, 1, 0, 0, 1]),
    ],
)
def test_features_of_the_paper(words, values):
    features = SourceFeatures([A, B, C])
    before, last, word = words
    assert features.of(before, last, word, -0.5).tolist() == [-0.5, *values]


def test_the_released_code_skips_a_word():
    """Its n-grams are x[j-2] x[j] and x[j-3] x[j-2] x[j]: a copied bigram is not found, one with a gap is."""
    features = SourceFeatures([A, B, C, D], "released")
    assert features.of(A, B, C, 0).tolist() == [0, 1, 0, 0, 0, 1]
    assert features.of(START, A, C, 0).tolist() == [0, 1, 1, 1, 0, 1]
    assert features.of(A, B, D, 0).tolist() == [0, 1, 1, 1, 0, 1]
    assert features.of(START, START, B, 0).tolist() == [0, 1, 1, 1, 0, 1]


def test_reordering_with_repeated_words():
    """The paper counts a pair that stands in both orders; the released code only if the other order came first."""
    paper, released = SourceFeatures([A, B, A]), SourceFeatures([A, B, A], "released")
    assert paper.of(START, B, A, 0)[4] == 1
    assert paper.of(START, A, B, 0)[4] == 1
    assert released.of(START, B, A, 0)[4] == 1
    assert released.of(START, A, B, 0)[4] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_all_words_are_sums_of_features(kind):
    features = SourceFeatures([A, B, A, C], kind)
    weights = [1.0, 0.5, -0.25, 2.0, -1.0, 0.125]
    contexts = np.array([[START, START, x, y, z] for x, y, z in product((START, A, B, C, D), repeat=3)])
    scores = np.zeros((len(contexts), 7))
    features.add(scores, contexts, weights)
    for row, context in zip(scores, contexts, strict=True):
        for word in range(7):
            assert row[word] == pytest.approx(features.of(context[-2], context[-1], word, 0.0) @ weights)


@pytest.fixture
def mert(monkeypatch):
    """The module of minimum error rate training."""
    monkeypatch.syspath_prepend(str(TRAINING))
    import mert

    return mert


def random_lists(mert, seed, sentences=6, texts=8):
    rng = np.random.default_rng(seed)
    return [
        mert.Candidates(rng.normal(size=(texts, 3)), rng.integers(0, 5, (texts, 2)).astype(float))
        for _ in range(sentences)
    ]


def ratio(sums):
    """A score of summed statistics that is no sum of the sentences' own."""
    return sums[:, 0] / (1 + sums[:, 1])


def score_at(lists, weights):
    rows = [statistics[np.argmax(features @ weights)] for features, statistics in lists]
    return float(ratio(np.sum(rows, 0)[None])[0])


@pytest.mark.parametrize("seed", range(8))
def test_the_search_along_a_line_is_exact(mert, seed):
    lists = random_lists(mert, seed)
    weights, direction = np.random.default_rng(seed).normal(size=(2, 3))
    step, score = mert.search_line(lists, weights, direction, ratio)
    assert score == pytest.approx(score_at(lists, weights + step * direction))
    grid = [score_at(lists, weights + x * direction) for x in np.linspace(-20, 20, 4001)]
    assert score >= max(grid) - 1e-12
    low, high = -0.3, 0.2
    step, score = mert.search_line(lists, weights, direction, ratio, (low, high))
    assert low <= step <= high
    assert score >= max(score_at(lists, weights + x * direction) for x in np.linspace(low, high, 401)) - 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_the_envelope_is_the_highest_line_everywhere(mert, seed):
    rng = np.random.default_rng(seed)
    starts, slopes = rng.integers(-3, 4, (2, 12)).astype(float)
    corners = mert.envelope(starts, slopes)
    assert corners[0][0] == -np.inf
    for x in np.linspace(-7.03, 7.01, 200):
        line = [i for point, i in corners if point <= x][-1]
        assert starts[line] + slopes[line] * x == pytest.approx(max(starts + slopes * x))


def test_weights_that_were_planted_are_found(mert):
    """The best text is the one that the true weights like most: MERT comes near to choosing it everywhere."""
    rng = np.random.default_rng(3)
    true = np.array([1.0, 2.0, -1.0])
    lists = []
    for _ in range(60):
        features = rng.normal(size=(15, 3))
        right = (np.arange(15) == np.argmax(features @ true)).astype(float)
        lists.append(mert.Candidates(features, np.stack([right, 0 * right], 1)))
    tuning = mert.Tuning(free=(1, 2), low=(1, -5, -5), high=(1, 5, 5))
    weights, score = mert.tune_weights(lists, [1.0, 0.0, 0.0], ratio, tuning)
    assert weights[0] == 1
    assert score == pytest.approx(score_at(lists, weights))
    assert score >= 58
    again, _ = mert.tune_weights(lists, [1.0, 0.0, 0.0], ratio, tuning)
    assert again.tolist() == weights.tolist()
    bounded, _ = mert.tune_weights(lists, [1.0, 0.0, 0.0], ratio, tuning._replace(high=(1, 0.5, 0)))
    assert bounded[1] <= 0.5
    assert bounded[2] <= 0
