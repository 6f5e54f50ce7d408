"""Compare all systems at once on the same items: differences, simultaneous intervals and p-values from one procedure.

T = difference / standard error by cluster (cr2). Signs of the clusters' residuals are flipped at random, the same for
all systems and pairs (Romano and Wolf 2005; Cameron, Gelbach and Miller 2008, wild cluster bootstrap); c is the 95 %
point of max |T*| over the family, the interval is the difference -+ c standard errors, and the adjusted p-value is the
share of max |T*| at or above |T|: significant, p <= .05 and an interval without 0 are the same. Variances of pairs are
shrunken towards their mean as far as they are alike (Smyth 2004), in each draw too: with equal spreads this is Tukey's
test.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Bools, Ints, at_least, floats, fraction
from .cluster_errors import bell_mccaffrey, leverage, number_clusters
from .contrasts import Contrasts, list_pairs, square
from .multiple_testing import holm
from .paired_shares import mcnemar, tango
from .resampling import Seed, batches, bits, generator, seed_number

MIN_CLUSTERS = 6  # below, no p of flipped clusters is at most .05: 2^(1 - 5) = .0625
_MIN_BEYOND = 10  # draws in the tail that can be counted
_BINS, _WIDTH = 10_000, 0.004  # of |T*|
Swap = Callable[[Bools], Array]  # clusters that two systems swap in each draw -> their differences by cluster


def paired_contrasts(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    baseline: int | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: Seed = 0,
    swap: Swap | None = None,
) -> Contrasts:
    """Compare all pairs of systems (rows of values, systems x items, none missing), or each with the baseline.

    Two systems are compared by the flips of their differences themselves, which is an exact test if the two could be
    swapped; with 0/1 scores flips that equal the difference count half (mid-p McNemar, by cluster). All flips are gone
    through where there are no more of them than `resamples`. Beyond the tenth-largest draw the p-value is that of t,
    times the size of the family; none is below 2^(1 - clusters). `swap`: what two systems differ by where flipping
    values is not to swap clusters (`compare_corpora`); each item is its own cluster.

    >>> rng = np.random.default_rng(0)
    >>> result = paired_contrasts(rng.normal(size=(3, 40)) + np.array([[0], [0], [1]]))
    >>> result.adjusted.round(3)
    array([[1.   , 0.203, 0.   ],
           [0.203, 1.   , 0.003],
           [0.   , 0.003, 1.   ]])
    >>> result.best
    array([False, False,  True])
    """
    x = floats(values, "values", ndim=2)
    if np.isnan(x).any() or len(x) < 2 or not x.shape[1]:
        raise InputError(f"values must be complete scores of at least two systems, got shape {x.shape}")
    codes = number_clusters(clusters, x.shape[1])
    if swap is not None and (clusters is not None or len(x) != 2):
        raise InputError("swap needs values by cluster of two systems")
    family = _Family(x, codes, list_pairs(len(x), baseline), at_least(resamples, "resamples", 1), generator(seed), swap)
    return family.finish(fraction(confidence, "confidence"), seed_number(seed))


def shrink(variances: Array, df: float) -> tuple[float, float]:
    """Return the mean variance and by how many degrees of freedom each is drawn to it (Smyth 2004, section 6.2).

    log variances scatter by trigamma(df / 2) if all are equal; what is more is their own. No more: infinite.

    >>> prior, weight = shrink(np.array([1.0, 1.1, 0.9, 1.05]), 20)
    >>> round(prior, 3), weight
    (1.012, inf)
    """
    from scipy.special import digamma, polygamma

    some = variances[variances > 0]
    if len(some) < 3:
        return float(some.mean()) if len(some) else 0.0, 0.0
    logs = np.log(some)
    excess = float(logs.var(ddof=1) - polygamma(1, df / 2))
    if excess <= 0:
        return float(some.mean()), np.inf
    weight = 2 * _inverse_trigamma(excess)
    centre = logs.mean() - digamma(df / 2) + np.log(df / 2) + digamma(weight / 2) - np.log(weight / 2)
    return float(np.exp(centre)), weight


def _inverse_trigamma(y: float) -> float:
    """Solve trigamma(x) = y by Newton's method (Smyth 2004, appendix)."""
    from scipy.special import polygamma

    x = 0.5 + 1 / y
    for _ in range(50):
        tri = float(polygamma(1, x))
        step = tri * (1 - tri / y) / float(polygamma(2, x))
        x += step
        if -step / x < 1e-10:
            break
    return x


