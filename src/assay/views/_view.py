"""View: a result ready to be shown. It is made once; the terminal, the page and the notebook only draw it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._chart import Chart


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its cells as text, and the side on which they are aligned.

    `best` are the rows whose cells are the best of the column: bold where letters can be.
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
