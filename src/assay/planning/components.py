"""What makes ratings differ: systems, items, raters and their combinations, from a pilot or a library of studies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np

from ..data.ratings import Floats, Ratings
from ..data.result import Result
from ..errors import InputError, UnknownName
from ..raters.input import HasRatings, get_ratings, refuse_positions
from ..stats.checks import Bools, Ints
from ..stats.variance_components import NAMES, VarianceComponents, complete_components, variance_components, without_nan

_DRAWS = 200  # of items and raters, for intervals
_SIZES = (1, 2, 3, 5, 10)  # raters of the table that shows what more of them bring


@dataclass(frozen=True)
class ComponentRow:
    """One component with its interval: the variance it contributes, and its share of the variance of a rating."""

    kind: ClassVar[str] = "component"
    name: str
    variance: float
    low: float
    high: float
    share: float


@dataclass(frozen=True)
class Reliability:
    """How reliable systems' means are with a number of items and raters, every rater judging every output."""

    kind: ClassVar[str] = "reliability"
    items: int
    raters: int
    generalizability: float
    dependability: float


@dataclass(frozen=True)
class RatingComponents(Result, question="planning", kind="rating_components", shared=("dimension",)):
    """The components of the ratings of one dimension.

    Intervals draw the study anew, with other items and raters; with three raters system x rater is barely known.
    `lowest` and `highest` are the ends of the scale as used, `points` its points if it is discrete (else 0), `shares`
    how often each was given, for simulations.
    """

    dimension: str
    source: str
    systems: int
    items: int
    raters: int
    ratings: int
    lowest: float
    highest: float
    points: int
    shares: tuple[float, ...]
    negative: tuple[str, ...]
    seed: int
    components: tuple[ComponentRow, ...]
    reliability: tuple[Reliability, ...]
    samples: tuple[tuple[float, ...], ...] = field(default=(), repr=False)

    def draws(self) -> list[VarianceComponents]:
        """Return the components of each draw of items and raters; unknown ones as 0."""
        rows = np.nan_to_num(np.array(self.samples).reshape(-1, len(NAMES)))
        sizes = (self.systems, self.items, self.raters, self.ratings)
        return [VarianceComponents.of(row, (), sizes) for row in rows.tolist()]

    @property
    def parts(self) -> VarianceComponents:
        """The components as numbers."""
        values = {row.name: row.variance for row in self.components}
        sizes = (self.systems, self.items, self.raters, self.ratings)
        return VarianceComponents.of([values[name] for name in NAMES], self.negative, sizes)


def estimate_components(
    data: HasRatings | Ratings,
    dimension: str | None = None,
    *,
    draws: int = _DRAWS,
    seed: int = 0,
    allow_single: bool = False,
) -> RatingComponents:
    """Estimate the components of a dimension from ratings in which raters judged several systems of several items.

    Refused: one rater, one item or system, ratings without spread, raters who are positions on a line, and raters who
    never judged the same output; `allow_single` takes these, with system x item as part of the rest.
    """
    ratings = get_ratings(data, dimension)
    refuse_positions(ratings)
    values, system, item, rater = ratings.flatten()
    _refuse_unusable(ratings, values, system, item, rater, allow_single)
    parts = variance_components(values, system, item, rater)
    cells = np.zeros((parts.systems, parts.items, parts.raters), dtype=bool)
    cells[_renumber(system), _renumber(item), _renumber(rater)] = True
    samples = _draw_components(parts, cells, draws, seed)
    known = ~np.isnan(samples).all(axis=0)
    low, high = np.full((2, len(NAMES)), np.nan)
    low[known], high[known] = np.nanquantile(samples[:, known], (0.025, 0.975), axis=0)
    total = sum(value for name in NAMES if (value := getattr(parts, name)) == value)
    rows = tuple(
        ComponentRow(name, getattr(parts, name), float(low[k]), float(high[k]), getattr(parts, name) / total)
        for k, name in enumerate(NAMES)
    )
    points, shares = _scale_shares(values)
    return RatingComponents(
        dimension=ratings.dimension,
        source="pilot",
        systems=parts.systems,
        items=parts.items,
        raters=parts.raters,
        ratings=parts.ratings,
        lowest=float(values.min()),
        highest=float(values.max()),
        points=points,
        shares=shares,
        negative=parts.negative,
        seed=seed,
        components=rows,
        reliability=_reliability(parts, parts.items),
        samples=tuple(map(tuple, samples.tolist())),
    )


def _refuse_unusable(
    ratings: Ratings, values: Floats, system: Ints, item: Ints, rater: Ints, allow_single: bool
) -> None:
    what = f"the ratings of {ratings.dimension!r}"
    for codes, noun in ((system, "system"), (item, "item"), (rater, "rater")):
        if len(np.unique(codes)) < 2:
            raise InputError(f"{what} are of one {noun} only; it takes two, or a study of the library (--like)")
    if np.ptp(values) == 0:
        raise InputError(f"{what} are all {values[0]:g}: there are no differences to explain")
    if not allow_single and ((~np.isnan(ratings.values)).sum(axis=0) < 2).all():
        raise InputError(
            f"{what}: no output was judged by two raters, so raters cannot be told from outputs; let them share some"
        )
    pairs = {(int(s), int(r)) for s, r in zip(system, rater, strict=True)}
    if len(pairs) == len(np.unique(rater)):
        raise InputError(
            f"{what}: every rater judged one system only, so raters cannot be told from systems; let them share some"
        )


