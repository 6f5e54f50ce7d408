"""Means from few human labels and many machine scores: prediction-powered inference (Angelopoulos et al. 2023, PPI++).

Of M items, all have a score f by a machine and some a label Y by people. With g = lambda f,

    theta = mean over all items of g + weighted mean over labelled items of (Y - g).

The first part has the machine's error, which the second removes. lambda = cov(Y, f) / var f makes it vary least;
written for the n labelled and the N unlabelled items apart it is PPI++'s cov(Y, f) / ((1 + n/N) var f). Labelled items
may have been drawn with unequal probabilities: then each weighs one over its own.

Everything is computed from sums over items, so that a resample of items is a matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Bools, at_least, choice, floats, fraction, same_shape, warn_undefined
from .resampling import Seed, generator

INTERVALS = ("t", "bootstrap")
MIN_LABELS = 3  # labelled items, from which a slope and its error can be had
FEW_LABELS, SKEWED = 30, 1.0  # labels below and skewness above which the interval is bootstrapped


@dataclass(frozen=True)
class PredictionPowered:
    """Estimates of several means (one per row of labels), their standard errors and intervals.

    `alone` and `alone_error` are those from labels alone; `share` is the variance of the estimate over theirs, so that
    labels alone would need n / share labels for the same interval.
    """

    value: Array
    error: Array
    low: Array
    high: Array
    weight: Array  # lambda
    labels: Array
    alone: Array
    alone_error: Array
    alone_low: Array
    alone_high: Array
    method: tuple[str, ...]

    @property
    def share(self) -> Array:
        """Return the variance of each estimate as a share of the variance from labels alone."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((self.error / self.alone_error) ** 2)


def prediction_powered(
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    probabilities: ArrayLike | None = None,
    interval: str | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
) -> PredictionPowered:
    """Estimate the mean label of each row (means x items); NaN is an item without a label, or without a score.

    An item without a score does not count, labelled or not. `probabilities` are those with which items were drawn for
    labelling, for all rows alike. The interval is Student's t, or where labels are few (below 30) or skewed (above 1 in
    size) a bootstrap-t over items, labelled and other items drawn apart; `interval` chooses one for all. Fewer than
    three labels, or labels or residuals without spread: NaN, with an UndefinedWarning.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(3, 1, size=400)
    >>> labels = np.where(np.arange(400) < 60, truth, np.nan)
    >>> result = prediction_powered(labels[None], (truth + rng.normal(1, 0.5, size=400))[None])
    >>> result.value.round(2), result.alone.round(2), result.share.round(2)
    (array([2.92]), array([3.08]), array([0.35]))
    """
    y, f = floats(labels, "labels", ndim=2), floats(scores, "scores", ndim=2)
    same_shape("labels", y, "scores", f)
    fraction(confidence, "confidence")
    at_least(resamples, "resamples", 1)
    if interval is not None:
        choice(interval, "interval", INTERVALS)
    weights = _design_weights(probabilities, y)
    y = np.where(np.isnan(f), np.nan, y)
    sums = _Sums(y, f, weights)
    point = sums.estimate(np.ones((1, y.shape[1])))
    how = [interval or _choose_interval(row) for row in y]
    both, alone = (
        _t_interval(point.both, point.error, point.labels, confidence, 2),
        _t_interval(point.alone, point.alone_error, point.labels, confidence, 1),
    )
    if "bootstrap" in how:
        some = np.array([h == "bootstrap" for h in how])
        both, alone = _replace_by_bootstrap(y, f, weights, point, (both, alone), some, confidence, resamples, seed)
    undefined = int(np.isnan(point.error).sum())
    if undefined:
        warn_undefined(f"{undefined} of {len(y)} means have fewer than {MIN_LABELS} labels, or no spread")
    return PredictionPowered(
        point.both[0],
        point.error[0],
        both[0],
        both[1],
        point.slope[0],
        point.labels[0],
        point.alone[0],
        point.alone_error[0],
        alone[0],
        alone[1],
        tuple(how),
    )


