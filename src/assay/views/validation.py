"""Show how many judgments validate a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import Column, Table, View
from ._format import format_count, format_decimals, format_percent

if TYPE_CHECKING:
    from ..planning.validation import ValidationPlan


def view_validation_plan(result: ValidationPlan) -> View:
    """Show the designs, those with the fewest judgments first."""
    best, designs = result.designs[0], result.designs
    headline = (
        f"{format_count(best.judgments, 'judgment')} tell a correlation of {format_decimals(result.correlation, 2)} "
        f"with {result.dimension} to within {format_decimals(result.width, 2)}: "
        f"{format_count(best.per_output, 'rating')} of each of {format_count(best.outputs, 'output')}."
    )
    duplicates = (
        f"For self-consistency, {format_count(result.duplicates, 'output')} judged twice by the same rater tell one of "
        f"{format_decimals(result.consistency, 2)} to within {format_decimals(result.width, 2)}."
    )
    columns = [
        Column("judgments", [f"{d.judgments:,}" for d in designs]),
        Column("outputs", [f"{d.outputs:,}" for d in designs]),
        Column("per output", [str(d.per_output) for d in designs]),
        Column("reliability", [format_decimals(d.reliability) for d in designs]),
        Column("r with their mean", [format_decimals(d.observed) for d in designs]),
    ]
    notes = [
        f"Components: {result.source}. Interval: {format_percent(result.confidence)}, of the correlation with what "
        "raters agree on (Fisher's z, divided by the square root of the reliability). Outputs are counted as "
        "independent: take them from many items."
    ]
    return View([headline, duplicates], [Table(columns)], notes=notes)
