"""Plain-text tables: aligned numbers, as wide as the terminal, and at most 100 columns elsewhere."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from ...data.view import Column, View
from ...printable import escape_hidden

_WIDTH = 100
_NARROWEST = 12  # of the first column


def draw_table(columns: Sequence[Column], *, notes: Sequence[str] = (), width: int = _WIDTH) -> str:
    """Draw a table as text. What does not fit the width goes into further blocks that repeat the first column.

    >>> columns = [Column("system", ["A", "long name"], right=False), Column("rouge1", ["0.5000", "0.2500"])]
    >>> print(draw_table(columns))
    system     rouge1
    ─────────────────
    A          0.5000
    long name  0.2500
    """
    columns = [_escape_column(column) for column in columns]
    blocks = ["\n".join(_block(block)) for block in _split_columns(columns, width)]
    lines = [_fill(note, width, indent="  ") for note in notes]
    return "\n\n".join(blocks) + ("\n\n" + "\n".join(lines) if lines else "")


def _escape_column(column: Column) -> Column:
    """Escape what a terminal would obey or hide, and line breaks."""
    cells = [escape_hidden(cell, breaks=True) for cell in column.cells]
    return Column(escape_hidden(column.head, breaks=True), cells, column.right)


def _split_columns(columns: Sequence[Column], width: int) -> list[list[tuple[Column, int]]]:
    """Split the columns into blocks that fit the width, each column with its own width, measured once."""
    first, *others = [(column, _width(column)) for column in columns]
    most = max((needs for _, needs in others), default=0)
    if first[1] + 2 + most > width:  # names that leave no room for a number go on in further lines
        first = (first[0], min(first[1], max(_NARROWEST, width - 2 - most)))
        others = [(column, min(needs, max(1, width - 2 - first[1]))) for column, needs in others]
    blocks = [[first]]
    used = first[1]
    for column, needs in others:
        if used + 2 + needs > width and len(blocks[-1]) > 1:
            blocks.append([first])
            used = first[1]
        blocks[-1].append((column, needs))
        used += 2 + needs
    return blocks


def _block(columns: Sequence[tuple[Column, int]]) -> list[str]:
    heads, *rows = zip(*(_fold_column(column, width) for column, width in columns), strict=True)
    rights = [(width, column.right) for column, width in columns]
    rule = "─" * (sum(width + 2 for width, _ in rights) - 2)
    return [*_lines(heads, rights), rule, *(line for row in rows for line in _lines(row, rights))]


def _fold_column(column: Column, width: int) -> list[list[str]]:
    """Return head and cells as the lines that each takes."""
    return [
        [cell] if len(cell) <= width // 2 or display_width(cell) <= width else fold_cell(cell, width)
        for cell in (column.head, *column.cells)
    ]


def fold_cell(text: str, width: int) -> list[str]:
    """Break a cell into lines of at most so many terminal cells, between words if it can be.

    >>> fold_cell("rouge2(stem=true, measure=recall)", 20), fold_cell("東京東京", 4)
    (['rouge2(stem=true,', 'measure=recall)'], ['東京', '東京'])
    """
    lines, line = [], ""
    for word in text.split(" "):
        candidate = f"{line} {word}" if line else word
        if display_width(candidate) <= width:
            line = candidate
            continue
        lines += [line] if line else []
        line = ""
        for character in word:
            if line and display_width(line + character) > width:
                lines.append(line)
                line = ""
            line += character
    return [*lines, line]


def _lines(cells: Sequence[Sequence[str]], widths: Sequence[tuple[int, bool]]) -> list[str]:
    """Return the lines of a row."""
    height = max(map(len, cells))
    filled = [[*cell, *[""] * (height - len(cell))] for cell in cells]
    return [
        "  ".join(_pad(cell, width, right) for cell, (width, right) in zip(line, widths, strict=True)).rstrip()
        for line in zip(*filled, strict=True)
    ]


def _width(column: Column) -> int:
    return max(display_width(cell) for cell in (column.head, *column.cells))


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return space + cell if right else cell + space


def display_width(text: str) -> int:
    """Return how many terminal cells a text takes: wide characters two, combining marks none.

    >>> display_width("abc"), display_width("東京"), display_width("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def draw(view: View, *, width: int = _WIDTH, rows: int | None = None) -> str:
    """Draw a view: title, sentences, text, tables (at most `rows` rows of each), and the notes under the last table."""
    sentences = "\n".join(_fill(sentence, width) for sentence in view.sentences)
    parts = [escape_hidden(view.title, breaks=True), sentences, escape_hidden(view.text)]
    tables = view.filled_tables()
    for i, table in enumerate(tables):
        excerpt, note = table.cut(rows)
        notes = [*note, *(view.notes if i == len(tables) - 1 else ())]
        parts.append(
            (f"{table.title}\n\n" if table.title else "") + draw_table(excerpt.columns, notes=notes, width=width)
        )
    if view.notes and not tables:
        parts.append("\n".join(_fill(note, width) for note in view.notes))
    return "\n\n".join(part for part in parts if part)


def _fill(text: str, width: int, indent: str = "") -> str:
    """Break a text into lines, but not around an equals sign, as in p = 0.031."""
    text = escape_hidden(text, breaks=not indent).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    filled = textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return filled.replace("\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}", " = ")
