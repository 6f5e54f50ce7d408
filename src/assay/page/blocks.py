"""What the page is made of: sections of blocks, each a few sentences, a chart with its table, and notes."""

from __future__ import annotations

from dataclasses import dataclass

from ..views._chart import Chart
from ..views._view import Column


@dataclass(frozen=True)
class Block:
    """One finding. A table under a chart is folded away; without a chart it stands open."""

    title: str = ""
    sentences: tuple[str, ...] = ()
    chart: Chart | None = None
    columns: tuple[Column, ...] = ()
    notes: tuple[str, ...] = ()
    folded: str = ""  # the words under which a table without a chart is folded away

    def rows(self) -> list[tuple[str, ...]]:
        """The table row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))


@dataclass(frozen=True)
class Choice:
    """Blocks of which one set is looked at at a time: one per metric, or per judged dimension."""

    label: str
    options: tuple[tuple[str, tuple[Block, ...]], ...]


@dataclass(frozen=True)
class Section:
    """A part of the page under one question."""

    id: str
    title: str
    question: str
    blocks: tuple[Block | Choice, ...]
