"""Fit the weights of a splitter: multinomial logistic regression over the candidates of each word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.optimize
import scipy.sparse
from numpy.typing import NDArray

from assay import _core
from assay.text.compounds.language import Language, SplitLimits

Gold = tuple[str, tuple[int, ...]]  # a word and its boundaries


class GoldSet(NamedTuple):
    """Words to learn from: how much each counts, and how they are to be split."""

    words: Sequence[Gold]
    weight: float = 1.0
    parts: int = 8
    removed: Sequence[str] = ()


def make_splitter(
    lexicon: _core.Lexicon,
    language: Language,
    weights: NDArray[np.float32],
    *,
    parts: int = 8,
    candidates: int = 1,
    refuse: bool = True,
    guess: bool = True,
) -> _core.Splitter:
    """Make the compiled splitter of a language with given weights."""
    lexical = SplitLimits(**{**vars(language.limits), "parts": min(parts, language.limits.parts)})
    guesser = SplitLimits(**{**vars(language.guesser), "parts": min(parts, language.guesser.parts)})
    return _core.Splitter(
        lexicon,
        ["", *language.links],
        list(language.endings),
        language.pairs(),
        lexical.array(),
        guesser.array(),
        weights,
        guess,
        refuse,
        False,
        language.hyphens,
        candidates,
        language.tagged,
    )


class Candidates(NamedTuple):
    """Features of candidates, the word of each, and whether it is the right one."""

    features: scipy.sparse.csr_matrix
    word: NDArray[np.int64]
    right: NDArray[np.bool_]
    weight: NDArray[np.float64]


def collect(
    lexicon: _core.Lexicon, language: Language, weights: NDArray[np.float32], gold: GoldSet, most: int
) -> Candidates:
    """Collect the candidates of every word that has the right one among them."""
    splitter = make_splitter(lexicon, language, weights, parts=gold.parts, candidates=most)
    if gold.removed:
        splitter.remove(list(gold.removed))
    (word, _, _, parts, begin, *_), offsets, features = splitter.features([w for w, _ in gold.words])
    ends = np.cumsum(parts)
    rights = np.zeros(len(word), bool)
    for i, (w, end, n) in enumerate(zip(word, ends, parts, strict=True)):
        rights[i] = tuple(begin[end - n + 1 : end].tolist()) == tuple(gold.words[w][1])
    matrix = scipy.sparse.csr_matrix(
        (np.ones(len(features)), features, offsets), shape=(len(word), _core.split_weights())
    )
    usable = np.isin(word, np.unique(word[rights]))
    rows = np.flatnonzero(usable)
    return Candidates(matrix[rows], word[rows], rights[rows], np.full(len(rows), gold.weight))


def fit(
    sets: Sequence[Candidates], prior: NDArray[np.float64], *, ridge: float, rounds: int = 120
) -> NDArray[np.float64]:
    """Fit weights by L-BFGS, drawn towards `prior`."""
    matrix = scipy.sparse.vstack([s.features for s in sets]).tocsr()
    starts, shift = [], 0
    for s in sets:
        _, first = np.unique(s.word, return_index=True)
        starts.append(first + shift)
        shift += len(s.word)
    start = np.concatenate(starts)
    size = np.diff(np.append(start, shift))
    group = np.repeat(np.arange(len(start)), size)
    right = np.concatenate([s.right for s in sets])
    weight = np.concatenate([s.weight for s in sets])[start]
    transposed = matrix.T.tocsr()

    def objective(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = matrix @ w
        scores -= np.maximum.reduceat(scores, start)[group]
        e = np.exp(scores)
        every, good = np.add.reduceat(e, start), np.add.reduceat(np.where(right, e, 0.0), start)
        good = np.maximum(good, 1e-300)
        loss = float(np.sum(weight * (np.log(every) - np.log(good))))
        slope = weight[group] * (e / every[group] - np.where(right, e / good[group], 0.0))
        away = w - prior
        return loss + ridge / 2 * float(away @ away), transposed @ slope + ridge * away

    answer = scipy.optimize.minimize(
        objective, prior.copy(), jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 8}
    )
    return np.asarray(answer.x)


def fit_temperature(chances: Sequence[tuple[NDArray[np.float64], bool]]) -> float:
    """Return the temperature at which the best candidate is right as often as its probability says: least log loss.

    Each word is given by the scores of its candidates, best first, and whether the best one is right.
    """

    def loss(temperature: float) -> float:
        total = 0.0
        for scores, right in chances:
            p = 1 / np.exp((scores - scores[0]) / temperature).sum()
            total -= np.log(max(p if right else 1 - p, 1e-9))
        return float(total)

    return float(min(np.geomspace(0.5, 5, 47), key=loss))


def score_words(splitter: _core.Splitter, gold: Sequence[Gold]) -> list[tuple[NDArray[np.float64], bool]]:
    """Return the scores of the candidates of each word, best first, and whether the best one is right."""
    word, score, _, parts, begin, *_ = splitter.split([w for w, _ in gold])
    ends = np.cumsum(parts)
    first = np.searchsorted(word, np.arange(len(gold) + 1))
    out = []
    for i, (_, boundaries) in enumerate(gold):
        a, b = first[i], first[i + 1]
        if a < b:
            places = tuple(begin[ends[a] - parts[a] + 1 : ends[a]].tolist())
            out.append((np.asarray(score[a:b]), places == tuple(boundaries)))
    return out


def start_weights() -> NDArray[np.float64]:
    """Return weights to begin with: few parts, long and frequent ones, unknown ones dear.

    The places are those of the compiled core (`src/core/compound/splitter.cpp`).
    """
    w = np.zeros(_core.split_weights())
    w[1], w[2] = -1.0, -2.0
    length, frequency, unknown = 16, 48, 920
    for side in (0, 1):
        w[length + 16 * side : length + 16 * side + 16] = np.minimum(np.arange(16), 6) * 0.4
        w[frequency + 16 * side : frequency + 16 * side + 16] = np.arange(16) * 0.2
        w[unknown + 32 * side : unknown + 32 * side + 32] = -2.0
    return w
