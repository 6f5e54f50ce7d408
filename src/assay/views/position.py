"""Show whether judges of pairs prefer the text that comes first."""

from __future__ import annotations

from math import isnan

from ..raters.position import JudgePosition, PositionTable
from ._format import format_count, format_interval, format_percent, format_range, format_signed
from ._view import Column, Table, View, text_column


def view_position_table(result: PositionTable) -> View:
    """Show the effect of position on each judge."""
    rows = result.judges
    columns = [
        text_column("judge", [row.judge for row in rows]),
        text_column("kind", [row.judge_kind for row in rows]),
        Column("pairs", [f"{row.pairs:,}" for row in rows]),
        Column("same in both orders", [format_percent(row.consistent) for row in rows]),
        Column("for the first", [format_signed(row.effect.value) for row in rows]),
        Column(f"{100 * result.confidence:g}% CI", [format_range(row.effect.low, row.effect.high) for row in rows]),
        Column("ties", [format_percent(row.ties) for row in rows]),
    ]
    if any(row.repeated for row in rows):
        columns.append(Column("same again", [format_percent(row.stable) for row in rows]))
    if any(row.compared and row.judge_kind != "human" for row in rows):
        columns.append(Column("as people", [format_percent(row.agreement) for row in rows]))
    notes = [
        "Pairs shown in both orders. for the first: how much more often than half the first text is preferred; "
        "intervals are clustered by item. same again: the same order asked again. as people: of the pairs on which "
        "most people prefer one system, those on which the judge does over both orders."
    ]
    sentences = [_describe(row, result) for row in rows if row.judge_kind != "human"] or [_describe(rows[0], result)]
    return View(sentences, [Table(columns)], notes=notes, title=f"Position: {result.dimension}")


def _describe(row: JudgePosition, result: PositionTable) -> str:
    if not row.pairs or isnan(row.effect.low):
        return (
            f"Too few items with a pair in both orders ({row.effect.n}) to say whether {row.judge} prefers a position "
            f"on {result.dimension}."
        )
    interval = format_interval(row.effect.low, row.effect.high, result.confidence)
    amount = f"{format_signed(row.effect.value)}{interval} over half"
    pairs = format_count(row.pairs, "pair")
    steady = f"it prefers the same system in both orders of {format_percent(row.consistent)} of {pairs}"
    if row.effect.low > 0 or row.effect.high < 0:
        place = "first" if row.effect.low > 0 else "second"
        return f"{row.judge} prefers the {place} text on {result.dimension}: {amount}; {steady}. Ask in both orders."
    return f"No preference of {row.judge} for a position on {result.dimension}: {amount}; {steady}."