def ppi_mean(labels: ArrayLike, scores: ArrayLike, others: ArrayLike, *, confidence: float = 0.95) -> tuple[float, ...]:
    """Return estimate, low and high as ppi-python computes them: what published figures were made with.

    Its conventions: covariance over n, variance of scores over both samples with n - 1, lambda cut to [0, 1], standard
    errors over n, and the normal distribution.

    >>> [round(x, 4) for x in ppi_mean([1, 2, 3, 4], [1, 2, 3, 5], [2, 3, 4, 2, 3])]
    [2.5312, 2.043, 3.0195]
    """
    from scipy.special import ndtri

    y, f, rest = floats(labels, "labels", ndim=1), floats(scores, "scores", ndim=1), floats(others, "others", ndim=1)
    same_shape("labels", y, "scores", f)
    if len(y) < 2 or len(rest) < 2:
        raise InputError(f"two labels and two other scores are needed; got {len(y)} and {len(rest)}")
    n, m = len(y), len(rest)
    covariance = ((y - y.mean()) * (f - f.mean())).mean()
    slope = float(np.clip(covariance / ((1 + n / m) * np.concatenate([f, rest]).var(ddof=1)), 0, 1))
    value = slope * rest.mean() + (y - slope * f).mean()
    half = ndtri((1 + confidence) / 2) * np.sqrt(slope**2 * rest.var() / m + (y - slope * f).var() / n)
    return float(value), float(value - half), float(value + half)


@dataclass(frozen=True)
class _Estimate:
    """Estimates of each mean in each resample (rows)."""

    both: Array
    error: Array
    alone: Array
    alone_error: Array
    slope: Array
    labels: Array


