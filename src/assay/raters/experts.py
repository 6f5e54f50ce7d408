"""Compare experts with the crowd: the three rows of Table 4 in Toutanova et al. (2016), 3.2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..errors import InputError, ignore_undefined
from ..stats import TwoRaters, coefficient, cohen_kappa, generator, round_half, two_raters
from ..stats.checks import warn_undefined
from .input import (
    HasRatings,
    RaterFilter,
    get_ratings,
    keep_raters,
    output_means,
    scale_points,
    select_raters,
)
from .rater_pairs import RaterPair, mean_over_pairs, rater_pairs


@dataclass(frozen=True)
class MeansAgreement:
    """The rounded means of two groups: how often they are equal, and quadratic kappa, with bootstrap intervals."""

    n: int
    agreement: float
    agreement_low: float
    agreement_high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    correlation: float


@dataclass(frozen=True)
class ExpertComparison(Result, question="agreement", kind="experts", shared=("dimension",)):
    """Experts and crowd (rounded means), two experts (mean over pairs), two crowd raters (simulated).

    `expert_crowd_correlation` is of the means before rounding. On a scale that is not discrete only that is defined.
    `agreement_of_experts` and `kappa_of_experts` are means over `expert_pairs`, weighted by their common outputs.
    `two_crowd_raters` is None where no output has two crowd ratings.
    """

    dimension: str
    experts: tuple[str, ...]
    crowd: tuple[str, ...]
    expert_crowd: MeansAgreement
    agreement_of_experts: float
    kappa_of_experts: float
    two_crowd_raters: TwoRaters | None
    expert_pairs: tuple[RaterPair, ...]
    resamples: int
    confidence: float
    seed: int | None


def experts(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    experts: RaterFilter,
    crowd: RaterFilter | None = None,
    resamples: int = 25_000,
    simulations: int = 1000,
    half: str = "even",
    confidence: float = 0.95,
    seed: int = 0,
) -> ExpertComparison:
    """Compare two groups of raters, each a list of names or a function of the name; the crowd is all others by default.

    Means are rounded, .5 to the even neighbour (`half`: the paper does not say where). A rater in both groups is an
    error. No common outputs, a scale that is not discrete, or one category only: NaN with an UndefinedWarning.

    >>> table = np.array([[1, 2, 3, 3], [1, 2, 3, 2], [1, 3, 3, 3], [2, 2, 3, 3.0]])
    >>> ratings = Ratings(table, ("e1", "e2", "w1", "w2"), tuple("ABCD"), ("1",) * 4, "meaning")
    >>> result = experts(ratings, experts=lambda name: name.startswith("e"), resamples=100)
    >>> result.expert_crowd.agreement, round(result.expert_crowd.kappa, 3), result.agreement_of_experts
    (0.5, 0.5, 0.75)
    """
    ratings = get_ratings(data, dimension)
    first = select_raters(ratings, experts, "experts")
    second = select_raters(ratings, (lambda name: name not in first) if crowd is None else crowd, "crowd")
    both = set(first) & set(second)
    if both:
        raise InputError(f"rater {min(both)!r} is in both groups, experts and crowd; put them in one")
    few, many = keep_raters(ratings, first), keep_raters(ratings, second)
    scale = scale_points(ratings)
    options = {"half": half, "confidence": confidence, "seed": seed}
    with ignore_undefined():
        means = _compare_means(output_means(few), output_means(many), scale, resamples=resamples, **options)  # type: ignore[arg-type]
        pairs = rater_pairs(few)
        simulated = None
        if scale is not None and ((~np.isnan(many.values)).sum(axis=0) >= 2).any():
            simulated = two_raters(many.values.T, simulations=simulations, **options)  # type: ignore[arg-type]
    _warn(ratings.dimension, means, scale is not None)
    outputs = [p.n for p in pairs]
    return ExpertComparison(
        dimension=ratings.dimension,
        experts=first,
        crowd=second,
        expert_crowd=means,
        agreement_of_experts=mean_over_pairs([p.agreement for p in pairs], outputs),
        kappa_of_experts=mean_over_pairs([p.kappa for p in pairs], outputs),
        two_crowd_raters=simulated,
        expert_pairs=pairs,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )


def _compare_means(
    a: Floats, b: Floats, scale: Floats | None, *, half: str, resamples: int, confidence: float, seed: int
) -> MeansAgreement:
    nan = float("nan")
    common = ~(np.isnan(a) | np.isnan(b))
    n, r = int(common.sum()), coefficient(a, b)
    if scale is None or not n:
        return MeansAgreement(n, nan, nan, nan, nan, nan, nan, r)
    x, y = round_half(a[common], half), round_half(b[common], half)
    kappa = cohen_kappa(
        x, y, weights="quadratic", categories=scale.tolist(), resamples=resamples, confidence=confidence, seed=seed
    )
    equal = float((x == y).mean())
    low, high = nan, nan
    if resamples and n > 1:  # how many of n drawn outputs are equal is binomial
        draws = generator(seed).binomial(n, equal, size=resamples) / n
        low, high = np.percentile(draws, [50 * (1 - confidence), 50 * (1 + confidence)]).tolist()
    return MeansAgreement(n, equal, low, high, kappa.value, kappa.low, kappa.high, r)


def _warn(dimension: str, means: MeansAgreement, discrete: bool) -> None:
    if not means.n:
        warn_undefined(f"experts and crowd on {dimension!r}: no output was rated by both")
    elif not discrete:
        warn_undefined(
            f"agreement and kappa of experts and crowd on {dimension!r}: the scale is not one of a few whole numbers"
        )
    elif np.isnan(means.kappa):
        warn_undefined(f"kappa of experts and crowd on {dimension!r}: all {means.n} rounded means are in one category")
    elif np.isnan(means.correlation):
        warn_undefined(
            f"correlation of experts and crowd on {dimension!r}: one side is constant, or fewer than 3 outputs"
        )
