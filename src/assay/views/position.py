"""Show whether judges of pairs prefer the text that comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_interval, format_percent, format_range, format_signed

if TYPE_CHECKING:
    from ..data.statement import Statement
    from ..raters.position import JudgePosition, PositionTable


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
    by_name = {row.judge: row for row in rows}
    sentences = [describe_position(s, by_name[s.subjects[0]]) for s in result.statements()]
    return View(sentences, [Table(columns)], notes=notes, title=f"Position: {result.dimension}")


def describe_position(statement: Statement, row: JudgePosition) -> str:
    """Say which place a judge prefers, or how many pairs it takes to say so."""
    (judge,), dimension = statement.subjects, statement.quantity
    pairs = format_count(row.pairs, "pair")
    if statement.needs:
        count = f"{pairs} of {format_count(row.effect.n, 'item')}"
        return (
            f"Too few pairs in both orders ({count}) to say whether {judge} prefers a position on {dimension}: "
            f"{statement.needs['pairs']:,} are needed."
        )
    interval = format_interval(statement.low, statement.high, statement.confidence, places=3)
    amount = f"{format_signed(statement.estimate)}{interval} over half"
    steady = f"it prefers the same system in both orders of {format_percent(row.consistent)} of {pairs}"
    if statement.claim == "no preference":
        return f"No preference of {judge} for a position on {dimension}: {amount}; {steady}."
    place = statement.claim.removeprefix("prefers ")
    return f"{judge} prefers the {place} text on {dimension}: {amount}; {steady}. Ask in both orders."
