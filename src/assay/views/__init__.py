"""Views: from a Result to what is shown of it, one file per question; `_draw` puts a view on a terminal or a page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._chart import Chart
from ._view import Column, Table, View, text_column

if TYPE_CHECKING:
    from ..data.result import Result

FORMS = ("text", "markdown", "latex")  # in which tables are printed

__all__ = ["FORMS", "Chart", "Column", "Table", "View", "draw_html", "draw_text", "make_view", "text_column"]


def make_view(result: Result) -> View:
    """Make the view of a result: the function `view_KIND` in the file of its question."""
    module = import_module(f"{__name__}.{result.question}")
    view: View = getattr(module, f"view_{result.kind}")(result)
    return view


def draw_text(view: View, *, rows: int | None = None, form: str = "text") -> str:
    """Draw a view as plain text, Markdown or LaTeX (`form`), with at most so many rows of each table."""
    module = import_module(f"{__name__}._draw.{'terminal' if form == 'text' else form}")
    drawn: str = module.draw(view, rows=rows)
    return drawn


def draw_html(view: View) -> str:
    """Draw a view as a piece of HTML, for a notebook."""
    from ._draw.notebook import draw

    return draw(view)
