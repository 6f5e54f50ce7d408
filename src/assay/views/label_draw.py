"""Show which items were drawn for people to judge."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_percent, join_names

if TYPE_CHECKING:
    from ..raters.label_draw import LabelDraw

_WAYS = {
    "disagreement": "more often where LLM judges disagree",
    "gain": "more often where a label says most about {}",
    "uniform": "all with the same probability",
}


def view_label_draw(result: LabelDraw) -> View:
    """Show the drawn items with their probabilities."""
    how = _WAYS[result.by].format(" and ".join(result.systems))
    sentences = [
        f"People should judge {format_count(result.new, 'more item')} of {result.items:,} on {result.dimension}: "
        f"drawn, {how}, each with a probability that `assay compare --assist` uses."
    ]
    if not isnan(result.efficiency) and result.by != "uniform" and not result.systems:
        gain = 1 - result.efficiency
        more = "narrower" if gain > 0 else "wider"
        sentences.append(
            f"If the judge errs where judges disagree, the correction varies {format_percent(abs(gain))} "
            f"{'less' if gain > 0 else 'more'} than with a uniform draw of as many items ({more} intervals)."
        )
    columns = [
        text_column("item", [row.item for row in result.drawn]),
        Column("probability", [format_decimals(row.probability) for row in result.drawn]),
        Column("disagreement", [format_decimals(row.disagreement) for row in result.drawn]),
        text_column("labelled", ["already" if row.labelled else "" for row in result.drawn]),
    ]
    columns = [column for column in columns if any(column.cells)]
    judges = f"{join_names(result.judges)}. " if result.judges else ""
    notes = [
        f"{judges}disagreement: standard deviation between judges, each centred. Every item keeps at least "
        f"{format_percent(result.floor)} of the uniform probability. Seed {result.seed}."
    ]
    return View(sentences, [Table(columns)], notes=notes, title=f"Items to judge: {result.dimension}")
