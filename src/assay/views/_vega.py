"""Parts of Vega-Lite specifications that several charts share."""

from __future__ import annotations

from math import isnan
from typing import Any

MOST_ROWS = 60  # of a chart with a row per system: more can be read in the table only
MOST_NAMES = 20  # of points that carry their names
RULE = {"type": "rule", "strokeWidth": 2}
POINT = {"type": "point", "filled": True, "size": 65, "opacity": 1}
BAND = {"type": "area", "opacity": 0.13}

_NOMINAL = frozenset({"system", "metric", "level", "row", "column", "kind", "dimension", "rater", "name"})


def names_axis(field: str) -> dict[str, Any]:
    """Return an axis of names in the order of the data.

    "sort": None keeps that order; a sort by a list of names breaks Vega-Lite where a system is called "constructor".
    """
    return {"field": field, "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 220}}


def tooltip(**fields: str) -> list[dict[str, str]]:
    """Return a tooltip: fields with their titles; numbers are shortened."""
    return [
        {"field": name, "title": title, "type": "nominal"}
        if name in _NOMINAL
        else {"field": name, "title": title, "type": "quantitative", "format": ".4~g"}
        for name, title in fields.items()
    ]


def share(field: str, title: str) -> dict[str, str]:
    """Return a tooltip's field that holds a share, shown as a percentage."""
    return {"field": field, "title": title, "type": "quantitative", "format": ".1%"}


def named_points(field: str, count: int) -> list[dict[str, Any]]:
    """Return the layers of points with their names beside them, where there are few enough to read the names."""
    points = {"mark": {"type": "point", "filled": True, "size": 60, "color": "$accent", "opacity": 0.85}}
    if count > MOST_NAMES:
        return [points]
    names = {
        "mark": {"type": "text", "align": "left", "dx": 7, "fontSize": 11, "limit": 90},
        "encoding": {"text": {"field": field, "type": "nominal"}},
    }
    return [points, names]


def ranked_intervals(rows: list[dict[str, Any]], title: str, *, count: str) -> dict[str, Any]:
    """Return a chart of systems from best to worst: fields system, score, low, high, group, n and place."""
    x = {"type": "quantitative", "title": title, "scale": {"zero": False}}
    colour = {
        "field": "place",
        "type": "nominal",
        "scale": {"domain": ["best group", "others"], "range": ["$accent", "$muted"]},
        "legend": {"title": None, "orient": "top"},
    }
    fields = tooltip(system="system", score=title, low="from", high="to", group="group", n=count)
    return {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 22 if len(rows) <= 30 else 15},
        "encoding": {"y": names_axis("system"), "color": colour, "tooltip": fields},
        "layer": [
            {"mark": RULE, "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}},
            {"mark": POINT, "encoding": {"x": {**x, "field": "score"}}},
        ],
    }


def number(value: float) -> float | None:
    """Return the number, or None for NaN, which JSON does not have."""
    return None if isnan(value) else value
