"""Measure how far the raters of a dimension agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.minimums import MINIMUMS
from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..data.statement import Statement
from ..errors import InputError, ignore_undefined
from ..stats import ICC, Alpha, TwoRaters, icc, krippendorff_alpha, percent_agreement, two_raters
from ..stats.checks import warn_undefined
from ..stats.variance_components import VarianceComponents
from .input import HasRatings, get_ratings, pack_ratings, scale_points
from .rater_pairs import RaterPair, mean_over_pairs, rater_pairs
from .sample_size import rating_components


@dataclass(frozen=True)
class Agreement(Result, question="agreement", kind="agreement", shared=("dimension",)):
    """Krippendorff's alpha with its interval, the share of equal ratings, and what else the design allows.

    Intervals are over items, or clusters of them: outputs of one item are not drawn apart.
    `icc` is defined if every output has equally many ratings: form 2,1 if they are by the same raters, 1,1 if not.
    `kappa` (quadratic, mean over pairs of raters, weighted by their common outputs) and `two_raters` (the simulation of
    Toutanova et al. 2016, 3.2) are defined if the scale is discrete. `components` say how reliable the mean of several
    ratings is. Nominal ratings have plain kappa, and nothing that takes them for numbers. `items` were judged twice.
    """

    dimension: str
    raters: tuple[str, ...]
    items: int
    outputs: int
    ratings: int
    components: VarianceComponents
    measure: str
    alpha: Alpha
    percent_agreement: float
    icc: ICC | None
    icc_form: str | None
    kappa: float | None
    two_raters: TwoRaters | None
    pairs: tuple[RaterPair, ...]
    simulations: int
    confidence: float
    seed: int | None
    judges: str = "human"  # or llm, metric, mixed

    def statements(self) -> tuple[Statement, ...]:
        """Say how far the raters agree."""
        alpha = self.alpha
        statement = Statement(
            "undefined" if np.isnan(alpha.value) else "agreement",
            self.raters,
            quantity=self.dimension,
            estimand=f"Krippendorff's alpha ({self.measure})",
            estimate=alpha.value,
            low=alpha.low,
            high=alpha.high,
            confidence=self.confidence,
            counts={"items": self.items, "outputs": self.outputs, "raters": len(self.raters), "ratings": self.ratings},
            judges=self.judges,
        )
        return (statement if statement.claim == "undefined" else statement.hold_to(MINIMUMS["agreement"]),)

    @property
    def ratings_per_output(self) -> float:
        """Mean number of ratings of a rated output."""
        return self.ratings / self.outputs


@dataclass(frozen=True)
class AgreementTable(Result, question="agreement", kind="agreement_table"):
    """The agreement of raters on several dimensions."""

    dimensions: tuple[Agreement, ...]


def agreement(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    measure: str = "interval",
    interval: bool = True,
    simulations: int = 1000,
    half: str = "even",
    confidence: float = 0.95,
    seed: int = 0,
) -> Agreement:
    """Measure how far the raters agree: `assay.agreement(data, "meaning")`.

    In the simulation of two raters, the mean of the other raters is rounded; `half` says where .5 goes: "even", "up" or
    "down". The paper does not say; on its data "even" and "down" come close to its agreement and "up" does not
    (docs/which-judges.md).

    One rater, no output rated twice, or all ratings equal: alpha is NaN, with an UndefinedWarning that says why. Kappa
    and correlation of pairs of raters are NaN where 0/0; the warning counts them.

    >>> table = np.array([[1, 2, 3, 3, 2], [1, 2, 3, 2, 2], [1, 1, 3, 3, 2.0]])
    >>> ratings = Ratings(table, ("ann", "bob", "cy"), ("A",) * 5, tuple("12345"), "meaning")
    >>> result = agreement(ratings, interval=False)
    >>> round(result.alpha.value, 3), round(result.percent_agreement, 3), len(result.pairs), result.icc.form
    (0.791, 0.733, 3, '2,1')
    """
    ratings = get_ratings(data, dimension)
    table = ratings.values.T
    rated = ~np.isnan(table)
    discrete, overlap = scale_points(ratings) is not None, bool((rated.sum(axis=1) >= 2).any())
    packed = pack_ratings(ratings)
    options = {"confidence": confidence, "seed": seed}
    with ignore_undefined():
        alpha = krippendorff_alpha(
            packed, measure=measure, interval=interval, units=ratings.units, confidence=confidence
        )
        nominal = measure == "nominal"
        intraclass = None if nominal else _icc(table, confidence, ratings.units)
        simulated = (
            two_raters(packed, half=half, simulations=simulations, **options)  # type: ignore[arg-type]
            if discrete and not nominal
            else None
        )
        pairs = rater_pairs(ratings, nominal=nominal)
        twice = np.flatnonzero(rated.sum(axis=1) >= 2).tolist()
        result = Agreement(
            dimension=ratings.dimension,
            raters=ratings.raters,
            items=len({ratings.units[i] for i in twice}),
            outputs=int(rated.any(axis=1).sum()),
            ratings=int(rated.sum()),
            components=rating_components(ratings),
            measure=measure,
            alpha=alpha,
            percent_agreement=percent_agreement(packed),
            icc=intraclass,
            icc_form=intraclass.form if intraclass else None,
            kappa=mean_over_pairs([p.kappa for p in pairs], [p.n for p in pairs]) if discrete else None,
            two_raters=simulated if overlap else None,
            pairs=pairs,
            simulations=simulations,
            confidence=confidence,
            seed=seed,
            judges=ratings.judges,
        )
    _warn(result, discrete)
    return result


def agreement_table(data: HasRatings, dimensions: Sequence[str] | None = None, **options: Any) -> AgreementTable:
    """Measure the agreement on several dimensions, all by default; options as for `agreement`."""
    names = data.dimensions if dimensions is None else tuple(dict.fromkeys(dimensions))
    if not names:
        raise InputError("this set has no judgments")
    return AgreementTable(tuple(agreement(data, name, **options) for name in names))


def _icc(table: Floats, confidence: float, units: Sequence[str]) -> ICC | None:
    """Return ICC(2,1) of a complete table, ICC(1,1) if outputs have equally many ratings by various raters, or None."""
    rated = ~np.isnan(table)
    units = [unit for unit, there in zip(units, np.asarray(rated.any(axis=1)).tolist(), strict=True) if there]
    table, rated = table[rated.any(axis=1)], rated[rated.any(axis=1)]
    counts = np.unique(rated.sum(axis=1))
    if len(counts) != 1 or counts[0] < 2:
        return None
    if rated.all():
        return icc(table, form="2,1", confidence=confidence, units=units)
    return icc(table[rated].reshape(len(table), counts[0]), form="1,1", confidence=confidence, units=units)


def explain_undefined(result: Agreement) -> str:
    """Explain why alpha is undefined."""
    if len(result.raters) == 1:
        return f"there is only one rater, {result.raters[0]!r}"
    if not result.alpha.items:
        return f"none of the {result.outputs} outputs was judged by two of the {len(result.raters)} raters"
    return f"all {result.alpha.ratings} ratings of outputs with two or more ratings are equal"


def _warn(result: Agreement, discrete: bool) -> None:
    if np.isnan(result.alpha.value):
        warn_undefined(f"agreement on {result.dimension!r}: {explain_undefined(result)}")
        return
    kappas = sum(np.isnan(p.kappa) for p in result.pairs) if discrete else 0
    correlations = 0 if result.measure == "nominal" else sum(np.isnan(p.correlation) for p in result.pairs)
    if kappas or correlations:
        warn_undefined(
            f"agreement on {result.dimension!r}: kappa of {kappas} and correlation of {correlations} of "
            f"{len(result.pairs)} pairs of raters (too few outputs in common, or one always gives the same rating)"
        )