class _Family:
    """Sums by cluster, and the flips of a family of pairs."""

    def __init__(
        self, x: Array, codes: Ints, pairs: Ints, resamples: int, rng: np.random.Generator, swap: Swap | None
    ) -> None:
        self.systems, self.n = x.shape
        self.pairs, self.rng, self.swap = pairs, rng, swap
        self.sizes = np.bincount(codes).astype(np.float64)
        self.groups = len(self.sizes)
        self.equal = bool((self.sizes == self.sizes[0]).all())
        sums = np.zeros((self.groups, self.systems))
        np.add.at(sums, codes, x.T)
        self.means = sums.sum(axis=0) / self.n
        self.factor = leverage(self.sizes)
        residuals = (sums - self.sizes[:, None] * self.means) * np.sqrt(self.factor)[:, None]
        i, k = pairs.T
        self.difference = self.means[i] - self.means[k]
        gram = residuals.T @ residuals / self.n**2
        spread = np.diag(gram)
        self.mean_error = np.sqrt(spread)
        variance = spread[i] + spread[k] - 2 * gram[i, k]
        self.df = bell_mccaffrey(self.sizes) if self.groups > 1 else np.nan
        tiny = 1e-26 * (self.means[i] ** 2 + self.means[k] ** 2) + 1e-13 * (spread[i] + spread[k])
        self.constant = variance <= tiny
        self.variance = np.where(self.constant, 0.0, variance)
        self.two = len(pairs) == 1
        self.shares = _Shares(x, sums, pairs) if swap is None and np.isin(x, (0, 1)).all() else None
        self.halves = self.two and self.shares is not None
        self.prior, self.weight = (0.0, 0.0) if self.two else shrink(self.variance, self.df)
        self.moved = residuals if not self.two else sums[:, i] - sums[:, k]
        self.resamples = min(resamples, 2 ** min(self.groups - 1, 40))
        self.exact = self.resamples == 2 ** (self.groups - 1)

    def finish(self, confidence: float, seed: int | None) -> Contrasts:
        """Make the result."""
        from scipy.special import ndtri

        error = np.sqrt(self._shrink(self.variance))
        statistic = self._studentize(self.difference, error)
        largest, one_sided = self._flip()
        smallest = 2.0 ** (1 - self.groups) * (0.5 if self.halves else 1.0)
        reached = count_above(largest, np.abs(statistic), half=self.halves)
        adjusted = np.maximum(self._count(reached, np.abs(statistic)), smallest)
        if self.halves and self.shares is not None and (self.sizes == 1).all():
            adjusted = np.array([mcnemar(int(self.shares.first[0]), int(self.shares.second[0]))])
        pvalue = adjusted if self.two else np.minimum(np.maximum(self._tail(np.abs(statistic)), smallest), adjusted)
        limit = np.full(len(self.pairs), critical_value(largest, 1 - confidence, exact=self.exact, half=self.halves))
        significant = adjusted <= 1 - confidence  # the tail beyond the draws, and the floor, never contradict the limit
        size = np.where(np.isfinite(statistic), np.abs(statistic), limit)
        limit = np.where(significant, np.minimum(limit, size * (1 - 1e-9)), np.maximum(limit, size * (1 + 1e-9)))
        half = np.where(self.constant, 0.0, np.nan_to_num(limit, posinf=np.nan) * error)
        # The same difference in too few clusters to be significant: how far it may be from there is not known.
        half = np.where(self.constant & (statistic != 0) & ~significant, np.nan, half)
        low, high = self.difference - half, self.difference + half
        if self.shares is not None:
            low, high = self.shares.find_intervals(self.sizes, limit, significant, float(ndtri((1 + confidence) / 2)))
        fill = partial(square, self.systems, self.pairs)
        return Contrasts(
            means=self.means,
            mean_error=self.mean_error,
            difference=fill(self.difference, -self.difference, diagonal=0.0),
            error=fill(error, diagonal=0.0),
            df=fill(np.full(len(error), self.df + self.weight)),
            pvalue=fill(pvalue, diagonal=1.0),
            adjusted=fill(adjusted, diagonal=1.0),
            step_down=fill(holm(pvalue).pvalues, diagonal=1.0),
            low=fill(low, -high, diagonal=0.0),
            high=fill(high, -low, diagonal=0.0),
            critical=fill(limit),
            best=self._find_best(statistic, one_sided, confidence),
            method="swapped" if self.swap else "paired",
            clusters=self.groups,
            smallest=smallest,
            pooled_df=self.weight,
            confidence=confidence,
            resamples=self.resamples,
            seed=seed,
        )

    def _shrink(self, variance: Array) -> Array:
        if np.isinf(self.weight):
            return np.full(variance.shape, self.prior, dtype=np.float64)
        if not self.weight:
            return np.asarray(variance, dtype=np.float64)
        return np.asarray((self.weight * self.prior + self.df * variance) / (self.weight + self.df))

    def _studentize(self, difference: Array, error: Array) -> Array:
        """Divide by the errors; a difference that is the same everywhere is infinitely many of them, none is 0."""
        with np.errstate(invalid="ignore", divide="ignore"):
            bare = np.where(np.abs(difference) < 1e-13 * np.abs(self.means).max(), 0.0, np.sign(difference) * np.inf)
            return np.asarray(np.where(error > 0, difference / error, bare))

    def _signs(self, start: int, count: int) -> Array:
        """Return signs of clusters for the next draws: all there are, or random ones."""
        if self.exact:
            numbers = np.arange(start, start + count)[:, None]
            return np.asarray(1.0 - 2.0 * ((numbers >> np.arange(self.groups)) & 1), dtype=np.float64)
        return np.asarray(2.0 * bits(self.rng, self.groups, count) - 1.0, dtype=np.float64)

    def _flip(self) -> tuple[Array, Array]:
        """Return max |T*| of each draw, and the largest T* by which another system is ahead of each.

        Flipped residuals have lighter tails than t where clusters are few. So draws of more than one pair are brought
        to the scale of t by the share of all |T*| at or above them: the flips say how many tests these are worth.
        """
        largest, one_sided, start = [], [], 0
        counts = np.zeros(_BINS + 1)
        for count in batches(self.resamples, self.groups + 4 * len(self.pairs), budget=2_000_000):
            flipped = self._studentize_draws(self._signs(start, count))
            size = np.abs(flipped)
            largest.append(size.max(axis=1))
            one_sided.append(self._worst_by_system(flipped))
            counts += np.bincount(_bin(size).ravel(), minlength=_BINS + 1)
            start += count
        maxima, worst = np.concatenate(largest), np.concatenate(one_sided)
        if self.two:
            return maxima, worst
        share = (np.cumsum(counts[::-1])[::-1] - counts / 2) / counts.sum()
        used = np.unique(np.concatenate([_bin(maxima), _bin(np.abs(worst)).ravel()]))
        scale = np.zeros(_BINS + 1)
        scale[used] = self._quantile(share[used])
        return scale[_bin(maxima)], np.sign(worst) * scale[_bin(np.abs(worst))]

    def _studentize_draws(self, signs: Array) -> Array:
        """Return T* of each draw and pair: one product for all systems, pairs formed afterwards."""
        if self.swap is not None:
            return self._studentize_swaps(self.swap(signs < 0))
        i, k = self.pairs.T
        weights = self.factor * self.sizes
        mean = signs @ self.moved / self.n
        if self.two:
            pair = mean
            squares = np.array([(self.factor * self.moved[:, 0] ** 2).sum()])
        else:
            pair = mean[:, i] - mean[:, k]
            scaled = np.sqrt(self.factor)[:, None] * self.moved
            gram = scaled.T @ scaled
            squares = gram[i, i] + gram[k, k] - 2 * gram[i, k]
        if self.equal:  # the second product is then a multiple of the first
            crossed = weights[0] * self.n * pair
        else:
            by_system = signs @ (weights[:, None] * self.moved)
            crossed = by_system if self.two else by_system[:, i] - by_system[:, k]
        total = float((weights * self.sizes).sum())
        variance = (squares - 2 * pair * crossed + pair**2 * total) / self.n**2
        variance = np.where(variance <= 1e-13 * squares / self.n**2, 0.0, variance)
        pair = np.where(np.abs(pair) <= 1e-13 * np.sqrt(squares) / self.n, 0.0, pair)
        return self._studentize(pair, np.asarray(np.sqrt(self._shrink(variance))))

    def _studentize_swaps(self, apart: Array) -> Array:
        """Return T* of two systems from their differences by cluster in each draw."""
        mean, variance = apart.mean(axis=1), apart.var(axis=1, ddof=1) / self.groups
        square = variance + mean**2
        variance = np.where(variance <= 1e-26 * square, 0.0, variance)
        return self._studentize(mean, np.sqrt(variance))[:, None]

    def _worst_by_system(self, flipped: Array) -> Array:
        """Return for each draw and system the largest T* by which another is ahead of it."""
        i, k = self.pairs.T
        worst = np.full((len(flipped), self.systems), -np.inf)
        for system in range(self.systems):
            behind = np.concatenate([-flipped[:, i == system], flipped[:, k == system]], axis=1)
            if behind.shape[1]:
                worst[:, system] = behind.max(axis=1)
        return worst

    def _find_best(self, statistic: Array, worst: Array, confidence: float) -> Bools:
        """Return which systems no other is ahead of by more than the one-sided point of its own comparisons."""
        i, k = self.pairs.T
        best = np.ones(self.systems, dtype=bool)
        if 2.0 ** -(self.groups - 1) > 1 - confidence:
            return best
        limits = np.quantile(worst, confidence, axis=0)
        np.logical_and.at(best, i, -statistic <= limits[i])
        np.logical_and.at(best, k, statistic <= limits[k])
        return best

    def _count(self, above: Array, statistic: Array) -> Array:
        """Turn counts of draws into p-values; where few lie beyond, the tail of t times the tests, if it is less."""
        share = above / self.resamples if self.exact else (1 + above) / (self.resamples + 1)
        few = (above < _MIN_BEYOND) & (not (self.exact and self.two))
        tail = len(self.pairs) * self._tail(statistic)
        return np.asarray(np.minimum(np.where(few, np.minimum(share, tail), share), 1.0))

    def _tail(self, statistic: Array) -> Array:
        """Return the two-sided p-values of t."""
        from scipy.special import stdtr

        df = min(self.df + self.weight, 1e9)
        return np.asarray(2 * stdtr(df, -statistic) if df > 0 else np.ones(len(statistic)))

    def _quantile(self, share: Array) -> Array:
        """Return the values that t exceeds, in size, with these probabilities."""
        from scipy.special import stdtrit

        return np.asarray(-stdtrit(min(self.df + self.weight, 1e9), share / 2))


