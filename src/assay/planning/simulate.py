"""Try a planned study many times: ratings on the points of the scale, raters who see a part, the test to be run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from ..data.ratings import Floats
from ..data.result import Result
from ..errors import InputError, UnknownName
from ..stats.checks import Bools
from ..stats.multiple_testing import holm
from ..stats.rating_contrasts import ContrastDesign, contrast_variance, rating_contrasts
from ..stats.variance_components import NAMES, VarianceComponents, complete_components
from .components import RatingComponents, draw_ratings

ASSIGNMENTS = ("complete", "random", "latin-square")
JUDGMENTS = ("rating", "ranking", "preference")


@dataclass(frozen=True)
class SimulatedStudy(Result, question="planning", kind="simulated_study"):
    """How often a planned study finds that the first system is better than others, and what it finds wrongly.

    `power`: share of simulations in which the first system is significantly better than the second. `power_any`: than
    at least one other, after Holm's correction over all pairs. `false`: share in which two systems that are equal are
    said to differ, without correction. `error` is the Monte Carlo standard error of `power`.
    """

    dimension: str
    source: str
    judgment: str
    systems: int
    items: int
    raters: int
    per_output: int
    assignment: str
    difference: float
    ordinal: bool
    new_raters: bool
    simulations: int
    power: float
    error: float
    power_any: float
    false: float | None
    seed: int


def simulate_study(
    components: RatingComponents,
    *,
    difference: float,
    items: int,
    raters: int,
    per_output: int | None = None,
    systems: int = 2,
    assignment: str = "complete",
    judgment: str = "rating",
    ordinal: bool | None = None,
    new_raters: bool = True,
    simulations: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    follow: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> SimulatedStudy:
    """Draw ratings with these components, the first system better by `difference`, and test all pairs of systems.

    ordinal: ratings are given on the points of the scale, cut so that each is used as often as in the pilot; by default
    where the pilot's scale is discrete. ranking: each rater ranks the outputs of an item that they see, and mean ranks
    are tested. preference: each rater sees two outputs of an item, by lot, and says which is better (1 and 0, equal
    ratings half of each); mean shares of wins are tested.

    assignment, as `assay study` makes it: complete (all raters see all outputs), random (each item goes to `per_output`
    raters, who see all its outputs) or latin-square (no one sees two outputs of one item; raters are spread over as
    many lists as there are systems, so that an output has raters / systems ratings). `follow` may show progress.
    """
    if assignment not in ASSIGNMENTS:
        raise UnknownName("assignment", assignment, ASSIGNMENTS, hint=f"(there are {', '.join(ASSIGNMENTS)})")
    if judgment not in JUDGMENTS:
        raise UnknownName("judgment", judgment, JUDGMENTS, hint=f"(there are {', '.join(JUDGMENTS)})")
    if items < 2 or raters < 1 or systems < 2 or simulations < 1:
        raise InputError("a simulation needs two systems, two items, one rater and one run")
    if judgment != "rating" and assignment == "latin-square":
        raise InputError(f"a {judgment} needs raters who see several outputs of an item; a Latin square shows them one")
    if assignment == "latin-square" and raters < systems:
        raise InputError(f"a Latin square of {systems} systems needs at least {systems} raters; got {raters}")
    per_output = _ratings_per_output(assignment, raters, systems, per_output)
    ordinal = bool(components.points) if ordinal is None else ordinal
    rng = np.random.default_rng(seed)
    cut = _cutter(components, difference, systems) if ordinal else None
    parts = known_components(components.parts) | {"system": 0.0}  # systems differ only by what is asked for
    counts = np.zeros(3)
    for _ in follow(range(simulations)):
        table = draw_ratings(rng, parts, (systems, items, raters))
        table[0] += difference
        table = table if cut is None else cut(table)
        mask = _assign(rng, systems, items, raters, per_output, assignment)
        if judgment == "ranking":
            table = _rank(table)
        elif judgment == "preference":
            table, mask = _prefer(rng, table, mask)
        better, p = _test(table, mask, new_raters)
        counts += _count(better, p, alpha)
    share, share_any, wrong = counts / simulations
    return SimulatedStudy(
        dimension=components.dimension,
        source=components.source,
        judgment=judgment,
        systems=systems,
        items=items,
        raters=raters,
        per_output=per_output,
        assignment=assignment,
        difference=difference,
        ordinal=ordinal,
        new_raters=new_raters,
        simulations=simulations,
        power=share,
        error=sqrt(share * (1 - share) / simulations),
        power_any=share_any,
        false=wrong if systems > 2 else None,
        seed=seed,
    )


def _ratings_per_output(assignment: str, raters: int, systems: int, wanted: int | None) -> int:
    if assignment == "complete":
        return raters
    return raters // systems if assignment == "latin-square" else min(wanted or 1, raters)


def known_components(parts: VarianceComponents) -> dict[str, float]:
    return {name: 0.0 if np.isnan(getattr(parts, name)) else getattr(parts, name) for name in NAMES}


def _cutter(components: RatingComponents, difference: float, systems: int) -> Callable[[Floats], Floats]:
    """Return a function that puts values on the points of the scale, each used as often as in the pilot on average.

    Cut points are normal quantiles of the pilot's shares; a difference on the scale is then as large as asked for where
    the scale is not exhausted.
    """
    parts = known_components(components.parts)
    spread = sqrt(sum(value for name, value in parts.items() if name != "system"))
    middle = difference / systems  # the mean of all systems, one of which is better
    ends = np.cumsum(components.shares)[:-1].clip(1e-6, 1 - 1e-6)
    cuts = np.array([NormalDist(middle, spread).inv_cdf(float(end)) for end in ends])
    return lambda table: components.lowest + np.searchsorted(cuts, table).astype(np.float64)


def _rank(table: Floats) -> Floats:
    """Replace ratings by ranks of the systems for one item and rater, the highest the best; ties share a mean rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(table, axis=0))


