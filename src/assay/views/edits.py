"""Show how outputs were made from their sources, and which edits readers like."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..corpus.edit_operations import OPERATIONS, TYPES
from ..data.view import Column, Table, View, text_column
from ._format import (
    format_count,
    format_decimals,
    format_p_cell,
    format_range,
    format_share,
    format_signed,
    join_names,
)

if TYPE_CHECKING:
    from ..corpus.edit_effects import EditEffect, EditEffects, JointComparison
    from ..corpus.edit_model import EditModel
    from ..corpus.edits import Edits, EditSummary, SystemEdits

_MAX_SYSTEMS = 20  # systems with a row of their own
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
    rows = result.systems if systems <= _MAX_SYSTEMS else result.systems[:1]
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
    """Show what each operation does to the scores: all else equal, and raw."""
    rows = [e for e in result.effects if e.sources or not isnan(e.effect.value)]
    columns = [
        text_column("operation", [e.operation for e in rows]),
        text_column("dimension", [e.dimension for e in rows]),
        *(_model_columns(rows, result.models[0].confidence) if result.models else []),
        Column("with", [format_decimals(e.present, 2) for e in rows]),
        Column("without", [format_decimals(e.absent, 2) for e in rows]),
        Column("p (raw)", [format_p_cell(e.p, significant=e.p < _LEVEL) for e in rows]),
        Column("sources", [f"{e.sources:,}" for e in rows]),
    ]
    notes = [
        "with, without: mean scores over the sources that have outputs of both kinds. p (raw): Wilcoxon signed-rank "
        f"test over these sources, two-sided, not adjusted for the number of rows; * below {_LEVEL:g}."
    ]
    sentences = _describe_model(rows) if result.models else [_describe_effects(rows)]
    return View(
        sentences,
        [Table(columns)],
        notes=[*_model_notes(result.models), *notes] if rows else (),
        title="Which edits score higher?",
    )


def _model_columns(rows: Sequence[EditEffect], confidence: float) -> list[Column]:
    return [
        Column("effect", [format_signed(e.effect.value) for e in rows]),
        Column(f"{100 * confidence:g}% CI", [format_range(e.effect.low, e.effect.high) for e in rows]),
        Column("p (Holm)", [format_p_cell(e.effect_holm, significant=e.effect_holm < _LEVEL) for e in rows]),
    ]


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
    if systems > _MAX_SYSTEMS:
        notes.append(f"{systems:,} systems are shown as one; --json has a record for each.")
    return notes


def _describe_model(rows: Sequence[EditEffect]) -> list[str]:
    """Say which operations matter all else equal, then which raw differences do not hold."""
    significant = [
        f"outputs that {_USES[e.operation]} score {format_decimals(abs(e.effect.value))} "
        f"{'higher' if e.effect.value > 0 else 'lower'} on {e.dimension}"
        for e in rows
        if e.effect_holm < _LEVEL
    ]
    same = "With the same input, editor, length and other edits,"
    if significant:
        sentences = [f"{same} {'; '.join(significant)}."]
    else:
        sentences = [f"{same} no operation makes a significant difference to the scores."]
    unclear = [f"{e.operation} on {e.dimension}" for e in rows if e.p < _LEVEL and not e.effect_holm < _LEVEL]
    if unclear:
        sentences.append(
            f"Raw means differ significantly but the effect is not significant: {'; '.join(unclear)}. There, length, "
            "editor or other edits may explain the difference."
        )
    return sentences


def _model_notes(models: Sequence[EditModel]) -> list[str]:
    if not models:
        return []
    first = models[0]
    editors = {
        "random": f"random intercepts of {first.inputs:,} inputs and {first.editors:,} editors",
        "fixed": f"random intercepts of {first.inputs:,} inputs, fixed effects of {first.editors:,} editors",
        "none": f"random intercepts of {first.inputs:,} inputs",
    }[first.editor_effects]
    lengths = ", ".join(f"{m.dimension} {format_signed(m.length.value)}" for m in models)
    sample = f" (a random sample of {first.all_inputs:,})" if first.inputs < first.all_inputs else ""
    return [
        f"effect: difference in score from a linear mixed model (REML) of {first.outputs:,} outputs: length and all "
        f"operations together, {editors}{sample}. fewer sentences is in a model without merge and sentence deletion. "
        f"p (Holm): adjusted for all rows; * below {_LEVEL:g}. Effect of length, for 10% more of the source's words: "
        f"{lengths}."
    ]


def _describe_effects(rows: Sequence[EditEffect]) -> str:
    significant = [
        f"outputs that {_USES[e.operation]} score {'higher' if e.difference > 0 else 'lower'} on {e.dimension}"
        for e in rows
        if e.p < _LEVEL
    ]
    if not significant:
        return "No operation makes a significant difference to the scores."
    return f"For the same source, {'; '.join(significant)}."
