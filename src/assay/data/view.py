"""View: a result ready to be shown. It is made once; the terminal, the page and the notebook only draw it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .chart import Chart

FORMS = ("text", "markdown", "latex")  # in which tables are printed


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its cells as text, and the side on which they are aligned.

    `best` are the rows with the best cells of the column: bold where letters can be.
    """

    head: str
    cells: Sequence[str]
    right: bool = True
    best: Collection[int] = ()


def text_column(head: str, cells: Sequence[str]) -> Column:
    """Return a column of names or texts, which are aligned on the left."""
    return Column(head, cells, right=False)


@dataclass(frozen=True)
class Table:
    """Columns of equal length. A page puts a table with `summary` behind that line, to be opened by a click."""

    columns: Sequence[Column]
    title: str = ""
    summary: str = ""

    def rows(self) -> list[tuple[str, ...]]:
        """Return the cells row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def cut(self, rows: int | None) -> tuple[Table, list[str]]:
        """Return the first rows of the table, all with None, and the note that says so."""
        total = len(self.columns[0].cells)
        if rows is None or total <= rows:
            return self, []
        columns = [replace(column, cells=column.cells[:rows]) for column in self.columns]
        return replace(self, columns=columns), [f"The first {rows:,} of {total:,} rows; --rows N prints more."]


@dataclass(frozen=True)
class View:
    """What is shown of a result: sentences (the first is the headline), text, charts, tables and notes."""

    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    notes: Sequence[str] = ()
    title: str = ""
    text: str = ""  # shown as it is, in letters of equal width: a drawing, a docstring

    @property
    def headline(self) -> str:
        """The first sentence: the answer as an expert would give it."""
        return self.sentences[0] if self.sentences else ""

    def filled_tables(self) -> list[Table]:
        """List the tables that have a row."""
        return [table for table in self.tables if table.columns and table.columns[0].cells]
