"""Show systems that are outliers, and what they do to correlations; the column that stands next to each of these."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Protocol

from ..data.view import Column, Table, View, text_column
from ..meta.minimums import MIN_FOR_OUTLIERS, OUTLIER_THRESHOLD
from ._format import coefficient_symbol, format_count, format_decimals, format_number, join_names
from ._inputs import input_notes

if TYPE_CHECKING:
    from ..meta import Correlation
    from ..meta.outliers import OutlierEffect, Outliers

_FAR = 0.03  # difference without outliers from which the headline names it


def view_outliers(result: Outliers) -> View:
    """Show the outliers, then each metric's correlation with and without them."""
    symbol = coefficient_symbol(result.method)
    effects = [
        text_column("metric", [e.metric for e in result.effects]),
        Column(f"{symbol}, all systems", [format_decimals(e.value) for e in result.effects]),
        Column(f"{symbol}, without outliers", [format_decimals(e.without) for e in result.effects]),
        Column("change", [format_decimals(e.without - e.value) for e in result.effects]),
    ]
    systems = [
        text_column("outlier", [o.system for o in result.systems]),
        Column(f"mean {result.human}", [format_decimals(o.mean) for o in result.systems]),
        Column("deviations from the median", [f"{o.deviation:+.1f}" for o in result.systems]),
    ]
    notes = [
        f"Outlier: mean {result.human} more than {result.threshold:g} x 1.483 median absolute deviations from the "
        "median (Mathur et al. 2020). A few systems that are far worse than the rest can make a high correlation "
        "on their own.",
        *input_notes(result.signatures, result.left_out, result.leaked, result.copies),
    ]
    return View([_describe(result, symbol)], [Table(effects), Table(systems)], notes=notes)


class WithoutOutliers(Protocol):
    """A correlation that is also known without outliers."""

    @property
    def level(self) -> str: ...
    @property
    def outliers(self) -> tuple[str, ...]: ...
    @property
    def without_outliers(self) -> float: ...


def describe_outliers(c: Correlation) -> str:
    """Say what it is without outliers, if that is another figure."""
    if not abs(c.value - c.without_outliers) >= _FAR:
        return ""
    names = f"the {'outlier' if len(c.outliers) == 1 else 'outliers'} {join_names(c.outliers)}"
    return f" Without {names} it is {format_number(c.without_outliers)}."


def outlier_columns(correlations: Sequence[WithoutOutliers]) -> list[Column]:
    """Return the column of correlations without outliers; none where they were not looked for."""
    if all(isnan(c.without_outliers) and not c.outliers for c in correlations):
        return []

    def cell(c: WithoutOutliers) -> str:
        if c.level != "system":
            return ""
        none = not c.outliers and not isnan(c.without_outliers)
        return "no outliers" if none else format_decimals(c.without_outliers)

    return [Column("without outliers", [cell(c) for c in correlations])]


def outlier_notes(correlations: Sequence[Correlation]) -> list[str]:
    """Name the outliers, or say that there are too few systems to look for them."""
    at_system = [c for c in correlations if c.level == "system"]
    names = list(dict.fromkeys(name for c in at_system for name in c.outliers))
    if names:
        return [
            f"Outliers: {join_names(names, 10)} (mean {at_system[0].human} more than {OUTLIER_THRESHOLD:g} x 1.483 "
            "median absolute deviations from the median, Mathur et al. 2020)."
        ]
    few = [c.n for c in at_system if not isnan(c.value) and isnan(c.without_outliers)]
    return [f"Outliers are not looked for among fewer than {MIN_FOR_OUTLIERS} systems."] if few else []


def _describe(result: Outliers, symbol: str) -> str:
    if result.n < MIN_FOR_OUTLIERS:
        return f"Too few systems ({result.n}) to look for outliers: at least {MIN_FOR_OUTLIERS} are needed."
    if not result.systems:
        return f"No outliers among the {format_count(result.n, 'system')} by {result.human}."
    most = max(result.effects, key=_change)
    names = join_names([o.system for o in result.systems])
    verb = "is an outlier" if len(result.systems) == 1 else "are outliers"
    return (
        f"{names} {verb} by {result.human} ({len(result.systems)} of {format_count(result.n, 'system')}). Without "
        f"{'it' if len(result.systems) == 1 else 'them'}, {most.metric} correlates at {symbol} = "
        f"{format_number(most.without)} instead of {format_number(most.value)}."
    )


def _change(effect: OutlierEffect) -> float:
    change = abs(effect.without - effect.value)
    return change if change == change else -1.0
