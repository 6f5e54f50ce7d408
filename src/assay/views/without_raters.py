"""Show what changes without some raters or authors."""

from __future__ import annotations

from math import isnan

from ..raters.authors import WithoutAuthors
from ..raters.drop import WithoutEachRater, WithoutRaters
from ._format import format_count, format_decimals, format_signed, join_names
from ._view import Column, Table, View, text_column
from .raters import ORDERS


def view_without_raters(result: WithoutRaters) -> View:
    """Show what changes without some raters: system means, alpha, and each metric's correlation."""
    metrics = result.metrics
    columns = [
        text_column("metric", [m.metric.split("(")[0] for m in metrics]),
        Column("r of systems", [format_decimals(m.systems_before) for m in metrics]),
        Column("without", [format_decimals(m.systems_after) for m in metrics]),
        Column("r of outputs per rater", [format_decimals(m.outputs_before) for m in metrics]),
        Column("without", [format_decimals(m.outputs_after) for m in metrics]),
    ]
    notes = [f"{m.metric.split('(')[0]} = {m.metric}" for m in metrics if "(" in m.metric]
    return View(_describe_change(result), [Table(columns)] if metrics else [], notes=notes, title=_title(result))


def view_without_each_rater(result: WithoutEachRater) -> View:
    """Show what changes without each rater in turn, the largest change of the ranking first."""
    rows = sorted(result.left_out, key=lambda r: (isnan(r.pearson), r.pearson))
    if not rows:
        return View([f"No rater of {result.dimension} can be left out: nobody else rated."])
    columns = [
        text_column("without", [r.raters[0] for r in rows]),
        Column("alpha", [format_decimals(r.alpha_after) for r in rows]),
        Column("change", [format_signed(r.alpha_after - r.alpha_before) for r in rows]),
        Column("r of system means", [format_decimals(r.pearson) for r in rows]),
        Column("Spearman", [format_decimals(r.spearman) for r in rows]),
    ]
    for place, metric in enumerate(m.metric.split("(")[0] for m in rows[0].metrics):
        columns += [
            Column(f"r of {metric}", [format_decimals(r.metrics[place].systems_after) for r in rows]),
            Column("all raters", [format_decimals(r.metrics[place].systems_before) for r in rows]),
        ]
    notes = ["r of system means: correlation of the system means without the rater with those of all raters."]
    if len(rows) < result.total:
        notes.append(f"Only the {len(rows)} raters who agree least with the others were left out in turn.")
    return View(_describe_change(rows[0]), [Table(columns)], notes=notes)


def view_without_authors(result: WithoutAuthors) -> View:
    """Show what changes without the texts of the worst authors."""
    total = len(result.authors) + result.remaining
    headline = (
        f"Without the worst {len(result.authors)} of {format_count(total, 'author')}, mean {result.dimension} rises "
        f"from {format_decimals(result.mean_before)} ({format_count(result.outputs_before, 'output')}) to "
        f"{format_decimals(result.mean_after)} ({format_count(result.outputs_after, 'output')})."
    )
    columns = [
        text_column("author left out", list(result.authors)),
        Column(f"mean {result.dimension}", [format_decimals(q) for q in result.qualities]),
    ]
    return View([headline], [Table(columns)])


def _describe_change(result: WithoutRaters) -> list[str]:
    lost = result.items_before - result.items_after
    also = f" and {lost:,} of {format_count(result.items_before, 'item')} that only they rated" if lost else ""
    sentence = (
        f"Without {join_names(result.raters)}{also}, system means on {result.dimension} correlate with those of all "
        f"raters at r = {format_decimals(result.pearson)} (Spearman {format_decimals(result.spearman)})."
    )
    if isnan(result.alpha_after):
        return [sentence]
    before, after = format_decimals(result.alpha_before), format_decimals(result.alpha_after)
    return [sentence, f"Krippendorff's alpha changes from {before} to {after}."]


def _title(result: WithoutRaters) -> str:
    if result.by not in ORDERS:
        return f"{result.dimension} without {join_names(result.raters)}"
    who = "the worst rater" if len(result.raters) == 1 else f"the worst {len(result.raters)} raters"
    return f"{result.dimension} without {who} by {ORDERS[result.by]}"