class _Shares:
    """Counts of 0/1 scores by pair: items that only one of the two has right, and squared sums by cluster."""

    def __init__(self, x: Array, sums: Array, pairs: Ints) -> None:
        i, k = pairs.T
        self.n = x.shape[1]
        both, own = x @ x.T, x.sum(axis=1)
        self.first, self.second = own[i] - both[i, k], own[k] - both[i, k]
        gram = sums.T @ sums
        self.squares = gram[i, i] + gram[k, k] - 2 * gram[i, k]

    def find_intervals(self, sizes: Array, limit: Array, significant: Bools, least: float) -> tuple[Array, Array]:
        """Return Tango's intervals of the differences, by effective numbers of items where these are in clusters.

        The score statistic is s = sqrt(G) t / sqrt(G - 1 + t^2) of the studentized t: limits are moved accordingly.
        """
        groups, unlike = len(sizes), self.first + self.second
        total = float(unlike.sum())
        usual = float(self.squares.sum()) / total if total else self.n / groups
        with np.errstate(invalid="ignore", divide="ignore"):
            effect = np.maximum(np.where(unlike > 0, self.squares / unlike, usual), 1e-9)
        score = np.abs(self.first - self.second) / np.sqrt(np.maximum(effect * unlike, 1e-300))
        bounded = np.minimum(limit, 1e6)
        z = np.sqrt(groups) * bounded / np.sqrt(groups - 1 + bounded**2) if groups > 1 else bounded
        z = np.maximum(z, least)  # flips of pairs without any difference have no spread
        z = np.where(significant, np.minimum(z, score * (1 - 1e-9)), np.maximum(z, score * (1 + 1e-9)))
        return tango(self.first / effect, self.second / effect, self.n / effect, z)