class _Sums:
    """The sums over items that the estimates are made of; `estimate` takes how often each item was drawn."""

    def __init__(self, y: Array, f: Array, weights: Array) -> None:
        self._shift = _row_means(f)  # sums of squares of centred numbers lose no digits
        self._level = _row_means(y)
        f, y = f - self._shift[:, None], y - self._level[:, None]
        scored, labelled = ~np.isnan(f), ~np.isnan(y)
        w = np.where(labelled, weights[None], 0.0)
        f, y = np.where(scored, f, 0.0), np.where(labelled, y, 0.0)
        parts = [scored, f, f * f, labelled, w, w * y, w * f, w * y * f, w * f * f]
        squared = [w * w, w * w * y, w * w * f, w * w * y * y, w * w * y * f, w * w * f * f]
        self._columns = np.concatenate([np.asarray(part, dtype=np.float64).T for part in parts + squared], axis=1)
        self._means = len(y)

    def estimate(self, drawn: Array) -> _Estimate:
        """Estimate from items drawn so often (resamples x items)."""
        sums = (drawn @ self._columns).reshape(len(drawn), -1, self._means).swapaxes(0, 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._finish(*sums)

    def _finish(
        self,
        m: Array,
        f: Array,
        ff: Array,
        n: Array,
        w: Array,
        wy: Array,
        wf: Array,
        wyf: Array,
        wff: Array,
        w2: Array,
        w2y: Array,
        w2f: Array,
        w2yy: Array,
        w2yf: Array,
        w2ff: Array,
    ) -> _Estimate:
        covariance, own = wyf / w - (wy / w) * (wf / w), wff / w - (wf / w) ** 2
        variance = (ff - f * f / m) / (m - 1)
        # A judge that runs against people helps no one: its weight is 0 and not negative.
        slope = np.where((own > 1e-12) & (variance > 1e-12), np.maximum(covariance, 0) / np.maximum(own, 1e-12), 0.0)
        mean_f, mean_e = f / m, (wy - slope * wf) / w
        few = np.where(n >= MIN_LABELS, 1.0, np.nan)
        # Squares of e - mean e over labelled items with squared weights, e = y - slope f.
        e2 = w2yy - 2 * slope * w2yf + slope**2 * w2ff
        e1 = w2y - slope * w2f
        residual = np.maximum(e2 - 2 * mean_e * e1 + mean_e**2 * w2, 0) / w**2 * n / (n - 2)
        cross = (wyf - slope * wff - mean_e * wf - mean_f * (wy - slope * wf - mean_e * w)) / (w * m)
        error = np.sqrt(np.maximum(slope**2 * variance / m + residual + 2 * slope * cross, 0))
        alone = wy / w
        spread = np.maximum(w2yy - 2 * alone * w2y + alone**2 * w2, 0) / w**2 * n / (n - 1)
        return _Estimate(
            few * (slope * mean_f + mean_e + self._level),
            few * error,
            few * (alone + self._level),
            few * np.sqrt(spread),
            few * slope,
            n,
        )


def _design_weights(probabilities: ArrayLike | None, y: Array) -> Array:
    """Return what each item weighs: one over the probability that it was drawn with; all alike without a design."""
    if probabilities is None:
        return np.ones(y.shape[1])
    p = floats(probabilities, "probabilities", ndim=1)
    labelled = ~np.isnan(y).all(axis=0)
    if len(p) != y.shape[1]:
        raise InputError(f"probabilities must be one per item, {y.shape[1]}; got {len(p)}")
    if not ((p[labelled] > 0) & (p[labelled] <= 1)).all():
        raise InputError("every labelled item needs the probability that it was drawn with, above 0 and at most 1")
    return np.where(labelled, 1 / np.where(labelled, p, 1.0), 1.0)


def _choose_interval(labels: Array) -> str:
    """Return "bootstrap" for labels that are few or skewed."""
    y = labels[~np.isnan(labels)]
    if len(y) < FEW_LABELS:
        return "bootstrap"
    spread = y.std()
    return "bootstrap" if spread > 0 and abs((((y - y.mean()) / spread) ** 3).mean()) > SKEWED else "t"


def _t_interval(value: Array, error: Array, n: Array, confidence: float, used: int) -> tuple[Array, Array]:
    from scipy.special import stdtrit

    half = stdtrit(np.maximum(n[0] - used, 1), (1 + confidence) / 2) * error[0]
    return value[0] - half, value[0] + half


def _replace_by_bootstrap(
    y: Array,
    f: Array,
    weights: Array,
    point: _Estimate,
    ends: tuple[tuple[Array, Array], tuple[Array, Array]],
    some: Bools,
    confidence: float,
    resamples: int,
    seed: Seed,
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the intervals with those of some means replaced by bootstrap-t ones, from the same resamples."""
    draws = _Sums(y[some], f[some], weights).estimate(_draw_items(y, f, resamples, seed))
    replaced = []
    for (low, high), value, error, values, errors in (
        (ends[0], point.both, point.error, draws.both, draws.error),
        (ends[1], point.alone, point.alone_error, draws.alone, draws.alone_error),
    ):
        low[some], high[some] = _bootstrap_t(value[0, some], error[0, some], values, errors, confidence)
        replaced.append((low, high))
    return replaced[0], replaced[1]


def _draw_items(y: Array, f: Array, resamples: int, seed: Seed) -> Array:
    """Draw items with replacement, those with any label and the others apart, so that each has as many as it had."""
    rng = generator(seed)
    labelled = ~np.isnan(y).all(axis=0)
    drawn = np.zeros((resamples, y.shape[1]))
    for part in (labelled, ~labelled & ~np.isnan(f).all(axis=0)):
        if size := int(part.sum()):
            drawn[:, part] = rng.multinomial(size, np.full(size, 1 / size), size=resamples)
    return drawn


def _bootstrap_t(value: Array, error: Array, values: Array, errors: Array, confidence: float) -> tuple[Array, Array]:
    """Return value - quantile of (value* - value) / error* times error; resamples without spread are left out."""
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(errors > 0, (values - value) / errors, np.nan)
    tail = (1 - confidence) / 2
    low, high = np.full_like(value, np.nan), np.full_like(value, np.nan)
    some = ~np.isnan(t).all(axis=0) & ~np.isnan(error)
    if some.any():
        ends = np.nanquantile(t[:, some], [1 - tail, tail], axis=0)
        low[some], high[some] = value[some] - ends * error[some]
    return low, high


def _row_means(values: Array) -> Array:
    present = ~np.isnan(values)
    return np.asarray(np.where(present, values, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1))
