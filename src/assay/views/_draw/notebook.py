"""Views as HTML for a notebook: sentences, then tables, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...data.view import View

_MAX_ROWS = 40  # rows of a table in a notebook; the data frame has all


def draw(view: View) -> str:
    """Draw a view as HTML."""
    parts = [f"<p>{escape(sentence)}</p>" for sentence in view.sentences]
    parts += [f"<pre>{escape(view.text)}</pre>"] if view.text else []
    for table in view.tables:
        rows = table.rows()
        heads, right = [c.head for c in table.columns], [c.right for c in table.columns]
        parts.append(draw_html_table(heads, rows[:_MAX_ROWS], right, table.title))
        if len(rows) > _MAX_ROWS:
            parts.append(f"<p>{len(rows) - _MAX_ROWS:,} more rows: to_pandas() has all</p>")
    return "".join(parts)


def draw_html_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], caption: str = ""
) -> str:
    """Draw a table; every text in it is escaped.

    >>> draw_html_table(["system"], [["<b>"]], [False], "x")
    '<table><caption>x</caption><thead><tr><th>system</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    sides = [' style="text-align:right"' if r else "" for r in right]

    def row(tag: str, cells: Sequence[str]) -> str:
        parts = (f"<{tag}{side}>{escape(cell)}</{tag}>" for side, cell in zip(sides, cells, strict=True))
        return f"<tr>{''.join(parts)}</tr>"

    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(row("td", cells) for cells in rows)
    return f"<table>{title}<thead>{row('th', heads)}</thead><tbody>{body}</tbody></table>"
