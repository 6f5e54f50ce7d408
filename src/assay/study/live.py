"""Agreement of the raters so far, by the same functions as `assay agree`."""

from __future__ import annotations

from typing import Any

from ..data.evalset import EvalSet
from ..errors import ignore_undefined
from ..raters import agreement, ranking_agreement

RESAMPLES = 200  # fewer than assay agree: the page asks often


def live_agreement(data: EvalSet) -> list[dict[str, Any]]:
    """Return for each dimension alpha, or of rankings and pairs tau, with its interval; NaN is None.

    `outputs` are those that two raters or more judged, of rankings the items.
    """
    return [_agreement_of(data, dimension) for dimension in data.dimensions]


def _agreement_of(data: EvalSet, dimension: str) -> dict[str, Any]:
    if data.scale(dimension).kind != "rating":
        order = ranking_agreement(data.rankings(dimension), resamples=RESAMPLES)
        return _row(dimension, "tau", order.tau, len(order.raters), order.compared_items)
    with ignore_undefined():
        result = agreement(data, dimension, simulations=10)
    raters: dict[tuple[str, str], set[str]] = {}
    for item in data:
        for judgment in item.judgments:
            if judgment.dimension == dimension:
                raters.setdefault((item.id, judgment.system), set()).add(judgment.rater)
    common = sum(len(names) > 1 for names in raters.values())
    return _row(dimension, "alpha", result.alpha, len(result.raters), common)


def _row(dimension: str, measure: str, value: Any, raters: int, outputs: int) -> dict[str, Any]:
    numbers = {"value": value.value, "low": value.low, "high": value.high}
    finite = {name: number if number is not None and number - number == 0 else None for name, number in numbers.items()}
    return {"dimension": dimension, "measure": measure, **finite, "raters": raters, "outputs": outputs}
