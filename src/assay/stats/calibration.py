"""Bring a judge's scores onto people's scale: an isotonic map, or an ordinal regression, fitted on other items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, Bools, choice, floats, same_shape
from .noticeable import isotonic
from .resampling import Seed, generator

METHODS = ("isotonic", "ordinal")
FOLDS = 5
Map = Callable[[Array], Array]  # from scores to what people would say


@dataclass(frozen=True)
class CrossFit:
    """Calibrated scores, each by maps that were not fitted on labels of its own item, and how good they are.

    Errors are root mean squared differences from labels: of raw scores, calibrated ones, and of the mean of the labels
    of other items; `bias` and `raw_bias` are mean differences.
    """

    scores: Array
    error: float
    raw_error: float
    mean_error: float
    bias: float
    raw_bias: float
    labels: int
    folds: int


def fit_isotonic(scores: Array, labels: Array) -> Map:
    """Return the map that never falls and is nearest to the labels; between scores it is linear, beyond them flat.

    >>> fit_isotonic(np.array([1.0, 2, 3, 3]), np.array([2.0, 1, 4, 5]))(np.array([1.5, 2.5, 9])).round(2)
    array([1.5, 3. , 4.5])
    """
    points, place = np.unique(scores, return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    values = isotonic(np.bincount(place, labels) / counts, counts)
    return lambda x: np.asarray(np.interp(x, points, values))


def fit_ordinal(scores: Array, labels: Array) -> Map:
    """Return the expected label under proportional odds: P(label <= k) = logistic(t_k - b score), McCullagh (1980).

    Fitted by penalized likelihood (a weak normal prior on b, so that separated labels have a finite slope). Labels of
    one value only: that value.

    >>> low = fit_ordinal(np.array([1.0, 1, 2, 2, 3, 3] * 5), np.array([1.0, 2, 2, 3, 3, 3] * 5))(np.array([1.0, 3]))
    >>> low.round(1)
    array([1.5, 3. ])
    """
    from scipy.optimize import minimize

    points, level = np.unique(labels, return_inverse=True)
    if len(points) == 1:
        return lambda x: np.full(len(x), points[0])
    centre, scale = float(scores.mean()), float(scores.std()) or 1.0
    x = (scores - centre) / scale
    steps = len(points) - 1
    shares = np.cumsum(np.bincount(level) / len(level))[:-1]
    cuts = np.log(shares / (1 - shares))
    start = np.concatenate([[cuts[0]], np.log(np.maximum(np.diff(cuts), 1e-3)), [0.5]])

    rows = np.arange(len(x))

    def loss(parameters: Array) -> tuple[float, Array]:
        below = _cumulative(parameters, x, steps)
        chance = np.maximum(below[rows, level + 1] - below[rows, level], 1e-12)
        slope = below * (1 - below)  # of the logistic, 0 at both ends
        upper, lower = slope[rows, level + 1] / chance, slope[rows, level] / chance
        by_cut = np.bincount(level, upper, steps + 1)[:-1] - np.bincount(level, lower, steps + 1)[1:]
        later = np.cumsum(by_cut[::-1])[::-1]  # a step moves its own cut and all after it
        inner = later[1:] * np.exp(np.clip(parameters[1:steps], -30, 30))
        gradient = -np.concatenate([[later[0]], inner, [-(x * (upper - lower)).sum()]])
        gradient[-1] += parameters[-1] / 25
        return float(-np.log(chance).sum() + parameters[-1] ** 2 / 50), gradient

    best = minimize(loss, start, method="L-BFGS-B", jac=True).x

    def expect(scores: Array) -> Array:
        chances = np.diff(_cumulative(best, (scores - centre) / scale, steps), axis=1)
        return np.asarray(chances @ points)

    return expect


def _cumulative(parameters: Array, x: Array, steps: int) -> Array:
    """Return P(label <= k) for each score (rows), from 0 before the first label to 1 at the last."""
    cuts = parameters[0] + np.concatenate([[0.0], np.cumsum(np.exp(np.clip(parameters[1:steps], -30, 30)))])
    inner = 0.5 + 0.5 * np.tanh((cuts[None] - parameters[-1] * x[:, None]) / 2)
    return np.concatenate([np.zeros((len(x), 1)), inner, np.ones((len(x), 1))], axis=1)


def cross_fit(
    labels: ArrayLike, scores: ArrayLike, *, method: str = "isotonic", folds: int = FOLDS, seed: Seed = 0
) -> CrossFit:
    """Calibrate scores to labels (raters x systems x items and systems x items) in folds of items.

    A labelled item gets the map of the folds that it is not in; an item without labels the mean of all maps. So no
    label calibrates itself, and estimates that use both stay unbiased.
    """
    y, f = floats(labels, "labels", ndim=3), floats(scores, "scores", ndim=2)
    same_shape("a rater's labels", y[0], "scores", f)
    fit = {"isotonic": fit_isotonic, "ordinal": fit_ordinal}[choice(method, "method", METHODS)]
    known = ~np.isnan(y) & ~np.isnan(f)[None]
    labelled = np.nonzero(known.any(axis=(0, 1)))[0]
    folds = max(2, min(folds, len(labelled)))
    fold = np.full(f.shape[1], -1)
    fold[generator(seed).permutation(labelled)] = np.arange(len(labelled)) % folds
    calibrated, means = np.full(f.shape, np.nan), np.full(f.shape, np.nan)
    rest = np.zeros_like(f)
    for number in range(folds):
        training = known & (fold != number)[None, None, :]
        x, targets = np.broadcast_to(f, y.shape)[training], y[training]
        predict = fit(x, targets)
        here = fold == number
        calibrated[:, here], means[:, here] = _apply(predict, f[:, here]), targets.mean()
        rest += _apply(predict, f) / folds
    calibrated[:, fold == -1] = rest[:, fold == -1]
    return _assess(y, f, calibrated, means, known, folds)


def _apply(predict: Map, scores: Array) -> Array:
    out = np.full(scores.shape, np.nan)
    present = ~np.isnan(scores)
    out[present] = predict(scores[present])
    return out


def _assess(y: Array, f: Array, calibrated: Array, means: Array, known: Bools, folds: int) -> CrossFit:
    """Compare raw, calibrated and constant scores with the labels that they were not fitted on."""
    counts = known.sum(axis=0)
    truth = np.where(known, y, 0.0).sum(axis=0)[counts > 0] / counts[counts > 0]
    gaps = [x[counts > 0] - truth for x in (calibrated, f, means)]
    error, raw_error, mean_error = (float(np.sqrt((gap**2).mean())) for gap in gaps)
    bias, raw_bias = (float(gap.mean()) for gap in gaps[:2])
    return CrossFit(calibrated, error, raw_error, mean_error, bias, raw_bias, int((counts > 0).sum()), folds)
