"""Views as Markdown: sentences, tables as GitHub, GitLab and pandoc read them, and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...printable import escape_hidden

if TYPE_CHECKING:
    from ...data.view import Column, View

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$]")  # $: GitHub sets what stands between two of them as a formula


def draw(view: View, *, rows: int | None = None) -> str:
    """Draw a view as Markdown, with at most n rows of each table."""
    parts = [f"### {escape_markdown(view.title)}" if view.title else ""]
    parts += [escape_markdown(sentence) for sentence in view.sentences]
    parts.append(_fence(escape_hidden(view.text)) if view.text else "")
    for table in view.filled_tables():
        excerpt, note = table.cut(rows)
        parts += [f"#### {escape_markdown(table.title)}" if table.title else "", draw_markdown_table(excerpt.columns)]
        parts += [escape_markdown(line) for line in note]
    return "\n\n".join(part for part in (*parts, *map(escape_markdown, view.notes)) if part)


def draw_markdown_table(columns: Sequence[Column]) -> str:
    """Draw a table; the best of a column are bold.

    >>> from assay.data.view import Column
    >>> print(draw_markdown_table([Column("system", ["a|b"], right=False), Column("rouge_1", ["0.5"], best=(0,))]))
    | system | rouge\\_1 |
    |:--|--:|
    | a\\|b | **0.5** |
    """
    heads = _line([escape_markdown(column.head) for column in columns])
    rule = "|" + "|".join("--:" if column.right else ":--" for column in columns) + "|"
    cells = [[_cell(cell, i in column.best) for i, cell in enumerate(column.cells)] for column in columns]
    return "\n".join([heads, rule, *(_line(row) for row in zip(*cells, strict=True))])


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown would take for markup, and what hides in a line.

    >>> escape_markdown("# a*b* <script>&amp; [x](y)")
    '\\# a\\*b\\* \\<script\\>&amp;amp; \\[x\\](y)'
    """
    # hidden characters are escaped last: a backslash in front of them is not the text's own
    text = _SPECIAL.sub(r"\\\g<0>", text.replace("&", "&amp;"))
    text = re.sub(r"^(\s*\d*)([#+.)-]+)(?=\s)", r"\1\\\2", text)  # a heading or a list
    return escape_hidden(text, breaks=True)


def _cell(text: str, best: bool) -> str:
    text = escape_markdown(text.strip())
    return f"**{text}**" if best and text else text


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fence(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
