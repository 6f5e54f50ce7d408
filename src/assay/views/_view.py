"""View: a result ready to be shown. It is made once; the terminal, the page and the notebook only draw it."""

from __future__ import annotations

from dataclasses import dataclass

from ._draw.chart import Chart
from ._draw.terminal import Column


@dataclass(frozen=True)
class Table:
    """Columns of text; `folded` are the words under which a page folds it away."""

    columns: tuple[Column, ...]
    title: str = ""
    folded: str = ""

    def rows(self) -> list[tuple[str, ...]]:
        """List the table row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))


@dataclass(frozen=True)
class View:
    """One answer: sentences (the first is the headline), tables, charts and notes."""

    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    title: str = ""

    @property
    def headline(self) -> str:
        """The first sentence: what an expert would answer."""
        return self.sentences[0] if self.sentences else ""
