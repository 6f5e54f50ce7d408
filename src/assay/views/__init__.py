"""Views: from a Result to what is shown of it, one file per question; `_draw` puts a view on a terminal or a page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..data.result import Result
from ..data.view import View

if TYPE_CHECKING:  # names that are loaded when they are first used
    from ._draw.figures import draw_png as draw_png
    from ._draw.figures import draw_svg as draw_svg
    from ._draw.figures import write_figures as write_figures
    from ._draw.html import ChartData as ChartData
    from ._draw.html import draw_chart_page as draw_chart_page
    from ._draw.html import escape_json as escape_json
    from ._draw.html import make_environment as make_environment
    from ._draw.html import number_view as number_view
    from ._draw.html import page_code as page_code
    from ._draw.notebook import draw_html_table as draw_html_table
    from ._draw.terminal import draw_table as draw_table
    from ._format import MISSING as MISSING
    from ._format import coefficient_symbol as coefficient_symbol
    from ._format import find_best as find_best
    from ._format import format_count as format_count
    from ._format import format_ranges as format_ranges
    from ._format import format_scores as format_scores
    from ._format import join_names as join_names
    from ._format import shorten_names as shorten_names
    from ._inputs import leak_notes as leak_notes
    from ._sentences import label_judges as label_judges
    from ._sentences import name_judges as name_judges

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "._draw.figures": "draw_png draw_svg write_figures",
            "._draw.html": "ChartData draw_chart_page escape_json make_environment number_view page_code",
            "._draw.notebook": "draw_html_table",
            "._draw.terminal": "draw_table",
            "._format": "MISSING coefficient_symbol find_best format_count format_ranges format_scores join_names "
            "shorten_names",
            "._inputs": "leak_notes",
            "._sentences": "label_judges name_judges",
        },
    )


def make_view(result: Result) -> View:
    """Make the view of a result: the function `view_KIND` in the file of its question."""
    module = import_module(f"{__name__}.{result.question}")
    view: View = getattr(module, f"view_{result.kind}")(result)
    return view


def draw_text(view: View, *, rows: int | None = None, form: str = "text", width: int | None = None) -> str:
    """Draw a view as plain text, Markdown or LaTeX (`form`), with at most `rows` rows of each table.

    `width` is that of the terminal, which plain text fits (100 columns by default).
    """
    module = import_module(f"{__name__}._draw.{'terminal' if form == 'text' else form}")
    options = {"width": width} if form == "text" and width else {}
    drawn: str = module.draw(view, rows=rows, **options)
    return drawn


def draw_html(view: View) -> str:
    """Draw a view as a piece of HTML, for a notebook."""
    from ._draw.notebook import draw

    return draw(view)
