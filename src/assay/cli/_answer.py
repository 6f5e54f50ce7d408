"""What a question prints: the answer in a sentence, a table, then details; or JSON Lines."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..printable import escape_hidden
from ..views._draw.terminal import draw_table as table
from ..views._format import format_decimals as decimals
from ..views._format import format_range as within
from ..views._format import format_scores as scaled
from ..views._view import Column
from ._show import json_line
from ._style import say

__all__ = ["Answer", "decimals", "json_line", "scaled", "show", "within"]

_WIDTH = 100


@dataclass(frozen=True)
class Answer:
    """The answer to one question."""

    sentences: Sequence[str]
    columns: Sequence[Column] = ()
    notes: Sequence[str] = ()
    records: Sequence[Mapping[str, Any]] = ()
    title: str = ""
    more: Sequence[Sequence[Column]] = field(default=())

    def text(self) -> str:
        """As it is read."""
        said = "\n".join(
            textwrap.fill(escape_hidden(s, breaks=True), _WIDTH, break_on_hyphens=False) for s in self.sentences
        )
        blocks = [*([escape_hidden(self.title, breaks=True)] if self.title else []), said]
        tables = [columns for columns in (self.columns, *self.more) if columns and columns[0].cells]
        blocks += [table(columns, notes=self.notes if i == len(tables) - 1 else ()) for i, columns in enumerate(tables)]
        if self.notes and not tables:
            blocks += ["\n".join(textwrap.fill(escape_hidden(note), _WIDTH) for note in self.notes)]
        return "\n\n".join(block for block in blocks if block)


def show(answers: Sequence[Answer], *, as_json: bool) -> None:
    """Prints them all."""
    if as_json:
        sys.stdout.writelines(json_line(record) for answer in answers for record in answer.records)
    else:
        say("\n\n\n".join(answer.text() for answer in answers))
