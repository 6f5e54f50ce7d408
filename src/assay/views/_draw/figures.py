"""Charts as pictures for papers and slides: SVG and PNG, made without a browser or the network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ...extras import import_extra
from ...files import write_whole

if TYPE_CHECKING:
    from ...data.chart import Chart

_WIDTH = 560  # pixels, where a chart takes the width of the page
_SCALE = 2  # pixels of a PNG for each of the chart: sharp in print
_VEGA_LITE = "6.4"
_CONFIG = {
    "background": "white",
    "font": "Helvetica, Arial, DejaVu Sans, sans-serif",
    "view": {"stroke": None},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridOpacity": 0.5},
    "legend": {"labelFontSize": 12},
}


def draw_svg(spec: dict[str, Any]) -> str:
    """Draw a Vega-Lite specification as SVG."""
    svg: str = _converter().vegalite_to_svg(_fix_width(spec), vl_version=_VEGA_LITE, allowed_base_urls=[])
    return svg


def draw_png(spec: dict[str, Any]) -> bytes:
    """Draw a Vega-Lite specification as PNG."""
    converter = _converter()
    png: bytes = converter.vegalite_to_png(_fix_width(spec), vl_version=_VEGA_LITE, scale=_SCALE, allowed_base_urls=[])
    return png


def write_figures(charts: Iterable[Chart], folder: Path) -> list[Path]:
    """Write every chart as SVG and PNG, named after what it shows; return the files."""
    _converter()  # before anything is written
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: give a folder for the figures")
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for chart in charts:
        stem = _name(chart.description, {path.stem for path in paths})
        for suffix, picture in ((".svg", draw_svg(chart.to_dict())), (".png", draw_png(chart.to_dict()))):
            paths.append(folder / f"{stem}{suffix}")
            write_whole(paths[-1], picture)
    return paths


def _name(description: str, names: set[str]) -> str:
    """Return a name for files: words of the description, numbered where another chart has the same."""
    stem = "-".join(re.findall(r"[^\W_]+", description))[:80] or "chart"
    return next(name for n in range(1, len(names) + 2) if (name := stem if n == 1 else f"{stem}-{n}") not in names)


def _fix_width(spec: dict[str, Any]) -> dict[str, Any]:
    width = {"width": _WIDTH} if spec.get("width") == "container" else {}
    return {**spec, **width, "config": {**_CONFIG, **spec.get("config", {})}}


def _converter() -> Any:
    return import_extra("vl_convert", "figures", "a chart as SVG or PNG")
