"""Show systems that are outliers, and what they do to correlations."""

from __future__ import annotations

from ..meta.outliers import FEWEST, OutlierEffect, Outliers
from ._format import coefficient_symbol, format_count, format_decimals, format_number, join_names
from ._inputs import input_notes
from ._view import Column, Table, View, text_column


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
        *input_notes(result.signatures, result.left_out, result.leaked),
    ]
    return View([_describe(result, symbol)], [Table(effects), Table(systems)], notes=notes)


def _describe(result: Outliers, symbol: str) -> str:
    if result.n < FEWEST:
        return f"Too few systems ({result.n}) to look for outliers: at least {FEWEST} are needed."
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
