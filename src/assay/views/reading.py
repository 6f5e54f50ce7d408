"""Show how files were read: what is in them, what each column is and why, and what they can answer."""

from __future__ import annotations

from ..data.reading import METADATA, ReadColumn, Reading
from ..data.view import Table, View, text_column
from ._format import format_count, join_names

_KINDS = {"human": "people", "llm": "LLMs", "metric": "metrics", "unknown": "of unknown kind"}


def view_reading(result: Reading) -> View:
    """Show counts, a table of the columns, and a table of questions with their commands."""
    return View(
        [describe_reading(result)],
        tables=[table for table in (table_columns(result), _table_questions(result)) if table is not None],
        notes=list(result.notes),
        title="How the file was read",
    )


def describe_reading(result: Reading) -> str:
    """Say in a sentence what was read."""
    files = join_names(result.files, 4) or "The data"
    kind = f" ({result.format})" if result.format else ""
    counts = [format_count(result.items, "item"), format_count(len(result.systems), "system")]
    if result.references:
        counts.append(f"up to {format_count(result.references, 'reference')} per item")
    if result.clusters:
        counts.append(format_count(result.clusters, "cluster"))
    if result.runs:
        counts.append(format_count(result.runs, "run"))
    if result.dimensions:
        counts.append(f"ratings of {join_names(result.dimensions, 6)}")
        raters = [f"{count:,} {_KINDS[kind]}" for kind, count in (result.raters or {}).items()]
        counts.append(f"raters: {', '.join(raters)}")
    return f"{files}{kind}: {'; '.join(counts)}."


def table_columns(result: Reading) -> Table | None:
    """Return the table of the columns; None where the format has columns of its own."""
    if not result.columns:
        return None
    used = [column for column in result.columns if column.role != METADATA]
    columns = [*used, *result.of(METADATA)]
    table = [
        text_column("column", [column.column for column in columns]),
        text_column("role", [_role(column) for column in columns]),
        text_column("evidence", [column.evidence for column in columns]),
        text_column("first values", [" · ".join(column.sample) for column in columns]),
    ]
    if len(result.files) > 1:
        table.insert(0, text_column("file", [column.file for column in columns]))
    return Table(table, title="columns")


def _role(column: ReadColumn) -> str:
    if column.role == METADATA:
        return "not used"
    named = [column.dimension if column.dimension != column.column else "", column.system, column.rater, column.judge]
    details = ", ".join(part for part in named if part)
    return f"{column.role} ({details})" if details else column.role


def _table_questions(result: Reading) -> Table | None:
    if not result.questions:
        return None
    return Table(
        [
            text_column("question", [entry.question for entry in result.questions]),
            text_column("command", [entry.command for entry in result.questions]),
        ],
        title="questions that it can answer",
    )
