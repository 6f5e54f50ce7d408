"""The chart of a result, by itself."""

from __future__ import annotations

from typing import Any

from ..data.chart import Chart
from ..data.result import Result
from ..data.scores import Scores
from ..data.view import Column
from ..errors import InputError
from . import _vega as vega
from ._format import format_number_cell


def chart_distribution(scores: Scores, system: str) -> Chart:
    """Chart how the item scores of one system are distributed."""
    import numpy as np

    values = scores.values[scores.systems.index(system)]
    values = values[~np.isnan(values)]
    counts, edges = np.histogram(values, bins=min(24, max(4, 2 * round(len(values) ** 0.5))))
    ends = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    rows = [{"low": low, "high": high, "n": n} for low, high, n in ends]
    mean = [{"mean": float(values.mean())}] if len(values) else []
    x = {"type": "quantitative", "title": f"{scores.name} of an item", "scale": {"zero": False}}
    bars = {
        "mark": {"type": "bar", "color": "$accent", "opacity": 0.75},
        "encoding": {
            "x": {**x, "field": "low", "bin": {"binned": True}},
            "x2": {"field": "high"},
            "y": {"field": "n", "type": "quantitative", "title": "items"},
            "tooltip": vega.tooltip(low="from", high="to", n="items"),
        },
    }
    rule = {
        "data": {"values": mean},
        "mark": {"type": "rule", "color": "$second", "strokeWidth": 2},
        "encoding": {"x": {**x, "field": "mean"}, "tooltip": vega.tooltip(mean="mean")},
    }
    spec = {"data": {"values": rows}, "width": "container", "height": 220, "layer": [bars, rule]}
    columns = (
        Column("from", [format_number_cell(row["low"]) for row in rows]),
        Column("to", [format_number_cell(row["high"]) for row in rows]),
        Column("items", [f"{row['n']:,}" for row in rows]),
    )
    return Chart(spec, columns, f"Items by {scores.name} of {system}; the line is the mean")


def plot(what: Scores | Result | Any) -> Chart:
    """Return the chart that goes with scores or a result: `assay.plot(assay.compare(scores))`.

    >>> import numpy as np
    >>> values = np.array([[0.5, 1.0, 0.7, 0.8, 0.9, 0.6], [0.0, 0.5, 0.3, 0.2, 0.4, 0.1]])
    >>> s = Scores(values, ("A", "B"), tuple("123456"), name="rouge1")
    >>> print(plot(s))
    system  rouge1          interval  band
    ──────────────────────────────────────
    A       0.7500  0.5537 to 0.9463  a
    B       0.2500  0.0537 to 0.4463  b
    """
    if isinstance(what, Scores):
        from ..comparison.compare import compare

        what = compare(what)
    charts = what.view().charts if isinstance(what, Result) else ()
    if not charts:
        raise InputError(f"there is no chart of {type(what).__name__}; plot takes Scores and results")
    return charts[0]
