"""Show what was done to the sources, and which of it readers liked."""

from __future__ import annotations

from collections.abc import Sequence

from ..corpus.edit_effects import Effect, JointEffects, OperationEffects
from ..corpus.edit_operations import KINDS, OPERATIONS
from ..corpus.edits import Edits, OutputEdits
from ._format import format_count, format_decimals, format_p_cell, format_share, join_names
from ._view import Column, Table, View, text_column

_MOST_SYSTEMS = 60  # with a row each
_WORDS = ("copied", "paraphrased", "inserted", "deleted")
_HEADS = {"delete": "delete only", "reorder": "delete and reorder", "rephrase": "rephrase"}
_USES = {
    "delete": "delete words",
    "substitute": "substitute words",
    "reorder": "reorder words",
    "fewer sentences": "have fewer sentences",
    "merge": "merge sentences",
    "sentence deletion": "delete a sentence",
    "split": "split a sentence",
}


def view_edits(result: Edits) -> View:
    """Show the shares of kinds, words and operations: of all outputs, then by system."""
    parts = result.by_system() if len(result.systems) <= _MOST_SYSTEMS else {None: result}
    names = ["all" if name is None else name for name in parts]
    kinds = [part.kinds() for part in parts.values()]
    rates = [part.rates() for part in parts.values()]
    operations = [part.operations() for part in parts.values()]
    tables = [
        Table(
            [
                text_column("outputs of", names),
                Column("outputs", [f"{len(part.edits):,}" for part in parts.values()]),
                *(
                    Column(_HEADS.get(kind, kind), [format_share(row[kind]) for row in kinds])
                    for kind in KINDS
                    if kind in _HEADS or kinds[0][kind]
                ),
            ],
            "Kinds of outputs",
        ),
        Table(
            [
                text_column("outputs of", names),
                *(Column(word, [format_share(getattr(row, word)) for row in rates]) for word in _WORDS),
            ],
            "Words",
        ),
        Table(
            [
                text_column("outputs of", names),
                *(
                    Column(name, [format_share(row[name]) for row in operations])
                    for name in OPERATIONS
                    if operations[0][name] == operations[0][name]
                ),
            ],
            "Operations",
        ),
    ]
    return View([_describe_edits(result)], tables, notes=_notes(result))


def _describe_edits(result: Edits) -> str:
    if not result.edits:
        return "There are no outputs to look at."
    kinds, rates = result.kinds(), result.rates()
    return (
        f"Of {format_count(len(result.edits), 'output')}, {format_share(kinds['delete'])} only delete words, "
        f"{format_share(kinds['reorder'])} delete and reorder, {format_share(kinds['rephrase'])} rephrase. "
        f"{format_share(rates.copied)} of the words in the outputs are copied; {format_share(rates.deleted)} of the "
        "words in the sources are deleted."
    )


def _notes(result: Edits) -> list[str]:
    notes = [
        "Kinds: the first that applies. Words: copied, paraphrased and inserted are shares of the words in the "
        "outputs, deleted of those in the sources; an aligner links the words. Operations: all that were used; those "
        "on sentences only where a source has several."
    ]
    if result.without_source:
        notes.append(f"Left out, as they have no source: {format_count(result.without_source, 'output')}.")
    if len(result.systems) > _MOST_SYSTEMS:
        notes.append(f"{len(result.systems)} systems are too many to show each; --json has them.")
    return notes


def view_output_edits(result: OutputEdits) -> View:
    """Show the edit of every output."""
    columns = [
        text_column("item", [e.item for e in result.edits]),
        text_column("system", [e.system for e in result.edits]),
        text_column("kind", [e.kind for e in result.edits]),
        *(Column(word, [str(getattr(e, word)) for e in result.edits]) for word in _WORDS),
        text_column("operations", [", ".join(sorted(e.operations)) for e in result.edits]),
    ]
    return View(tables=[Table(columns)], title="Every output")


def view_operation_effects(result: OperationEffects) -> View:
    """Show which operations readers liked."""
    rows = [e for e in result.effects if e.sources]
    columns = [
        text_column("operation", [e.operation for e in rows]),
        text_column("dimension", [e.dimension for e in rows]),
        Column("with", [format_decimals(e.present, 2) for e in rows]),
        Column("without", [format_decimals(e.absent, 2) for e in rows]),
        Column("p", [format_p_cell(e.p, significant=e.p < 0.05) for e in rows]),
        Column("sources", [f"{e.sources:,}" for e in rows]),
        Column("all with", [format_decimals(e.all_present, 2) for e in rows]),
        Column("all without", [format_decimals(e.all_absent, 2) for e in rows]),
    ]
    notes = [
        "with, without: mean scores of outputs with and without the operation, over sources that have both. p: "
        "Wilcoxon signed-rank test over these sources, two-sided, not corrected for the number of rows; * below "
        "0.05. all with, all without: means over all outputs."
    ]
    return View([_describe_effects(rows)], [Table(columns)], notes=notes)


def _describe_effects(rows: Sequence[Effect]) -> str:
    significant = [e for e in rows if e.p < 0.05]
    if not significant:
        return "No operation makes a significant difference to the scores of the same sources."
    parts = [
        f"outputs that {_USES[e.operation]} score {'higher' if e.difference > 0 else 'lower'} on {e.dimension}"
        for e in significant
    ]
    return f"For the same source, {join_names(parts, len(parts))}."


def view_joint_effects(result: JointEffects) -> View:
    """Show two sentences shortened together beside the same shortened one by one."""
    rows = result.dimensions
    columns = [
        text_column("dimension", [r.dimension for r in rows]),
        Column("together", [format_decimals(r.joint, 2) for r in rows]),
        Column("one by one", [format_decimals(r.separate, 2) for r in rows]),
        Column("p", [format_p_cell(r.p, significant=r.p < 0.05) for r in rows]),
        Column("paragraphs", [f"{r.paragraphs:,}" for r in rows]),
    ]
    return View(
        ["Mean scores of two sentences shortened together, and of the same shortened one by one:"], [Table(columns)]
    )
