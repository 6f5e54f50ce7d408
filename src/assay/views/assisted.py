"""Show systems ranked by people and a judge: from people alone, from the judge alone, and from both."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from ..data.view import Column, Table, View, text_column
from ._format import (
    MISSING,
    format_count,
    format_decimals,
    format_interval,
    format_p,
    format_p_cell,
    format_percent,
    format_range,
    format_signed,
    join_names,
)

if TYPE_CHECKING:
    from ..comparison.assisted import AssistedComparison, AssistedPair, AssistedSystem

_DESIGNS = {
    "random": "Labelled items are stated to be a random part.",
    "drawn": "Labelled items were drawn with known probabilities, by which they are weighted.",
    "complete": "People judged every output, so the judge adds nothing.",
    "unknown": "No one stated how labelled items were chosen; by judge score, length, system and group they do not "
    "differ from the others (state it with --labelled random).",
}


def view_assisted(result: AssistedComparison) -> View:
    """Show the three rankings, what the judge saved, and whether labelled items may stand for the others."""
    tables = [_system_table(result)]
    if result.checks:
        tables.append(_check_table(result))
    if result.calibration:
        tables.append(_calibration_table(result))
    if result.pairs and not result.refused:
        tables.append(_pair_table(result))
    title = f"{result.dimension}: people with the help of {result.judge}"
    return View(_sentences(result), tables, notes=_notes(result), title=title)


def _sentences(result: AssistedComparison) -> list[str]:
    if result.refused:
        return [_refusal(result), *_name_uncorrected(result)]
    known = [row for row in result.systems if row.corrected]
    if not known:
        return [
            f"People judged no system on three items or more; nothing corrects {result.judge}.",
            *_name_uncorrected(result),
        ]
    return [_leader(result, known[0]), _saving(result), *_judge_error(result), *_name_uncorrected(result)]


def _refusal(result: AssistedComparison) -> str:
    differing = [check for check in result.checks if check.differs]
    cases = join_names(
        [
            f"{check.what} ({format_decimals(check.labelled, 2)} and {format_decimals(check.others, 2)}, "
            f"{format_p(check.adjusted)})"
            for check in differing
        ]
    )
    return (
        f"No interval from people and {result.judge} together: labelled outputs differ from the others by {cases}, so "
        "that they are not a random part, and what they say of the judge may not hold elsewhere. Draw the items that "
        "people judge (`assay judge draw`), or state --labelled random if chance alone chose them."
    )


def _leader(result: AssistedComparison, best: AssistedSystem) -> str:
    interval = format_interval(best.both_low, best.both_high, result.confidence, places=2)
    if len(result.systems) == 1:
        return (
            f"{best.system} has {result.dimension} {format_decimals(best.both, 2)}{interval}, by people and "
            f"{result.judge} together. There is no other system to compare with."
        )
    start = f"{best.system} has the best {result.dimension}: {format_decimals(best.both, 2)}{interval}"
    rivals = [row.system for row in result.systems if row.corrected and row.rank_low == 1 and row is not best]
    if not rivals:
        return f"{start}, significantly better than every other system, by people and {result.judge} together."
    return f"{start}, by people and {result.judge} together. No significant difference from {join_names(rivals)}."


def _saving(result: AssistedComparison) -> str:
    if result.design == "complete":
        return f"People judged all outputs that {result.judge} scored, so it saves no labels."
    if len(result.systems) == 1 and result.systems[0].saved >= 0.5:
        saved, labels = round(result.systems[0].saved), result.systems[0].labels
        return (
            f"{result.judge} saved about {format_count(saved, 'label')}: people alone would need {labels + saved:,} "
            f"instead of {labels:,} to know the mean of the system as well."
        )
    if isnan(result.saved) or result.saved < 0.5:
        if any(row.saved >= 0.5 for row in result.systems):
            return (
                f"{result.judge} saves no labels for the differences between systems: its scores follow people too "
                "little there. saved in the table is for the mean of each system alone."
            )
        return f"{result.judge} saves no labels: its scores follow people too little."
    return (
        f"{result.judge} saved about {format_count(round(result.saved), 'label')}: people alone would need "
        f"{result.labels + round(result.saved):,} instead of {result.labels:,} "
        f"({format_percent(result.saved / result.labels)} more) to know the differences between systems as well."
    )


def _judge_error(result: AssistedComparison) -> list[str]:
    gap = result.overall_judge - result.overall
    if result.calibration or isnan(gap):  # a calibrated judge has no error on average by construction
        return []
    return [
        f"By itself {result.judge} is {format_decimals(abs(gap), 2)} too {'high' if gap > 0 else 'low'} on average "
        f"({format_decimals(result.overall_judge, 2)} and not {format_decimals(result.overall, 2)}"
        f"{format_interval(result.overall_low, result.overall_high, result.confidence, places=2)})."
    ]


def _name_uncorrected(result: AssistedComparison) -> list[str]:
    names = [row.system for row in result.systems if not row.corrected]
    if not names:
        return []
    verb = "has" if len(names) == 1 else "have"
    return [f"Uncorrected: {join_names(names)} {verb} too few labels of people, so their means are the judge's own."]


def _system_table(result: AssistedComparison) -> Table:
    rows = result.systems
    ci = f"{100 * result.confidence:g}% CI"
    columns = [
        text_column("system", [row.system for row in rows]),
        Column("rank", [str(row.rank) for row in rows]),
        Column("ranks left open", [_rank_range(row) for row in rows]),
        Column("both", [format_decimals(row.both) + ("" if row.corrected else " uncorrected") for row in rows]),
        Column(ci, [format_range(row.both_low, row.both_high, 2) for row in rows]),
        Column("labels", [f"{row.labels:,}" for row in rows]),
        Column("people", [format_decimals(row.people) for row in rows]),
        Column(ci, [format_range(row.people_low, row.people_high, 2) for row in rows]),
        Column("rank by people", [MISSING if row.people_rank is None else str(row.people_rank) for row in rows]),
        Column("judge", [format_decimals(row.judge) for row in rows]),
        Column("rank by judge", [MISSING if row.judge_rank is None else str(row.judge_rank) for row in rows]),
        Column("saved", [MISSING if isnan(row.saved) else f"{row.saved:,.0f}" for row in rows]),
    ]
    return Table(columns)


def _rank_range(row: AssistedSystem) -> str:
    if row.rank_low is None:
        return MISSING
    return str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low} to {row.rank_high}"


def _check_table(result: AssistedComparison) -> Table:
    columns = [
        text_column("property", [check.what for check in result.checks]),
        Column("labelled", [format_decimals(check.labelled, 2) for check in result.checks]),
        Column("others", [format_decimals(check.others, 2) for check in result.checks]),
        Column("p", [format_p_cell(check.adjusted, significant=check.differs) for check in result.checks]),
    ]
    return Table(columns, "Labelled outputs and the others")


def _calibration_table(result: AssistedComparison) -> Table:
    rows = result.calibration
    columns = [
        text_column("calibration", [row.method for row in rows]),
        Column("labels", [f"{row.labels:,}" for row in rows]),
        Column("error", [format_decimals(row.error) for row in rows]),
        Column("raw", [format_decimals(row.raw_error) for row in rows]),
        Column("mean label", [format_decimals(row.mean_error) for row in rows]),
        Column("bias", [format_signed(row.bias) for row in rows]),
        Column("raw bias", [format_signed(row.raw_bias) for row in rows]),
    ]
    return Table(columns, "Calibrated scores on items that they were not fitted on")


def _pair_table(result: AssistedComparison) -> Table:
    best = next(row.system for row in result.systems if row.corrected)
    rank = {row.system: row.rank for row in result.systems}
    rows = [row if row.first == best else _turn(row) for row in result.pairs if best in (row.first, row.second)]
    rows.sort(key=lambda row: rank[row.second])
    columns = [
        text_column("system", [row.second for row in rows]),
        Column("people", [format_signed(row.people) for row in rows]),
        Column("judge", [format_signed(row.judge) for row in rows]),
        Column("both", [format_signed(row.both) for row in rows]),
        Column(f"{100 * (1 - result.alpha):g}% CI", [format_range(row.low, row.high, 2) for row in rows]),
        Column("p", [format_p_cell(row.p, significant=row.significant) for row in rows]),
        Column("with new raters", [format_range(row.new_raters_low, row.new_raters_high, 2) for row in rows]),
    ]
    return Table(columns, f"{best} minus the other systems, within items")


def _turn(pair: AssistedPair) -> AssistedPair:
    """Return the pair the other way round."""
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        people=-pair.people,
        judge=-pair.judge,
        both=-pair.both,
        low=-pair.high,
        high=-pair.low,
        new_raters_low=-pair.new_raters_high,
        new_raters_high=-pair.new_raters_low,
    )


def _notes(result: AssistedComparison) -> list[str]:
    raters = format_count(len(result.raters), "rater")
    notes = [
        f"{format_count(result.items, 'item')}, {result.labelled_items:,} of them with labels of {raters}. both: PPI++ "
        "(Angelopoulos et al. 2023): the judge's mean on all items, corrected by its error on labelled ones. "
        f"{'' if result.refused else _DESIGNS[result.design]}".rstrip(),
    ]
    if not result.refused:
        notes.append(
            "ranks left open: by significant differences (their intervals and p-values hold for all pairs at once). "
            "saved: labels that people alone would need more for an interval as narrow. Intervals: t, or a bootstrap-t "
            f"over items ({result.resamples:,} samples, seed {result.seed}) where labels are fewer than 30 or skewed; "
            "they are for these raters: with new raters, the variance of systems x raters is added."
        )
    return notes
