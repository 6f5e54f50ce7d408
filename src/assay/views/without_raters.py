"""Show what changes without some raters or editors."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import format_count, format_decimals, format_signed, join_names
from .raters import ORDERS

if TYPE_CHECKING:
    from ..raters.drop import WithoutEachRater, WithoutRaters
    from ..raters.editors import WithoutEditors


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
        return View([f"No rater of {result.dimension} can be left out: no one else rated."])
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


def view_without_editors(result: WithoutEditors) -> View:
    """Show what changes without the texts of the worst editors."""
    rows, changes = result.left_out, result.changes
    tables = [
        Table(
            [
                text_column("editor left out", [row.editor for row in rows]),
                Column("outputs", [f"{row.outputs:,}" for row in rows]),
                Column("quality", [format_decimals(row.quality) for row in rows]),
            ]
        )
    ]
    if changes:
        columns = [
            text_column("dimension", [c.dimension for c in changes]),
            Column("mean", [format_decimals(c.before) for c in changes]),
            Column("without them", [format_decimals(c.after) for c in changes]),
        ]
        tables.insert(0, Table(columns))
    note = (
        f"quality: mean over an editor's outputs of the mean rating of {result.dimension} (Toutanova et al. 2016, 3.1)."
    )
    return View(_describe_editors(result), tables, notes=[note], title="Without the worst editors")


def _describe_editors(result: WithoutEditors) -> list[str]:
    lost = result.outputs_before - result.outputs_after
    total = len(result.left_out) + result.remaining
    names = [change.dimension for change in result.changes]
    quality = f"the mean of {join_names(names)}" if names else f"mean {result.dimension}"
    sentence = (
        f"Without the worst {len(result.left_out)} of {format_count(total, 'editor')} ({lost:,} of "
        f"{format_count(result.outputs_before, 'output')}), {quality} rises from "
        f"{format_decimals(result.mean_before)} to {format_decimals(result.mean_after)}."
    )
    if isnan(result.rise_unseen):
        return [sentence, "They were chosen by the same ratings, so part of the rise is chance."]
    rise = format_signed(result.mean_after - result.mean_before)
    return [
        sentence,
        f"Part of the rise of {rise} is chance, because they were chosen by the same ratings: when they are chosen by "
        f"half of the inputs, the mean of the other half changes by {format_signed(result.rise_unseen)}.",
    ]


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