def _bin(size: Array) -> Ints:
    """Return the bin of each |T*|, of equal width; infinite ones are in the last."""
    return np.minimum(np.nan_to_num(size, posinf=_BINS * _WIDTH) / _WIDTH, _BINS).astype(np.int64)


def count_above(draws: Array, values: Array, *, half: bool) -> Array:
    """Count draws at or above each value; those equal to it by half, for mid-p."""
    ordered = np.sort(draws)
    close = 1e-9 * np.abs(np.where(np.isfinite(values), values, 0.0))
    reached = len(ordered) - np.searchsorted(ordered, values - close, side="left")
    beyond = len(ordered) - np.searchsorted(ordered, values + close, side="right")
    return np.asarray((reached + beyond) / 2 if half else reached, dtype=np.float64)


def critical_value(draws: Array, alpha: float, *, exact: bool = False, half: bool = False) -> float:
    """Return a value between the largest |T| that is not significant and the smallest that is, by draws of |T*|.

    >>> critical_value(np.arange(1.0, 100), 0.05)
    95.5
    """
    ordered = np.unique(draws[np.isfinite(draws)])
    if not len(ordered):
        return np.inf
    reached = count_above(draws, ordered, half=half)
    p = reached / len(draws) if exact else (1 + reached) / (len(draws) + 1)
    below, above = ordered[p > alpha], ordered[p <= alpha]
    if not len(above):
        return float(ordered[-1] * (1 + 1e-9))
    return float((below[-1] + above[0]) / 2 if len(below) else above[0])
