"""Parts of Vega-Lite specifications that several charts share."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

MAX_ROWS = 40  # of a chart with a row per system; more stand side by side without their names
PLOT_HEIGHT = 300  # pixels
RULE = {"type": "rule", "strokeWidth": 2}
POINT = {"type": "point", "filled": True, "size": 65, "opacity": 1}
BAND = {"type": "area", "opacity": 0.13}

_INHERITED = frozenset(  # what every object of JavaScript has
    [
        "constructor",
        "__proto__",
        "toString",
        "toLocaleString",
        "valueOf",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
    ]
)
_NOMINAL = frozenset({"system", "metric", "level", "row", "column", "kind", "dimension", "rater", "name"})


def names_axis(field: str) -> dict[str, Any]:
    """Return an axis of names in the order of the data.

    "sort": None keeps that order; a sort by a list of names breaks Vega-Lite where a system is called "constructor".
    """
    return {"field": field, "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 220}}


def tooltip(**fields: str) -> list[dict[str, str]]:
    """Return a tooltip: fields with their titles; numbers are shortened."""
    return [
        {"field": name, "title": safe_title(title), "type": "nominal"}
        if name in _NOMINAL
        else {"field": name, "title": safe_title(title), "type": "quantitative", "format": ".4~g"}
        for name, title in fields.items()
    ]


def safe_title(title: str) -> str:
    """Return a title that is a key of an object in Vega, where every object has a "constructor" already."""
    return f"{title} " if title in _INHERITED else title


def share(field: str, title: str) -> dict[str, str]:
    """Return a tooltip's field that holds a share, shown as a percentage."""
    return {"field": field, "title": title, "type": "quantitative", "format": ".1%"}


_OFFSETS: dict[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 7},
    "left": {"align": "right", "dx": -7},
    "above": {"align": "center", "dy": -13},
    "below": {"align": "center", "dy": 13},
}


def named_points(
    rows: list[dict[str, Any]], x: str, y: str, name: str, *, x_also: Sequence[float] = ()
) -> list[dict[str, Any]]:
    """Return the layers of points with their names next to them, as many as have room; `rows` get "label" and "side".

    The axes need the scales of `fixed_scale`, `x_also` being values that the first of them shows as well.
    """
    across, down = _shares(rows, x, x_also), [1 - share for share in _shares(rows, y)]
    names = [row[name] for row in rows]
    from ._labels import place_labels, shorten_label

    sides = place_labels(list(zip(across, down, strict=True)), names, height=PLOT_HEIGHT)
    for row, side in zip(rows, sides, strict=True):
        row |= {"side": side, "label": shorten_label(row[name])}
    points = {"mark": {"type": "point", "filled": True, "size": 60, "color": "$accent", "opacity": 0.85}}
    labels: list[dict[str, Any]] = [
        {
            "transform": [{"filter": {"field": "side", "equal": side}}],
            "mark": {"type": "text", "baseline": "middle", "fontSize": 11, **offset},
            "encoding": {"text": {"field": "label", "type": "nominal"}},
        }
        for side, offset in _OFFSETS.items()
        if side in sides
    ]
    return [points, *labels]


def fixed_scale(rows: list[dict[str, Any]], field: str, also: Sequence[float] = ()) -> dict[str, Any]:
    """Return a scale from a little below the lowest to a little above the highest: names are placed by it."""
    return {"domain": list(_domain(rows, field, also)), "nice": False, "zero": False} if rows else {}


def _domain(rows: list[dict[str, Any]], field: str, also: Sequence[float]) -> tuple[float, float]:
    values = [*(row[field] for row in rows), *also]
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room


def _shares(rows: list[dict[str, Any]], field: str, also: Sequence[float] = ()) -> list[float]:
    if not rows:
        return []
    low, high = _domain(rows, field, also)
    return [(row[field] - low) / (high - low) for row in rows]


BEST, OTHERS = "not significantly worse than the best", "others"  # places of systems in a ranking


def ranked_intervals(rows: list[dict[str, Any]], title: str, *, count: str) -> dict[str, Any]:
    """Return a chart of systems from best to worst: fields system, score, low, high, band, n and place.

    Up to this number of systems are rows with their names; more stand side by side, and pointing at one names it.
    """
    many = len(rows) > MAX_ROWS
    axis = {"type": "quantitative", "title": safe_title(title), "scale": {"zero": False}}
    colour = {
        "field": "place",
        "type": "nominal",
        "scale": {"domain": [BEST, OTHERS], "range": ["$accent", "$muted"]},
        "legend": {"title": None, "orient": "top", "labelLimit": 0} if len({r["place"] for r in rows}) > 1 else None,
    }
    fields = tooltip(system="system", score=title, low="from", high="to", band="band", n=count)
    across, along = ("y", "x") if many else ("x", "y")
    places: dict[str, Any] = {"field": "rank", "type": "quantitative", "title": "rank"}
    places["scale"] = {"domain": [0, len(rows) + 1], "nice": False}
    if many:
        rows = [{**row, "rank": rank} for rank, row in enumerate(rows, 1)]
    return {
        "data": {"values": rows},
        "width": "container",
        "height": PLOT_HEIGHT if many else {"step": 22 if len(rows) <= 24 else 15},
        "encoding": {along: places if many else names_axis("system"), "color": colour, "tooltip": fields},
        "layer": [
            {
                "mark": {**RULE, "strokeWidth": 1} if many else RULE,
                "encoding": {across: {**axis, "field": "low"}, f"{across}2": {"field": "high"}},
            },
            {"mark": {**POINT, "size": 18} if many else POINT, "encoding": {across: {**axis, "field": "score"}}},
        ],
    }


def number(value: float) -> float | None:
    """Return the number, or None for NaN, which JSON does not have."""
    return None if isnan(value) else value
