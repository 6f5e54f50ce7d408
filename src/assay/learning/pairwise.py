"""Learning to rank: weights under which the better of two summaries of a topic gets the higher score."""

from __future__ import annotations

import numpy as np

from ..data.scores import Floats
from ..errors import InputError
from .examples import Integers

_STEPS = 100


def pair_rows(y: Floats, topic: Integers, *, most: int, seed: int) -> tuple[Integers, Integers]:
    """Return rows (better, worse) of every pair within a topic with different targets, at most `most` drawn at random.

    >>> [r.tolist() for r in pair_rows(np.array([1.0, 2.0, 2.0, 9.0]), np.array([0, 0, 0, 1]), most=10, seed=0)]
    [[1, 2], [0, 0]]
    """
    better: list[Integers] = []
    worse: list[Integers] = []
    for t in np.unique(topic):
        rows = np.flatnonzero(topic == t)
        one, other = np.nonzero(y[rows][:, None] > y[rows][None, :])
        better.append(rows[one])
        worse.append(rows[other])
    up, down = np.concatenate(better), np.concatenate(worse)
    if len(up) > most:
        drawn = np.sort(np.random.default_rng(seed).choice(len(up), most, replace=False))
        up, down = up[drawn], down[drawn]
    return up, down


def ranking_weights(
    x: Floats, y: Floats, topic: Integers, *, c: float = 1.0, most: int = 1_000_000, seed: int = 0
) -> Floats:
    """Return argmin |w|^2 / 2 + C sum over pairs of max(0, 1 - w d)^2, d = better less worse, by Newton's method.

    What LinearSVC(loss="squared_hinge", fit_intercept=False) finds on the differences, without its tolerance.

    >>> ranking_weights(np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, 3.0]), np.zeros(3, int)).round(3).tolist()
    [0.667]
    """
    up, down = pair_rows(y, topic, most=most, seed=seed)
    if not len(up):
        raise InputError("no two summaries of a topic were judged differently: there is nothing to rank")
    d = x[up] - x[down]
    w = np.zeros(x.shape[1])
    margin = d @ w
    for _ in range(_STEPS):
        active = margin < 1
        a = d[active]
        gradient = w - 2 * c * (a.T @ (1 - margin[active]))
        step: Floats = np.linalg.solve(np.eye(len(w)) + 2 * c * (a.T @ a), -gradient).astype(np.float64)
        moved = d @ step
        size = _line(w, step, margin, moved, c)
        w, margin = w + size * step, margin + size * moved
        if np.abs(size * step).max() <= 1e-12 * max(1.0, float(np.abs(w).max())):
            break
    return w


def _line(w: Floats, step: Floats, margin: Floats, moved: Floats, c: float) -> float:
    """Return the share of the Newton step that lowers the loss enough."""

    def loss(size: float) -> float:
        short = np.maximum(0.0, 1 - margin - size * moved)
        return float(0.5 * ((w + size * step) ** 2).sum() + c * (short @ short))

    size, before = 1.0, loss(0.0)
    while size > 1e-6 and loss(size) > before * (1 + 1e-14):
        size /= 2
    return size
