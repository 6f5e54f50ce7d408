"""Show how outputs were made from their sources, and which edits readers like."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ..corpus.edit_effects import EditEffect, EditEffects, JointComparison
from ..corpus.edit_operations import OPERATIONS, TYPES
from ..corpus.edits import Edits, EditSummary, SystemEdits
from ._format import format_count, format_decimals, format_p_cell, format_share, join_names
from ._view import Column, Table, View, text_column

_MOST_SYSTEMS = 20  # systems with a row of their own
_LEVEL = 0.05
_HEADS = {"delete": "delete only", "reorder": "delete, reorder", "rephrase": "rephrase"}
_WORDS = ("copied", "paraphrased", "inserted", "deleted")
_USES = {
    "delete": "delete words",
    "substitute": "substitute words",
    "reorder": "reorder words",
    "fewer sentences": "have fewer sentences",
    "merge": "merge sentences",
    "sentence deletion": "drop a sentence",
    "split": "split a sentence",
}


def view_edit_summary(result: EditSummary) -> View:
    """Show the shares of outputs by type of edit and by operation, and of words."""
    systems = len(result.systems) - 1
    rows = result.systems if systems <= _MOST_SYSTEMS else result.systems[:1]
    return View([_describe(result.systems[0])], _summary_tables(rows), notes=_summary_notes(result, systems))


def view_edits(result: Edits) -> View:
    """Show the edit of every output."""
    edits = result.outputs
    columns = [
        text_column("item", [e.item for e in edits]),
        text_column("system", [e.system for e in edits]),
        text_column("type", [e.type for e in edits]),
        *(Column(head, [str(getattr(e, head)) for e in edits]) for head in _WORDS),
        text_column("operations", [", ".join(e.operations) for e in edits]),
    ]
    return View([_describe(result.summary().systems[0])], [Table(columns)], title="Every output")


def view_edit_effects(result: EditEffects) -> View:
    """Show the scores of outputs with and without each operation."""
    rows = [e for e in result.effects if e.sources]
    columns = [
        text_column("operation", [e.operation for e in rows]),
        text_column("dimension", [e.dimension for e in rows]),
        Column("with", [format_decimals(e.present, 2) for e in rows]),
        Column("without", [format_decimals(e.absent, 2) for e in rows]),
        Column("p", [format_p_cell(e.p, significant=e.p < _LEVEL) for e in rows]),
        Column("sources", [f"{e.sources:,}" for e in rows]),
        Column("all with", [format_decimals(e.all_present, 2) for e in rows]),
        Column("all without", [format_decimals(e.all_absent, 2) for e in rows]),
    ]
    notes = [
        "with, without: mean scores over the sources that have outputs of both kinds. p: Wilcoxon signed-rank test "
        f"over these sources, two-sided, not adjusted for the number of rows; * below {_LEVEL:g}. all with, all "
        "without: means over all outputs."
    ]
    return View(
        [_describe_effects(rows)], [Table(columns)], notes=notes if rows else (), title="Which edits score higher?"
    )


def view_joint_comparison(result: JointComparison) -> View:
    """Show the scores of two sentences shortened together and one by one."""
    rows = [r for r in result.dimensions if r.paragraphs]
    better = [r.dimension for r in rows if r.p < _LEVEL and r.joint > r.separate]
    worse = [r.dimension for r in rows if r.p < _LEVEL and r.joint < r.separate]
    parts = [f"{word} on {join_names(names)}" for names, word in ((better, "higher"), (worse, "lower")) if names]
    headline = (
        f"Two sentences shortened together score {' and '.join(parts)} than one by one."
        if parts
        else "No significant difference between two sentences shortened together and one by one."
    )
    columns = [
        text_column("dimension", [r.dimension for r in rows]),
        Column("together", [format_decimals(r.joint, 2) for r in rows]),
        Column("one by one", [format_decimals(r.separate, 2) for r in rows]),
        Column("p", [format_p_cell(r.p, significant=r.p < _LEVEL) for r in rows]),
        Column("paragraphs", [f"{r.paragraphs:,}" for r in rows]),
    ]
    return View([headline], [Table(columns)], title="Two sentences together or one by one?")


def _describe(row: SystemEdits) -> str:
    types, words = row.types, row.words
    if not row.outputs:
        return "There are no outputs with a source."
    return (
        f"Of {format_count(row.outputs, 'output')}, {format_share(types['delete'])} only delete words, "
        f"{format_share(types['reorder'])} also reorder them, and {format_share(types['rephrase'])} "
        f"rephrase. {format_share(words.copied)} of the words in the outputs are copied; "
        f"{format_share(words.deleted)} of the words in the sources are deleted."
    )


def _summary_tables(rows: Sequence[SystemEdits]) -> list[Table]:
    names = text_column("outputs of", ["all" if row.system is None else row.system for row in rows])
    total = rows[0]
    types = [name for name in TYPES if total.types[name] or name in _HEADS]
    operations = [name for name in OPERATIONS if not isnan(total.operations[name])]
    return [
        Table(
            [
                names,
                Column("n", [f"{row.outputs:,}" for row in rows]),
                *(Column(_HEADS.get(t, t), [format_share(row.types[t]) for row in rows]) for t in types),
            ],
            title="Types of edits",
        ),
        Table(
            [names, *(Column(w, [format_share(getattr(row.words, w)) for row in rows]) for w in _WORDS)],
            title="Words",
        ),
        Table(
            [names, *(Column(o, [format_share(row.operations[o]) for row in rows]) for o in operations)],
            title="Operations",
        ),
    ]


def _summary_notes(result: EditSummary, systems: int) -> list[str]:
    notes = [
        "Each output has one type of edit. copied, paraphrased and inserted are shares of the words in the outputs, "
        "deleted is a share of the words in the sources. Operations: shares of outputs that use them, those on "
        "sentences only where the source has several."
    ]
    if result.without_source:
        notes.append(f"{format_count(result.without_source, 'output')} without a source left out.")
    if systems > _MOST_SYSTEMS:
        notes.append(f"{systems:,} systems are shown as one; --json has a record for each.")
    return notes


def _describe_effects(rows: Sequence[EditEffect]) -> str:
    significant = [
        f"outputs that {_USES[e.operation]} score {'higher' if e.difference > 0 else 'lower'} on {e.dimension}"
        for e in rows
        if e.p < _LEVEL
    ]
    if not significant:
        return "No operation makes a significant difference to the scores."
    return f"For the same source, {'; '.join(significant)}."
