"""Show how scores and rankings depend on the number of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View
from ._format import format_count, format_decimals, format_range

if TYPE_CHECKING:
    from ..pyramid.models import ModelCounts


def view_model_counts(result: ModelCounts) -> View:
    """Show a row for each number of models."""
    rows = result.counts
    columns = [
        Column("models", [str(row.models) for row in rows]),
        Column("mean score", [format_decimals(row.score) for row in rows]),
        Column("r with all", [format_decimals(row.correlation) for row in rows]),
        Column("95% of draws", [format_range(row.low, row.high) for row in rows]),
        Column("r with others", [format_decimals(row.disjoint) for row in rows]),
    ]
    if result.dimension is not None:
        columns.append(Column(f"r with {result.dimension}", [format_decimals(row.judged) for row in rows]))
    notes = [
        "mean score: modified Pyramid of the systems, mean over all choices of models. r: Pearson correlation of "
        f"system means, mean over {result.draws:,} random draws of models, one for each topic, seed {result.seed} "
        "(Owczarzak and Dang 2009). with all: with the scores by all models; with others: by as many other models."
    ]
    return View([_describe(result)], [Table(columns)], notes=notes, title="How many models are needed?")


def _describe(result: ModelCounts) -> str:
    first, *others = result.counts
    more = f"; with 2, at {format_decimals(others[0].correlation)}" if len(others) > 1 else ""
    return (
        f"With one model instead of {len(result.counts)}, the scores of {format_count(result.systems, 'system')} "
        f"correlate with the full ones at r = {format_decimals(first.correlation)} on average{more} "
        f"({format_count(result.topics, 'topic')})."
    )
