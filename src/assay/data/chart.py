"""Chart: a Vega-Lite specification that notebooks draw, with its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from ..errors import InputError
from ..registry import provider
from .view import Column

# Names of colours in specifications: the page replaces them by those of its light or dark theme, others by these.
COLOURS = {
    "$accent": "#0b6b63",
    "$second": "#9a4a0d",
    "$third": "#4b4fb5",
    "$muted": "#767c84",
    "$faint": "#c9cdd2",
    "$ink": "#1c2126",
    "$paper": "#ffffff",
}

NAMES = frozenset({"data", "datasets", "description", "title", "domain"})  # what holds names: "$ink" may be one


@dataclass(frozen=True, eq=False)
class Chart:
    """`spec` is Vega-Lite; `columns` hold the same numbers as a table, for screen readers and plain text.

    Notebooks show it by itself. `save("x.svg")` and `save("x.png")` write a picture, `save("x.html")` a page that
    needs no network, `save("x.json")` the specification; `altair()` makes an Altair chart, if Altair is installed.

    >>> chart = Chart({"mark": {"type": "bar", "color": "$accent"}}, (Column("n", ["3"]),), "A bar")
    >>> chart.to_dict()["mark"]["color"], print(chart)
    n
    ─
    3
    ('#0b6b63', None)
    """

    spec: dict[str, Any]
    columns: Sequence[Column]
    description: str

    def to_dict(self) -> dict[str, Any]:
        """Return the complete specification, with colours and schema."""
        schema = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", "description": self.description}
        spec: dict[str, Any] = replace_colours({**schema, **self.spec}, COLOURS)
        return spec

    def altair(self) -> Any:
        """Return the same chart as an `altair.Chart`, to change it or add to it."""
        try:
            import altair
        except ImportError as error:
            raise InputError("altair() needs the altair package: pip install altair") from error
        # Altair knows the schema of its own version and refuses to be told of another.
        return altair.Chart.from_dict({k: v for k, v in self.to_dict().items() if k != "$schema"})

    def save(self, path: str | PathLike[str]) -> None:
        """Write a picture (.svg, .png), a page (.html) or the specification (.json)."""
        from pathlib import Path

        from ..files import write_whole

        target = Path(path)
        form = target.suffix.removeprefix(".").lower()
        if form not in ("html", "json", "svg", "png"):
            raise InputError(f"a chart is saved as .svg, .png, .html or .json; got {target.name!r}")
        write_whole(target, self._encode(form))

    def _encode(self, form: str) -> str | bytes:
        import json

        if form == "html":
            page: str = provider("display").draw_chart_page(self)
            return page
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        display = provider("display")
        picture: str | bytes = (display.draw_svg if form == "svg" else display.draw_png)(self.to_dict())
        return picture

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Give a notebook the chart, and the table for a notebook that does not know Vega-Lite."""
        spec = self.to_dict()
        return {
            "application/vnd.vegalite.v6+json": spec,
            "application/vnd.vegalite.v5+json": {**spec, "$schema": spec["$schema"].replace("v6", "v5")},
            "text/html": self._html_table(),
            "text/plain": str(self),
        }

    def _html_table(self) -> str:
        heads, right = [c.head for c in self.columns], [c.right for c in self.columns]
        rows = list(zip(*(c.cells for c in self.columns), strict=True))
        table: str = provider("display").draw_html_table(heads, rows, right, self.description)
        return table

    def __str__(self) -> str:
        table: str = provider("display").draw_table(self.columns)
        return table


def replace_colours(part: Any, colours: dict[str, str]) -> Any:
    """Replace the names of colours in a specification; data and titles are left alone.

    >>> replace_colours({"color": "$ink", "data": {"values": [{"system": "$ink"}]}}, {"$ink": "black"})
    {'color': 'black', 'data': {'values': [{'system': '$ink'}]}}
    """
    if isinstance(part, dict):
        return {k: v if k in NAMES else replace_colours(v, colours) for k, v in part.items()}
    if isinstance(part, list):
        return [replace_colours(v, colours) for v in part]
    return colours.get(part, part) if isinstance(part, str) else part