def _draw_components(parts: VarianceComponents, cells: Bools, draws: int, seed: int) -> Floats:
    """Draw the study anew, with other items and raters, and estimate the components each time (parametric bootstrap).

    Drawing the raters at hand with replacement would give the same rater twice, who agrees with themselves perfectly.
    """
    rng = np.random.default_rng(seed)
    known = {name: 0.0 if np.isnan(getattr(parts, name)) else getattr(parts, name) for name in NAMES}
    samples = [_estimate(np.where(cells, draw_ratings(rng, known, cells.shape), np.nan)) for _ in range(draws)]
    return np.array(samples)


def draw_ratings(rng: np.random.Generator, parts: Mapping[str, float], shape: tuple[int, ...]) -> Floats:
    """Draw a complete table, systems x items x raters, with these variances."""
    systems, items, raters = shape
    sizes = {
        "system": (systems, 1, 1),
        "item": (1, items, 1),
        "rater": (1, 1, raters),
        "system_item": (systems, items, 1),
        "system_rater": (systems, 1, raters),
        "item_rater": (1, items, raters),
        "rest": (systems, items, raters),
    }
    table = np.zeros((systems, items, raters))
    for name, size in sizes.items():
        if parts.get(name):
            table += rng.normal(0, np.sqrt(parts[name]), size)
    return table


def _renumber(codes: Ints) -> Ints:
    return np.asarray(np.unique(codes, return_inverse=True)[1], dtype=np.int64)


def _estimate(table: Floats) -> list[float]:
    cells = ~np.isnan(table)
    complete = bool(cells.all())
    parts = complete_components(table) if complete else variance_components(table[cells], *np.nonzero(cells))
    return [getattr(parts, name) for name in NAMES]


def _scale_shares(values: Floats) -> tuple[int, tuple[float, ...]]:
    """Return the points of a discrete scale and how often each was given; 0 and nothing for one that is not."""
    if (values % 1 != 0).any() or np.ptp(values) > 10:
        return 0, ()
    counts = np.bincount((values - values.min()).astype(np.int64))
    return len(counts), tuple((counts / counts.sum()).tolist())


def _reliability(parts: VarianceComponents, items: int) -> tuple[Reliability, ...]:
    known = without_nan(parts)
    return tuple(
        Reliability(n, k, known.generalizability(n, k, k), known.dependability(n, k, k))
        for n in sorted({max(items // 4, 2), items, items * 4})
        for k in _SIZES
    )


_REFUSED = {
    "summeval-crowd": "the file does not say whether crowd rater 1 of one summary is that of another",
    "msr-compression": "its raters are positions on a line, not people",
    "tac2008": "one person judged all summaries of a topic, so raters cannot be told from topics",
}


@cache
def _library() -> dict[str, dict[str, Any]]:
    entries: dict[str, dict[str, Any]] = json.loads((files(__package__) / "library.json").read_text("utf-8"))
    return entries


def list_studies() -> tuple[str, ...]:
    """List the studies of the library: `summeval-expert`, ..."""
    return tuple(sorted(_library()))


def read_study(name: str, dimension: str | None = None) -> RatingComponents:
    """Return the components of a study of the library; its dimension need not be named where there is one.

    >>> parts = read_study("summeval-expert", "coherence").parts
    >>> round(parts.system_item, 3), round(parts.system_rater, 3)
    (0.506, 0.085)
    """
    if name in _REFUSED:
        raise InputError(f"{name} tells nothing about raters: {_REFUSED[name]}")
    if name not in _library():
        raise UnknownName("study", name, list_studies(), hint=f"(there are {', '.join(list_studies())})")
    study = _library()[name]
    dimensions = study["dimensions"]
    if dimension is None and len(dimensions) > 1:
        raise InputError(f"{name} has several dimensions; choose one of {', '.join(dimensions)}")
    if dimension is not None and dimension not in dimensions:
        raise UnknownName("dimension", dimension, dimensions, hint=f"(of {name}: {', '.join(dimensions)})")
    fields = dimensions[dimension or next(iter(dimensions))]
    rows = tuple(ComponentRow(**row) for row in fields["components"])
    plain = {key: value for key, value in fields.items() if key != "components"}
    plain |= {"shares": tuple(plain["shares"]), "negative": tuple(plain["negative"])}
    plain["samples"] = tuple(map(tuple, plain["samples"]))
    result = RatingComponents(source=f"{name}: {study['source']}", components=rows, reliability=(), **plain)
    return replace(result, reliability=_reliability(result.parts, result.items))
