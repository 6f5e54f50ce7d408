"""How many topics and references does a verdict need? Owczarzak and Dang (2009)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from typing import Any

import numpy as np

from .. import stats
from ..data.alignment import align_scores, common_cells, orient_means, orient_values
from ..data.copies import SystemCopy
from ..data.result import Result
from ..data.scores import Floats, Scores
from ..errors import AlignmentError, InputError
from ._inputs import copies_left_out, leaked_left_out, people_left_out, refuse_no_metric, signatures_of
from ._samples import Stability, summarize_samples


@dataclass(frozen=True)
class Stabilities(Result, question="stability", kind="stabilities", shared=("human",)):
    """How many items and references a correlation takes, for several metrics; `halves` is of the human scores."""

    human: str
    by_items: tuple[Stability, ...]
    by_references: tuple[Stability, ...]
    halves: tuple[Stability, ...]
    left_out: tuple[str, ...]
    signatures: Mapping[str, str]
    leaked: tuple[str, ...] = ()
    copies: tuple[SystemCopy, ...] = ()


def stabilities(
    metrics: Mapping[str, Scores],
    human: Scores,
    *,
    reference_tables: Mapping[str, Mapping[int, Floats]] | None = None,
    draws: int = 1000,
    method: str = "pearson",
    tolerance: float = 0.01,
    seed: int = 0,
    without: Collection[str] | None = None,
) -> Stabilities:
    """Return the stability of several metrics over items and references, and that of the human scores.

    `reference_tables` holds, by metric, what `reference_stability` takes; a metric without them is left out there, and
    so is one with corpus scores. Over items one is left out whose corpus scores come without their statistics.
    """
    refuse_no_metric(metrics)
    named = {name: replace(scores, name=name) for name, scores in metrics.items()}
    tables = reference_tables or {}
    settings: dict[str, Any] = {"draws": draws, "method": method, "seed": seed, "without": without}
    halves = [split_half_stability(human, **settings)] if len(human.items) > 1 else []
    settings["tolerance"] = tolerance
    return Stabilities(
        human=human.name,
        by_items=tuple(item_stability(scores, human, **settings) for scores in named.values() if _sees_items(scores)),
        by_references=tuple(
            reference_stability(tables[name], scores, human, **settings)
            for name, scores in named.items()
            if tables.get(name) and scores.corpus is None
        ),
        halves=tuple(halves),
        left_out=people_left_out((human, *metrics.values()), None, without),
        signatures=signatures_of(metrics),
        leaked=leaked_left_out((human, *metrics.values()), None, without),
        copies=copies_left_out((human, *metrics.values()), None, without),
    )


def item_stability(
    metric: Scores,
    human: Scores,
    *,
    sizes: Sequence[int] | None = None,
    draws: int = 1000,
    method: str = "pearson",
    tolerance: float = 0.01,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Stability:
    """Return the system-level correlation when the metric sees only some items, people all (section 4, Tables 7 and 9).

    For each size, `draws` random sets of items without replacement; the metric's mean over the outputs of them that
    people judged (its corpus score, where it has one) is correlated with the full human means. With all items this is
    the correlation of `correlate`. The paper's "48 (bootstr)" is `resampled`: systems drawn with replacement, all items
    (drawing items anew loses .02, and the paper's figure loses nothing).

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> names, ids = tuple(map(str, range(20))), tuple(map(str, range(30)))
    >>> m, h = Scores(h + rng.normal(size=h.shape), names, ids, "m"), Scores(h, names, ids, "h")
    >>> result = item_stability(m, h, sizes=[3, 10])
    >>> [s.size for s in result.sizes], result.sizes[0].mean < result.sizes[1].mean < result.actual
    ([3, 10, 30], True)
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    if not _sees_items(ours):
        raise InputError(
            f"{ours.name!r} has corpus scores without their statistics: none can be computed for some items"
        )
    rng, count = stats.generator(seed), len(ours.items)
    if ours.statistics is None:
        m, h = common_cells(ours, theirs)
        full = _means(np.ones((1, count)), h)[0]
        judged = np.flatnonzero((~np.isnan(m)).any(axis=0))
        m, count = m[:, judged], len(judged)
        means = partial(_means, values=m)
    else:
        full, means = orient_means(theirs), partial(_corpus_scores, scores=ours)

    def sample(size: int) -> Floats:
        weights = np.zeros((draws, count))
        np.put_along_axis(weights, stats.subsets(rng, count, size, draws), 1.0, axis=1)
        return stats.coefficients(means(weights), full, method=method)

    wanted = _sizes(sizes, count, "items")
    groups = {size: sample(size) for size in wanted}
    return summarize_samples("items", ours, theirs, groups, method, draws, tolerance, seed)


def _sees_items(scores: Scores) -> bool:
    """Whether scores can be computed for a part of the items."""
    return scores.corpus is None or scores.statistics is not None


def _corpus_scores(weights: Floats, scores: Scores) -> Floats:
    """Return the corpus score of each system over the items of each draw (draws x systems), higher is better."""
    assert scores.statistics is not None
    values = np.empty((len(weights), len(scores.systems)))
    for k, rows in enumerate(scores.statistics.rows):
        there = ~np.isnan(rows).any(axis=1)
        drawn = scores.statistics.finish(weights[:, there] @ rows[there])
        values[:, k] = np.where(weights[:, there].any(axis=1), drawn, nan)
    return values if scores.higher_is_better else -values


def reference_stability(
    tables: Mapping[int, Floats],
    metric: Scores,
    human: Scores,
    *,
    draws: int = 1000,
    method: str = "pearson",
    tolerance: float = 0.01,
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Stability:
    """Return the system-level correlation when the metric sees only some references (section 3, Tables 1 and 3).

    tables[k] holds scores against choices of k references, choice x system x item, with systems and items in the order
    of `metric` (which holds the scores against all): `assay.scoring.reference_tables` makes them. Each draw takes one
    choice per item at random.

    >>> rng = np.random.default_rng(0)
    >>> h = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> each = h + rng.normal(size=(4, 20, 30))
    >>> names, ids = tuple(map(str, range(20))), tuple(map(str, range(30)))
    >>> metric, human = Scores(each.mean(axis=0), names, ids, "m"), Scores(h, names, ids, "h")
    >>> result = reference_stability({1: each, 4: each.mean(axis=0)[None]}, metric, human)
    >>> result.sizes[0].mean < result.sizes[1].mean
    True
    """
    ours, theirs = align_scores(metric, human, systems=systems, without=without)
    rows = [metric.systems.index(s) for s in ours.systems]
    columns = [metric.items.index(i) for i in ours.items]
    if ours.corpus is not None:
        raise InputError(f"{ours.name!r} has corpus scores, which are not means of its scores of items")
    rng, unjudged = stats.generator(seed), np.isnan(theirs.values)
    full = _means(np.ones((1, len(ours.items))), common_cells(ours, theirs)[1])[0]
    sign = 1.0 if metric.higher_is_better else -1.0

    def sample(table: Floats) -> Floats:
        shape = (len(metric.systems), len(metric.items))
        if table.ndim != 3 or table.shape[1:] != shape:
            raise AlignmentError(
                f"a table must be choice x system x item, (any, {shape[0]}, {shape[1]}); got {table.shape}"
            )
        oriented = np.where(unjudged, nan, sign * table[:, rows][:, :, columns])
        choices, _, count = oriented.shape
        weights = np.zeros((draws, choices, count))
        np.put_along_axis(weights, rng.integers(0, choices, size=(draws, 1, count)), 1.0, axis=1)
        flat = oriented.swapaxes(0, 1).reshape(len(rows), -1)
        return stats.coefficients(_means(weights.reshape(draws, -1), flat), full, method=method)

    if not tables:
        raise InputError("tables must hold the scores against at least one number of references")
    groups = {size: sample(tables[size]) for size in sorted(tables)}
    return summarize_samples("references", ours, theirs, groups, method, draws, tolerance, seed)


def split_half_stability(
    human: Scores,
    *,
    sizes: Sequence[int] | None = None,
    draws: int = 1000,
    method: str = "pearson",
    seed: int = 0,
    systems: Sequence[str] | None = None,
    without: Collection[str] | None = None,
) -> Stability:
    """Return how people agree with themselves: means over two disjoint random sets of items (Table 6).

    >>> rng = np.random.default_rng(0)
    >>> h = Scores(rng.normal(size=(20, 1)) + rng.normal(size=(20, 30)), tuple(map(str, range(20))),
    ...            tuple(map(str, range(30))), "h")
    >>> result = split_half_stability(h, sizes=[1, 15])
    >>> result.sizes[0].mean < result.sizes[1].mean
    True
    """
    (ours,) = align_scores(human, systems=systems, without=without)
    values, rng, count = orient_values(ours), stats.generator(seed), len(ours.items)

    def sample(size: int) -> Floats:
        weights = np.zeros((2, draws, count))
        for side, half in zip(weights, stats.halves(rng, count, size, draws), strict=True):
            np.put_along_axis(side, half, 1.0, axis=1)
        return stats.coefficients(_means(weights[0], values), _means(weights[1], values), method=method)

    wanted = [s for s in _sizes(sizes, count // 2, "items") if s]
    groups = {size: sample(size) for size in wanted}
    return summarize_samples("halves", ours, ours, groups, method, draws, nan, seed)


def _sizes(sizes: Sequence[int] | None, most: int, noun: str) -> list[int]:
    """Return the sizes and all there is; by default 1, 3, 6, 12, ... and three quarters, as in the paper."""
    if most < 1:
        raise InputError(f"too few {noun} to draw from")
    if sizes is None:
        part = 3 * most // 4
        sizes = [1, *(3 * 2**k for k in range(most.bit_length()) if 3 * 2**k < part), max(part, 1)]
    for size in sizes:
        if not 1 <= size <= most:
            raise InputError(f"sizes must lie between 1 and {most}, the {noun} there are; got {size}")
    return sorted({*sizes, most})


def _means(weights: Floats, values: Floats) -> Floats:
    """Return the means of each system under each row of weights (draws x systems), over the cells there are."""
    there = ~np.isnan(values)
    sums = weights @ np.where(there, values, 0.0).T
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = sums / (weights @ there.T.astype(np.float64))
    return means
