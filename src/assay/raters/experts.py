"""Experts against the crowd: the three rows of Table 4 in Toutanova et al. (2016), 3.2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..errors import InputError
from ..stats import TwoRaters, coefficient, cohen_kappa, generator, round_half, two_raters
from ..stats.checks import warn_undefined
from ._input import Chosen, Judged, chosen, number, only, output_means, quietly, ratings_of, scale_of
from .rater_pairs import RaterPair, mean_over_pairs, rater_pairs


@dataclass(frozen=True)
class Matched:
    """Two columns of ratings: how often equal, and quadratic kappa, each with its bootstrap interval."""

    n: int
    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    correlation: float


@dataclass(frozen=True)
class Experts(Shown):
    """Expert versus worker (rounded means), expert versus expert (each pair), worker versus worker (simulated).

    `correlation` of expert versus worker is of the means as they are, not rounded. On a scale that is not discrete only
    that is defined. `two_workers` is None where no output has two crowd ratings.
    """

    dimension: str
    experts: tuple[str, ...]
    crowd: tuple[str, ...]
    expert_worker: Matched
    expert_pairs: tuple[RaterPair, ...]
    two_workers: TwoRaters | None
    resamples: int
    confidence: float
    seed: int | None

    @property
    def expert_expert(self) -> tuple[float, float]:
        """Agreement and kappa of two experts: the mean over pairs, weighted by their common outputs."""
        n = [p.n for p in self.expert_pairs]
        return tuple(mean_over_pairs([getattr(p, f) for p in self.expert_pairs], n) for f in ("agreement", "kappa"))  # type: ignore[return-value]

    def sentence(self) -> str:
        """Answer in words."""
        m = self.expert_worker
        if not m.n:
            return f"Experts and crowd have no output of {self.dimension} in common."
        if np.isnan(m.kappa):
            return f"Experts and crowd correlate by {number(m.correlation)} on {self.dimension} ({m.n} outputs)."
        own = self.expert_expert[1]
        beside = "" if np.isnan(own) else f"; two experts agree with kappa {number(own)}"
        return (
            f"On {self.dimension} the rounded means of experts and crowd are equal on {100 * m.agreement:.0f}% of "
            f"{m.n} outputs, kappa {number(m.kappa)} ({100 * self.confidence:g}% {number(m.kappa_low)} to "
            f"{number(m.kappa_high)}){beside}."
        )


def experts(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    experts: Chosen,
    crowd: Chosen | None = None,
    resamples: int = 25_000,
    simulations: int = 1000,
    half: str = "even",
    confidence: float = 0.95,
    seed: int = 0,
) -> Experts:
    """Compare two groups of raters, each a list of names or a function of the name; the crowd is all others by default.

    Means are rounded, .5 to the even neighbour (`half`: the paper does not say). A rater in both groups is an error. No
    common outputs, a scale that is not discrete, or one category only: NaN with an UndefinedWarning.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, 2], [1, 3, 3, 3], [2, 2, 3, 3.0]])
    >>> ratings = Ratings(table, ("e1", "e2", "w1", "w2"), tuple("ABCD"), ("1",) * 4, "meaning")
    >>> result = experts(ratings, experts=lambda name: name.startswith("e"), resamples=100)
    >>> result.expert_worker.agreement, round(result.expert_worker.kappa, 3), result.expert_expert[0]
    (0.5, 0.5, 0.75)
    """
    ratings = ratings_of(data, dimension)
    first = chosen(ratings, experts, "experts")
    second = chosen(ratings, (lambda name: name not in first) if crowd is None else crowd, "crowd")
    both = set(first) & set(second)
    if both:
        raise InputError(f"rater {min(both)!r} is among the experts and in the crowd; nobody is compared with himself")
    few, many = only(ratings, first), only(ratings, second)
    scale = scale_of(ratings)
    with quietly():
        matched = _matched(output_means(few), output_means(many), scale, half, resamples, confidence, seed)
        pairs = rater_pairs(few)
        drawn = None
        if scale is not None and ((~np.isnan(many.values)).sum(axis=0) >= 2).any():
            drawn = two_raters(many.values.T, half=half, simulations=simulations, confidence=confidence, seed=seed)
    _warn(ratings.dimension, matched, scale is not None)
    return Experts(ratings.dimension, first, second, matched, pairs, drawn, resamples, confidence, seed)


def _matched(
    a: Floats, b: Floats, scale: Floats | None, half: str, resamples: int, confidence: float, seed: int
) -> Matched:
    nan = float("nan")
    there = ~(np.isnan(a) | np.isnan(b))
    n, r = int(there.sum()), coefficient(a, b)
    if scale is None or not n:
        return Matched(n, nan, nan, nan, nan, nan, nan, r)
    x, y = round_half(a[there], half), round_half(b[there], half)
    kappa = cohen_kappa(
        x, y, weights="quadratic", categories=scale.tolist(), resamples=resamples, confidence=confidence, seed=seed
    )
    equal = float((x == y).mean())
    low, high = nan, nan
    if resamples and n > 1:  # how many of n drawn outputs are equal is binomial
        draws = generator(seed).binomial(n, equal, size=resamples) / n
        low, high = np.percentile(draws, [50 * (1 - confidence), 50 * (1 + confidence)]).tolist()
    return Matched(n, equal, low, high, kappa.value, kappa.low, kappa.high, r)


def _warn(dimension: str, matched: Matched, discrete: bool) -> None:
    if not matched.n:
        warn_undefined(f"experts and crowd on {dimension!r}: no output was rated by both")
    elif not discrete:
        warn_undefined(
            f"agreement and kappa of experts and crowd on {dimension!r}: the scale is not one of a few whole numbers"
        )
    elif np.isnan(matched.kappa):
        warn_undefined(
            f"kappa of experts and crowd on {dimension!r}: all {matched.n} rounded means are in one category"
        )
    elif np.isnan(matched.correlation):
        warn_undefined(
            f"correlation of experts and crowd on {dimension!r}: one side is constant, or fewer than 3 outputs"
        )
