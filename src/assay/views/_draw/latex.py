r"""Views as LaTeX: each table a tabular with the rules of booktabs, to be put in by \input; words are comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...printable import escape_hidden

if TYPE_CHECKING:
    from ...data.view import Column, View

_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    '"': "''",
    "–": "--",
    "−": "$-$",
    "±": r"$\pm$",
    "…": r"\dots{}",
}
_ESCAPED = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
_NEGATIVE = re.compile(r"(?<![\w.])-(?=\.?\d)")


def draw(view: View, *, rows: int | None = None) -> str:
    """Draw a view as LaTeX, with at most n rows of each table."""
    parts = ["\n".join(map(_comment, [*([view.title] if view.title else []), *view.sentences]))]
    parts += [_comment(escape_hidden(view.text))] if view.text else []
    for table in view.filled_tables():
        excerpt, note = table.cut(rows)
        title = f"{_comment(table.title)}\n" if table.title else ""
        parts.append("\n".join([title + draw_latex_table(excerpt.columns), *map(_comment, note)]))
    parts.append("\n".join(map(_comment, view.notes)))
    return "\n\n".join(part for part in parts if part)


def draw_latex_table(columns: Sequence[Column]) -> str:
    r"""Draw a table, for a document with \usepackage{booktabs}; the best of a column are bold.

    >>> from assay.data.view import Column
    >>> print(draw_latex_table([Column("system", ["a_b"], right=False), Column("r", ["-0.5*"], best=(0,))]))
    \begin{tabular}{lr}
    \toprule
    system & r \\
    \midrule
    a\_b & \textbf{$-$0.5\rlap{*}} \\
    \bottomrule
    \end{tabular}
    """
    heads = [escape_latex(column.head) for column in columns]
    cells = [[_cell(cell, column, i) for i, cell in enumerate(column.cells)] for column in columns]
    body = [f"{' & '.join(row)} \\\\" for row in zip(*cells, strict=True)]
    sides = "".join("r" if column.right else "l" for column in columns)
    lines = [f"\\begin{{tabular}}{{{sides}}}", "\\toprule", f"{' & '.join(heads)} \\\\", "\\midrule", *body]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"])


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would obey, and what hides in a line.

    >>> print(escape_latex("50% of $x_1$ \\input{a}"))
    50\% of \$x\_1\$ \textbackslash{}input\{a\}
    """
    return _ESCAPED.sub(lambda match: _SPECIAL[match[0]], escape_hidden(text, breaks=True))


def _cell(text: str, column: Column, row: int) -> str:
    text = text.strip()
    if not column.right:
        # a bracket after the end of a row would be read as an argument of it
        text = f"{{{escape_latex(text)}}}" if text.startswith(("[", "*")) else escape_latex(text)
    else:
        star = text.endswith("*")  # set outside of the width, so that numbers stay aligned
        number = _NEGATIVE.sub("−", text.removesuffix("*"))
        text = escape_latex(number) + (r"\rlap{*}" if star else "")
    return f"\\textbf{{{text}}}" if row in column.best and text else text


def _comment(text: str) -> str:
    return "\n".join(f"% {escape_hidden(line, breaks=True)}".rstrip() for line in text.split("\n"))
