"""Adjust the means of systems for the items they were scored on: generalized least squares with items drawn at random.

y = mean of the system + item + cluster (+ rater) + error. The variances of items, clusters and raters are one for all
systems, that of the error is each system's own, or one for all; they are fitted by restricted maximum likelihood with
average information (Gilmour, Thompson and Cullis 1995). Degrees of freedom are Satterthwaite's (Fai and
Cornelius 1996).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Ints, floats

_ROUNDS, _MIN_THETA = 60, 1e-9


@dataclass(frozen=True)
class CrossedModel:
    """Adjusted means of systems, their covariance, and for each pair the variance and df of the difference."""

    means: Array
    covariance: Array
    difference: Array
    error: Array
    df: Array
    variances: dict[str, float]
    residual: Array
    loglik: float


def crossed_model(
    values: ArrayLike,
    system: ArrayLike,
    factors: Mapping[str, ArrayLike],
    *,
    pooled: bool = False,
) -> CrossedModel:
    """Fit the means of systems to scores (rows), with the level of each random factor for every row.

    `system` numbers systems from 0, each with at least two rows; `pooled`: one error variance for all systems. A factor
    with one level, or with a level for each row, is left out.

    >>> y = [1.0, 2, 4, 3, 2.5, 3, 5.5, 4, 9]
    >>> fit = crossed_model(y, [0, 0, 0, 0, 1, 1, 1, 1, 1], {"item": [0, 1, 2, 3, 0, 1, 2, 3, 4]}, pooled=True)
    >>> fit.means.round(3), fit.df[0, 1].round(1)
    (array([3.544, 4.8  ]), np.float64(3.0))
    """
    y, s = floats(values, "values", ndim=1), np.asarray(system, dtype=np.int64)
    codes = {name: np.unique(np.asarray(v), return_inverse=True)[1] for name, v in factors.items()}
    if np.isnan(y).any() or any(len(c) != len(y) for c in (s, *codes.values())):
        raise InputError("values, system and factors must have one entry per row, none missing")
    counts = np.bincount(s)
    if (counts < 2).any():
        raise InputError(f"each system needs two scores, got {counts.min()} for one")
    used = {name: c for name, c in codes.items() if 1 < int(c.max()) + 1 < len(y)}
    spread = float(y.std()) or 1.0
    fit = _Fit(y / spread, s, used, pooled)
    fit.maximize()
    return fit.result(spread)


class _Fit:
    """The rows, and what the current variances make of them.

    V = errors + the factor with the most levels, which is inverted in closed form, + the others (Woodbury).
    """

    def __init__(self, y: Array, s: Ints, factors: Mapping[str, Ints], pooled: bool) -> None:
        self.y, self.s = y, s
        self.rows, self.systems = len(y), int(s.max()) + 1
        self.x = np.eye(self.systems)[s]
        self.names = sorted(factors, key=lambda name: -int(factors[name].max()))
        self.codes = [factors[name] for name in self.names]
        self.levels = [int(c.max()) + 1 for c in self.codes]
        self.factor_of = np.repeat(np.arange(1, len(self.codes)), self.levels[1:]).astype(np.int64)
        self.others = np.concatenate(
            [np.zeros((self.rows, 0)), *(np.eye(int(c.max()) + 1)[c] for c in self.codes[1:])], 1
        )
        self.classes = np.zeros(self.rows, dtype=np.int64) if pooled else s
        self.errors = 1 if pooled else self.systems
        residual = y - (np.bincount(s, y) / np.bincount(s))[s]
        start = np.maximum(np.bincount(self.classes, residual**2) / np.bincount(self.classes), 1e-4) / 2
        self.theta = np.concatenate([start, np.full(len(self.codes), start.mean())])
        self.update()

    def update(self) -> None:
        """Compute projections and the restricted log-likelihood at the current variances."""
        noise = self.theta[: self.errors][self.classes]
        self.w = 1 / noise
        log_det = float(np.log(noise).sum())
        if self.codes:
            tau = self.theta[self.errors]
            self.weights = np.bincount(self.codes[0], self.w)
            self.pull = tau / (1 + tau * self.weights)
            log_det += float(np.log1p(tau * self.weights).sum())
        if self.others.shape[1]:
            root = np.sqrt(self.theta[self.errors + self.factor_of])
            self.h = self._solve_first(self.others)
            self.cross = self.others.T @ self.h
            inner = np.eye(len(root)) + root[:, None] * self.cross * root
            self.kernel = root[:, None] * np.linalg.inv(inner) * root
            log_det += float(np.linalg.slogdet(inner)[1])
        solved = self.solve(np.concatenate([self.x, self.y[:, None]], axis=1))
        self.vx, vy = solved[:, : self.systems], solved[:, self.systems]
        self.a = self.x.T @ self.vx
        self.inverse: Array = np.asarray(np.linalg.inv(self.a), dtype=np.float64)
        self.means = self.inverse @ (self.vx.T @ self.y)
        self.py = vy - self.vx @ self.means
        log_det += float(np.linalg.slogdet(self.a)[1])
        self.loglik = -(log_det + float(self.y @ self.py) + (self.rows - self.systems) * np.log(2 * np.pi)) / 2

    def _solve_first(self, b: Array) -> Array:
        """Return (errors + first factor)^-1 b."""
        wb = self.w[:, None] * b
        if not self.codes:
            return np.asarray(wb)
        shared = self.pull[:, None] * _sum_levels(self.codes[0], wb, self.levels[0])
        return np.asarray(wb - self.w[:, None] * shared[self.codes[0]])

    def solve(self, b: Array) -> Array:
        """Return V^-1 b."""
        first = self._solve_first(b)
        return np.asarray(first - self.h @ (self.kernel @ (self.others.T @ first))) if self.others.shape[1] else first

    def project(self, b: Array) -> Array:
        """Return P b, with P = V^-1 - V^-1 X (X' V^-1 X)^-1 X' V^-1."""
        return np.asarray(self.solve(b) - self.vx @ (self.inverse @ (self.vx.T @ b)))

    def maximize(self) -> None:
        """Climb by average information; halve steps that do not rise."""
        for _ in range(_ROUNDS):
            score, information = self._slope()
            free = (self.theta > 2 * _MIN_THETA) | (score > 0)
            step = np.zeros(len(self.theta))
            step[free] = np.linalg.lstsq(information[np.ix_(free, free)], score[free], rcond=None)[0]
            before, height = self.theta, self.loglik
            for power in range(12):
                self.theta = np.maximum(before + step / 2**power, np.maximum(_MIN_THETA, before / 10))
                self.update()
                if self.loglik >= height - 1e-12 * abs(height):
                    break
            else:
                self.theta = before
                self.update()
                return
            if np.all(np.abs(self.theta - before) <= 1e-9 * (before + 1e-3)):
                return

    def _slope(self) -> tuple[Array, Array]:
        """Return the gradient of the log-likelihood in the variances, and the average information."""
        k = len(self.theta)
        q = np.zeros((self.rows, k))
        q[np.arange(self.rows), self.classes] = self.py
        trace, square = np.zeros(k), np.zeros(k)
        trace[: self.errors] = np.bincount(self.classes, self._diagonal(), minlength=self.errors)
        square[: self.errors] = np.bincount(self.classes, self.py**2, minlength=self.errors)
        for f, codes in enumerate(self.codes):
            by_level = np.bincount(codes, self.py)
            q[:, self.errors + f] = by_level[codes]
            square[self.errors + f] = float(by_level @ by_level)
        trace[self.errors :] = self._level_traces()
        return (square - trace) / 2, q.T @ self.project(q) / 2

    def _diagonal(self) -> Array:
        """Return the diagonal of P."""
        own = self.w - ((self.vx @ self.inverse) * self.vx).sum(axis=1)
        if self.codes:
            own = own - self.w**2 * self.pull[self.codes[0]]
        if self.others.shape[1]:
            own = own - ((self.h @ self.kernel) * self.h).sum(axis=1)
        return np.asarray(own)

    def _level_traces(self) -> Array:
        """Return tr(P Z Z') of each factor."""
        traces = np.zeros(len(self.codes))
        for f, codes in enumerate(self.codes):
            by_level = _sum_levels(codes, self.vx, self.levels[f])
            traces[f] = -float(((by_level @ self.inverse) * by_level).sum())
        if self.codes:
            traces[0] += float((self.weights * (1 - self.pull * self.weights)).sum())
        if self.others.shape[1]:
            first = _sum_levels(self.codes[0], self.h, self.levels[0])
            traces[0] -= float(((first @ self.kernel) * first).sum())
            rest = np.diag(self.cross) - ((self.cross @ self.kernel) * self.cross).sum(axis=1)
            traces += np.bincount(self.factor_of, rest, minlength=len(self.codes))
        return traces

    def result(self, spread: float) -> CrossedModel:
        """Return means, covariance and Satterthwaite's degrees of freedom in the units of the scores."""
        load = self.vx @ self.inverse
        slopes = np.zeros((len(self.theta), self.systems, self.systems))
        for c in range(self.errors):
            own = load[self.classes == c]
            slopes[c] = own.T @ own
        for f, codes in enumerate(self.codes):
            by_level = _sum_levels(codes, load, self.levels[f])
            slopes[self.errors + f] = by_level.T @ by_level
        variance, gradient = _of_pairs(self.inverse), np.stack([_of_pairs(m) for m in slopes])
        free = self.theta > 2 * _MIN_THETA
        inverse = np.linalg.pinv(self._slope()[1][np.ix_(free, free)])
        spent = np.einsum("aij,ab,bij->ij", gradient[free], inverse, gradient[free])
        with np.errstate(divide="ignore", invalid="ignore"):
            df = np.where(spent > 0, 2 * variance**2 / spent, np.nan)
        names = dict(zip(self.names, (spread**2 * self.theta[self.errors :]).tolist(), strict=True))
        return CrossedModel(
            means=spread * self.means,
            covariance=spread**2 * self.inverse,
            difference=spread * (self.means[:, None] - self.means),
            error=spread * np.sqrt(np.maximum(variance, 0.0)),
            df=df,
            variances=names,
            residual=spread**2 * self.theta[: self.errors],
            loglik=self.loglik - (self.rows - self.systems) * float(np.log(spread)),
        )


def _sum_levels(codes: Ints, rows: Array, levels: int) -> Array:
    """Sum rows by level."""
    sums = np.zeros((levels, rows.shape[1]))
    np.add.at(sums, codes, rows)
    return sums


def _of_pairs(matrix: Array) -> Array:
    """Return the variances of differences of pairs from a covariance matrix."""
    own = np.diag(matrix)
    return np.asarray(own[:, None] + own - 2 * matrix)