def _prefer(rng: np.random.Generator, table: Floats, mask: Bools | None) -> tuple[Floats, Bools]:
    """Show each rater two outputs of an item, by lot; the better one wins: 1 and 0, ties half of each."""
    order = np.argsort(rng.random(table.shape), axis=0)
    first, second = order[:1], order[1:2]
    lead = np.sign(np.take_along_axis(table, first, axis=0) - np.take_along_axis(table, second, axis=0))
    wins, pair = np.zeros(table.shape), np.zeros(table.shape, dtype=bool)
    for place, sign in ((first, 1), (second, -1)):
        np.put_along_axis(wins, place, (1 + sign * lead) / 2, axis=0)
        np.put_along_axis(pair, place, np.ones_like(lead, dtype=bool), axis=0)
    return wins, pair if mask is None else pair & mask


def _assign(
    rng: np.random.Generator, systems: int, items: int, raters: int, per_output: int, assignment: str
) -> Bools | None:
    """Return who sees what; None if everybody sees everything."""
    if assignment == "complete" or (assignment == "random" and per_output == raters):
        return None
    mask = np.zeros((systems, items, raters), dtype=bool)
    if assignment == "latin-square":  # raters are spread over as many lists as there are systems
        rater, place = np.indices((raters, items)).reshape(2, -1)
        mask[(place + rater) % systems, place, rater] = True
        return mask
    loads = np.zeros(raters)
    for item in range(items):
        viewers = np.lexsort((rng.random(raters), loads))[:per_output]  # those with the fewest items, by lot
        mask[:, item, viewers] = True
        loads[viewers] += 1
    return mask


def _test(table: Floats, mask: Bools | None, new_raters: bool) -> tuple[Floats, Floats]:
    """Return the differences and p-values of all pairs of systems."""
    from scipy.stats import t

    if mask is None and table.shape[2] > 1:
        parts = complete_components(table, clip=False)
        design = ContrastDesign(table.shape[0], table.shape[1], table.shape[2], table.shape[2])
        variance, df = contrast_variance(parts, design, new_raters=new_raters)
        means = table.mean(axis=(1, 2))
        difference = means[:, None] - means[None, :]
        p = 2 * t.sf(np.abs(difference) / sqrt(variance), df) if variance > 0 else np.ones(difference.shape)
        return difference, p
    cells = np.ones(table.shape, dtype=bool) if mask is None else mask
    result = rating_contrasts(table[cells], *np.nonzero(cells), new_raters=new_raters)
    return result.difference, result.pvalue


def _count(difference: Floats, p: Floats, alpha: float) -> Floats:
    """Count whether the first system is found better than the second, than any after Holm, and a false difference."""
    first, second = np.triu_indices(len(p), 1)
    adjusted = holm(p[first, second]).pvalues
    of_first = first == 0
    better = difference[first, second] > 0
    found_any = bool((of_first & better & (adjusted < alpha)).any())
    others = ~of_first
    wrong = bool(others.any() and (p[first, second][others][:1] < alpha).any())
    return np.array([float(p[0, 1] < alpha and difference[0, 1] > 0), float(found_any), float(wrong)])
