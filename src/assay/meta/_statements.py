"""What correlations of metrics with people assert: which metric agrees best, and whether what sees nothing does too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isnan

from ..data.design import Design
from ..data.minimums import MINIMUMS, Minimum, correlation_minimum
from ..data.statement import Statement
from ._correlation import Correlation
from ._metric_differences import MetricDifference, SentinelDifference

_ALL = 0.9995
_POINTS = {"system": "systems", "pooled": "outputs"}


def state_correlation(c: Correlation, design: Design | None = None, judges: str = "") -> Statement:
    """Say whether one metric agrees with people; below the minimum of the level, that there is too little evidence."""
    counts = _count(c, design)
    minimum = level_minimum(c.level, c.method)
    claim = "undefined" if isnan(c.value) else "agrees" if c.low > 0 or c.high < 0 else "does not agree"
    statement = Statement(
        claim,  # type: ignore[arg-type]
        (c.metric,),
        quantity=c.human,
        level=c.level,
        estimand=f"correlation ({c.method})",
        estimate=c.value,
        low=c.low,
        high=c.high,
        confidence=c.confidence,
        test=c.interval or "",
        counts=counts,
        judges=judges,
    )
    if claim == "does not agree" and c.low < -_ALL and c.high > _ALL:  # an interval that leaves out nothing
        return replace(statement, claim="too little evidence", needs={_POINTS.get(c.level, "items"): c.n + 1})
    return statement if claim == "undefined" else statement.hold_to(minimum)


def state_best(
    ranked: Sequence[Correlation],
    differences: Iterable[MetricDifference],
    sentinels: Sequence[SentinelDifference],
    design: Design | None,
    judges: str,
) -> tuple[Statement, ...]:
    """Say which of several metrics agrees best: with an interval above 0, and significantly better than a sentinel."""
    best = ranked[0]
    own = state_correlation(best, design, judges)
    if own.claim != "agrees" or best.low <= 0:
        return (own,)
    near = tuple(d.metric for d in differences if d.level == best.level and d.best == best.metric and not d.clear)
    counts = {**own.counts, "metrics": len(ranked)}
    blind = next(iter(sentinels), None)
    if blind is not None and (blind.high == blind.high or blind.difference <= 0) and not blind.low > 0:
        return (replace(own, claim="sentinel as good", others=(blind.sentinel,), counts=counts),)
    untested = blind is not None and blind.low != blind.low
    if len(ranked) == 1 or untested:
        return (own,)
    answer = replace(own, claim="agrees best", others=near, counts=counts)
    answer = answer if best.level != "system" else answer.hold_to(MINIMUMS["best metric"])
    return (answer,) if answer.enough else (answer, own)


def level_minimum(level: str, method: str) -> Minimum:
    """Return the minimum of a correlation at a level: of systems, or of items with judged outputs."""
    if level == "system":
        return correlation_minimum(level, method)
    within = MINIMUMS["within items"]
    return within if level == "item" else replace(within, counts={"items": within.counts["items"]})


def _count(c: Correlation, design: Design | None) -> dict[str, int]:
    """Count the facets behind a correlation; within items those that have one, of three judged systems or more."""
    counts = {} if design is None else {"systems": design.systems, "items": design.items, "clusters": design.clusters}
    if c.level == "system":
        return {**counts, "systems": c.n}
    if c.level == "item":
        return {**counts, "items": c.groups}
    return {**counts, "outputs": c.n} if c.level == "pooled" else counts
