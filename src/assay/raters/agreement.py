"""How far the raters agree on a dimension."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Shown
from ..stats import ICC, Alpha, TwoRaters, icc, krippendorff_alpha, percent_agreement, two_raters
from ..stats.checks import warn_undefined
from ._input import Judged, gathered, number, quietly, ratings_of, scale_of
from .rater_pairs import RaterPair, mean_over_pairs, rater_pairs
from .sample_size import raters_for, spearman_brown

TARGET = 0.8  # Krippendorff: rely on variables with alpha of at least .8, tentatively from .667
_WORDS = ((0.8, "well"), (0.667, "fairly well"), (0.4, "moderately"), (0.0, "poorly"))


@dataclass(frozen=True)
class Agreement(Shown, rows=False):
    """Alpha with its interval, plain agreement of pairs of ratings, and what else the design allows.

    `icc` is there if every output has equally many ratings: form 2,1 if they are by the same raters, 1,1 if not.
    `kappa` (quadratic, mean over pairs of raters, weighted by their common outputs) and `two_raters` (the simulation of
    Toutanova et al. 2016, 3.2) are there if the scale is discrete.
    """

    dimension: str
    raters: tuple[str, ...]
    outputs: int
    ratings: int
    alpha: Alpha
    percent: float
    icc: ICC | None
    kappa: float | None
    two_raters: TwoRaters | None
    pairs: tuple[RaterPair, ...]
    resamples: int
    simulations: int
    confidence: float
    seed: int | None

    @property
    def per_output(self) -> float:
        """Ratings per rated output."""
        return self.ratings / self.outputs

    def sentence(self) -> str:
        """Answer in words; `well` from .8 and `fairly well` from .667 (Krippendorff), `poorly` below .4."""
        alpha = self.alpha
        if np.isnan(alpha.value):
            return f"Whether the raters agree on {self.dimension} cannot be said: {_why(self)}."
        how = next((word for least, word in _WORDS if alpha.value >= least), "less than by chance")
        span = (
            "" if np.isnan(alpha.low) else f", {100 * self.confidence:g}% {number(alpha.low)} to {number(alpha.high)}"
        )
        return f"The raters agree {how} on {self.dimension} (alpha {number(alpha.value)}{span}); {self._raters()}."

    def _raters(self) -> str:
        now, wanted = max(1, round(self.per_output)), raters_for(self.alpha.value, TARGET)
        if wanted is None:
            return "more raters would not help"
        start = f"with {now} rater{'s' if now > 1 else ''} per output the mean reaches "
        start += number(spearman_brown(self.alpha.value, now))
        return start if wanted <= now else f"{start}, and {wanted} would be needed for {number(TARGET)}"


def agreement(
    data: Judged | Ratings,
    dimension: str | None = None,
    *,
    measure: str = "interval",
    resamples: int = 1000,
    simulations: int = 1000,
    half: str = "even",
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    """Return how far the raters agree: `assay.agreement(data, "meaning")`.

    The simulated pair of raters rounds the mean of the others; `half` says where .5 goes. The paper does not; on its
    data "even" and "down" come near its agreement and "up" does not (docs/which-judges.md).

    One rater, no output rated twice, or all ratings equal: alpha is NaN, with an UndefinedWarning that says why. Kappa
    and correlation of pairs of raters are NaN where 0/0; how many is in the warning.

    >>> table = np.array([[1, 2, 3, 3, 2], [1, 2, 3, 2, 2], [1, 1, 3, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 5, tuple("12345"), "meaning")
    >>> result = agreement(ratings, resamples=0)
    >>> round(result.alpha.value, 3), round(result.percent, 3), len(result.pairs), result.icc.form
    (0.791, 0.733, 3, '2,1')
    >>> result.sentence()
    'The raters agree fairly well on meaning (alpha .79); with 3 raters per output the mean reaches .92.'
    """
    ratings = ratings_of(data, dimension)
    table = ratings.values.T
    there = ~np.isnan(table)
    discrete, twice = scale_of(ratings) is not None, bool((there.sum(axis=1) >= 2).any())
    packed = gathered(ratings)
    with quietly():
        alpha = krippendorff_alpha(packed, measure=measure, resamples=resamples, confidence=confidence, seed=seed)
        percent = percent_agreement(packed)
        coefficient = _icc(table, confidence)
        drawn = (
            two_raters(packed, half=half, simulations=simulations, confidence=confidence, seed=seed)
            if discrete
            else None
        )
        pairs = rater_pairs(ratings)
    kappa = mean_over_pairs([p.kappa for p in pairs], [p.n for p in pairs]) if discrete else None
    result = Agreement(
        ratings.dimension, ratings.raters, int(there.any(axis=1).sum()), int(there.sum()), alpha, percent, coefficient,
        kappa, drawn if twice else None, pairs, resamples, simulations, confidence, seed,
    )  # fmt: skip
    _warn(result, discrete)
    return result


def _icc(table: Floats, confidence: float) -> ICC | None:
    """ICC(2,1) of a complete table; ICC(1,1) if each output has equally many ratings, by other raters; else none."""
    there = ~np.isnan(table)
    table, there = table[there.any(axis=1)], there[there.any(axis=1)]
    counts = np.unique(there.sum(axis=1))
    if len(counts) != 1 or counts[0] < 2:
        return None
    if there.all():
        return icc(table, form="2,1", confidence=confidence)
    return icc(table[there].reshape(len(table), counts[0]), form="1,1", confidence=confidence)


def _why(result: Agreement) -> str:
    if len(result.raters) == 1:
        return f"there is one rater, {result.raters[0]!r}, and agreement needs two"
    if not result.alpha.items:
        return f"none of {result.outputs} outputs was judged by two of the {len(result.raters)} raters"
    return f"all {result.alpha.ratings} ratings of outputs judged twice are equal"


def _warn(result: Agreement, discrete: bool) -> None:
    if np.isnan(result.alpha.value):
        warn_undefined(f"agreement on {result.dimension!r}: {_why(result)}")
        return
    kappas = sum(np.isnan(p.kappa) for p in result.pairs) if discrete else 0
    correlations = sum(np.isnan(p.correlation) for p in result.pairs)
    if kappas or correlations:
        warn_undefined(
            f"agreement on {result.dimension!r}: kappa of {kappas} and correlation of {correlations} of "
            f"{len(result.pairs)} pairs of raters (too few outputs in common, or one always gives the same rating)"
        )
