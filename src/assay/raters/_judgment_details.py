"""What files keep next to judgments: seconds, cost, the order of a pair, who is a panel, and which ones failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..data.evalset import EvalSet
from ..data.item import Item, Judgment


@dataclass(frozen=True)
class JudgingCost:
    """What the judgments of one assessor took: mean seconds and sum of cost, NaN where not stated; failures."""

    seconds: float
    cost: float
    failures: int


def list_details(item: Item) -> Iterator[tuple[Judgment, Mapping[str, Any]]]:
    """Yield each judgment with the other keys that the file has next to it."""
    rows = item.extra.get("judgments")
    if not isinstance(rows, list) or len(rows) != len(item.judgments):
        return
    for judgment, row in zip(item.judgments, rows, strict=True):
        if isinstance(row, dict):
            yield judgment, row


def find_panels(data: EvalSet) -> frozenset[str]:
    """Return the raters that are panels of others, as the file states: they do not count as judges of their own."""
    return frozenset(judgment.rater for item in data for judgment, row in list_details(item) if row.get("panel"))


def sum_costs(data: EvalSet, dimension: str) -> dict[str, JudgingCost]:
    """Return what the judgments of each assessor took, where the file states it."""
    seconds: dict[str, list[float]] = {}
    cost: dict[str, float] = {}
    failures: dict[str, int] = {}
    for item in data:
        for judgment, row in list_details(item):
            if judgment.dimension != dimension:
                continue
            if _is_number(row.get("seconds")):
                seconds.setdefault(judgment.rater, []).append(float(row["seconds"]))
            if _is_number(row.get("cost")):
                cost[judgment.rater] = cost.get(judgment.rater, 0.0) + float(row["cost"])
        for failure in _list_failures(item):
            if failure.get("dimension") == dimension:
                rater = str(failure.get("rater"))
                failures[rater] = failures.get(rater, 0) + 1
    nan = float("nan")
    return {
        rater: JudgingCost(
            sum(seconds[rater]) / len(seconds[rater]) if rater in seconds else nan,
            cost.get(rater, nan),
            failures.get(rater, 0),
        )
        for rater in {*seconds, *cost, *failures}
    }


def _list_failures(item: Item) -> list[Mapping[str, Any]]:
    rows = item.extra.get("failures")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value
