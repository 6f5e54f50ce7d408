"""The tables of a view that have rows, and the first rows of a long one."""

from __future__ import annotations

from dataclasses import replace

from .._view import Table, View


def list_tables(view: View) -> list[Table]:
    """List the tables that have a row."""
    return [table for table in view.tables if table.columns and table.columns[0].cells]


def cut_table(table: Table, rows: int | None) -> tuple[Table, list[str]]:
    """Return at most so many rows of a table, and the note that says so."""
    total = len(table.columns[0].cells)
    if rows is None or total <= rows:
        return table, []
    columns = [replace(column, cells=column.cells[:rows]) for column in table.columns]
    return replace(table, columns=columns), [f"The first {rows:,} of {total:,} rows; --rows N prints more."]
