"""Views as parts of an HTML page that needs no network and runs nothing that a text brings along."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ...data.chart import COLOURS, Chart
from ...data.view import Column, Table, View
from ...printable import escape_hidden

if TYPE_CHECKING:
    from jinja2 import Environment

_VEGA = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")
_HERE = "assay.views._draw"


class ChartData:
    """The charts of a page, by the numbers under which its script finds them."""

    def __init__(self) -> None:
        self.specs: dict[str, Any] = {}

    def add(self, chart: Chart) -> str:
        """Add a chart and return its number."""
        key = f"chart{len(self.specs) + 1}"
        self.specs[key] = {"description": chart.description, **chart.spec}
        return key

    def json(self) -> Any:
        """Return charts and names of colours as JSON for a data block."""
        return escape_json({"charts": self.specs, "colours": list(COLOURS)})


def number_view(view: View, charts: ChartData) -> dict[str, Any]:
    """Return a view as the template draws it: a chart has its table folded away under it."""
    tables = list(view.tables) or [Table(chart.columns) for chart in view.charts]
    tables = [table for table in tables if table.columns and table.columns[0].cells]
    return {
        "view": view,
        "charts": [(charts.add(chart), chart.description) for chart in view.charts],
        "tables": [
            {
                "title": t.title,
                "summary": t.summary or ("Table" if view.charts else ""),
                "table": t,
                "rows": list(zip(*map(_make_cells, t.columns), strict=True)),
            }
            for t in tables
        ],
    }


@dataclass(frozen=True)
class Cell:
    """A cell: its text, a star that is drawn outside of its width, and whether it is the best of its column."""

    text: str
    star: str = ""
    best: bool = False


_NUMBER = re.compile(r"[-+−<>]*[\d,]+(?:\.(\d+))?%?")
_FIGURE_SPACE, _POINT_SPACE = "\N{FIGURE SPACE}", "\N{PUNCTUATION SPACE}"


def _make_cells(column: Column) -> list[Cell]:
    """Return the cells of a column; the points of its numbers stand below each other."""
    texts = [text.strip() if column.right else text for text in column.cells]
    stars = ["*" if column.right and text.endswith("*") else "" for text in texts]
    texts = [text.removesuffix(star) if star else text for text, star in zip(texts, stars, strict=True)]
    if column.right:
        texts = _align_points(texts)
    return [Cell(text, star, i in column.best) for i, (text, star) in enumerate(zip(texts, stars, strict=True))]


def _align_points(texts: Sequence[str]) -> list[str]:
    matches = [_NUMBER.fullmatch(text) for text in texts]
    decimals = [len(match[1] or "") if match else 0 for match in matches]
    most = max(decimals, default=0)
    return [
        text
        if not match or count == most
        else text + (_POINT_SPACE if not count else "") + _FIGURE_SPACE * (most - count)
        for text, match, count in zip(texts, matches, decimals, strict=True)
    ]


def draw_chart_page(chart: Chart) -> str:
    """Draw one chart and its table as a page of its own."""
    charts = ChartData()
    part = number_view(View(charts=[chart]), charts)
    template = make_environment().get_template("chart.html")
    return template.render(title=chart.description, part=part, charts=charts.json(), **page_code())


@cache
def make_environment(*packages: str) -> Environment:
    """Return the templates of these packages and of this one; what they fill in is escaped."""
    import jinja2  # slow to load, and not needed for tables in a terminal

    folders = [files(package) / "templates" for package in (*packages, _HERE)]

    def read(name: str) -> str | None:
        existing = (folder / name for folder in folders if (folder / name).is_file())
        return next((file.read_text("utf-8") for file in existing), None)

    return jinja2.Environment(
        loader=jinja2.FunctionLoader(read),  # a package in a zip file has no folders
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_text,
    )


def page_code(scripts: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return scripts, style and the policy that lets these scripts run and no other; `scripts` go before page.js."""
    from markupsafe import Markup

    own = "\n".join([*scripts, _read("templates", "page.js")])
    libraries = [_read("assets", "vega", name) for name in _VEGA]
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in (own, *libraries))
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
        "form-action 'none'"
    )
    return {
        "policy": Markup(policy),
        "style": Markup(_read("templates", "page.css")),
        "script": Markup(own),
        "libraries": [Markup(script) for script in libraries],
    }


def escape_json(value: Any) -> Any:
    """Return JSON that ends no script and opens no comment, for a data block, which the policy does not run."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").encode("utf-8", "replace").decode())


def _escape_text(value: Any) -> Any:
    """Escape what would hide or reorder the words around it; the page's own code stays as it is."""
    from markupsafe import Markup

    return escape_hidden(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _read(*path: str) -> str:
    return files(_HERE).joinpath(*path).read_text("utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
