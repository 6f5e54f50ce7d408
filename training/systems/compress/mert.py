"""Minimum error rate training (Och 2003): weights of features that make a corpus score of n-best lists largest.

Along a line of weights the best text of each sentence changes at a few points only. They are found exactly, as the
upper envelope of lines, so that each search along a line is exact too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

Objective = Callable[[np.ndarray], np.ndarray]  # rows of summed statistics to a score each


class Candidates(NamedTuple):
    """The n-best list of one sentence: features, and statistics that add up over sentences, a row for each text."""

    features: np.ndarray
    statistics: np.ndarray


def envelope(starts: np.ndarray, slopes: np.ndarray) -> list[tuple[float, int]]:
    """Find where which line is highest: from -infinity on, the point from which each is, and its number.

    >>> envelope(np.array([0.0, 1.0, -9.0]), np.array([1.0, 0.0, 0.5]))
    [(-inf, 1), (1.0, 0)]
    """
    corners: list[tuple[float, int]] = []
    for i in np.lexsort((starts, slopes)):  # rising slopes; of parallel lines the highest comes last
        while corners:
            since, j = corners[-1]
            if slopes[i] == slopes[j]:
                corners.pop()
                continue
            point = (starts[j] - starts[i]) / (slopes[i] - slopes[j])
            if point > since:
                corners.append((float(point), int(i)))
                break
            corners.pop()
        if not corners:
            corners.append((-np.inf, int(i)))
    return corners


def search_line(
    lists: Sequence[Candidates],
    weights: np.ndarray,
    direction: np.ndarray,
    objective: Objective,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> tuple[float, float]:
    """Find how far to go from `weights` along `direction`, and the score there.

    Of an interval in which nothing changes the middle is taken, or a point not far from its only end.
    """
    total = np.zeros(lists[0].statistics.shape[1])
    changes: list[tuple[float, np.ndarray]] = []
    for features, statistics in lists:
        corners = envelope(features @ weights, features @ direction)
        total = total + statistics[corners[0][1]]
        for (_, old), (point, new) in pairwise(corners):
            changes.append((point, statistics[new] - statistics[old]))
    changes.sort(key=lambda change: change[0])
    points = np.array([point for point, _ in changes])
    sums = (
        total + np.vstack([np.zeros(len(total)), np.cumsum([step for _, step in changes], 0)])
        if changes
        else total[None]
    )
    lows, highs = np.concatenate([[-np.inf], points]), np.concatenate([points, [np.inf]])
    lows, highs = np.maximum(lows, bounds[0]), np.minimum(highs, bounds[1])
    scores = np.where(highs - lows > 1e-9, objective(sums), -np.inf)
    best = int(np.argmax(scores))
    return _inside(lows[best], highs[best]), float(scores[best])


def _inside(low: float, high: float) -> float:
    if np.isinf(low) and np.isinf(high):
        return 0.0
    if np.isinf(low):
        return high - 0.1
    return low + 0.1 if np.isinf(high) else (low + high) / 2


class Tuning(NamedTuple):
    """Which weights are tuned, between which bounds, and how many random starts and directions are tried."""

    free: tuple[int, ...]
    low: tuple[float, ...]  # of every weight
    high: tuple[float, ...]
    starts: int = 8
    seed: int = 0


def tune_weights(
    lists: Sequence[Candidates], weights: Sequence[float], objective: Objective, tuning: Tuning
) -> tuple[np.ndarray, float]:
    """Find weights by exact line searches along each of them and random directions, from several starts."""
    rng = np.random.default_rng(tuning.seed)
    low, high, free = np.array(tuning.low), np.array(tuning.high), list(tuning.free)
    best, score = np.array(weights, float), -np.inf
    for start in range(tuning.starts):
        point = np.array(weights, float)
        if start:
            point[free] = np.clip(point[free] + rng.normal(0, 1, len(free)), low[free], high[free])
        point, reached = _climb(lists, point, objective, tuning, rng)
        if reached > score + 1e-9:
            best, score = point, reached
    return best, score


def _climb(
    lists: Sequence[Candidates], point: np.ndarray, objective: Objective, tuning: Tuning, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    score = -np.inf
    for _ in range(20):
        before = score
        for direction in _directions(len(point), tuning.free, rng):
            step, reached = search_line(lists, point, direction, objective, _reach(point, direction, tuning))
            if reached > score + 1e-9:
                point, score = point + step * direction, reached
        if score <= before + 1e-6:
            break
    return point, score


def _directions(size: int, free: Sequence[int], rng: np.random.Generator) -> Iterator[np.ndarray]:
    for i in rng.permutation(free):
        yield np.eye(size)[i]
    for _ in range(2):
        direction = np.zeros(size)
        direction[list(free)] = rng.normal(0, 1, len(free))
        yield direction


def _reach(point: np.ndarray, direction: np.ndarray, tuning: Tuning) -> tuple[float, float]:
    """How far a direction may be followed before a weight meets its bound."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (np.array(tuning.low) - point) / direction, (np.array(tuning.high) - point) / direction
    moving = direction != 0
    return float(np.minimum(one, other)[moving].max()), float(np.maximum(one, other)[moving].min())
