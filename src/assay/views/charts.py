"""Charts of results: one function per kind of result, each with the table that says the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from ..comparison.compare import Comparison
from ..data.alignment import align_scores
from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError
from ..meta import Agreement, Correlation, Dominance, Noticeable, Stability
from ..raters import Agreement as RaterAgreement
from ..raters import AgreementTable
from ._chart import Chart
from ._format import format_decimals as decimals
from ._format import format_percent as percent
from ._format import format_range as within
from ._format import format_scores as scaled
from ._view import Column
from .comparison import chart_ranking

MOST_ROWS = 60  # of a chart with a row per system: more can be read in the table only
# Rows stand in the order of their data ("sort": None): a sort by a list of names breaks Vega-Lite where a system is
# called "constructor" or "toString".
MOST_NAMES = 20  # of points that carry their names
_RULE = {"type": "rule", "strokeWidth": 2}
_POINT = {"type": "point", "filled": True, "size": 65, "opacity": 1}
_BAND = {"type": "area", "opacity": 0.13}
_LEVELS = {"system": "systems", "item": "within items", "per-system": "within systems", "pooled": "all outputs"}


def scatter(metric: Scores, human: Scores) -> Chart:
    """A point per system: what the metric says of it and what people say."""
    ours, theirs = align_scores(metric, human)
    points = list(zip(ours.systems, ours.means().tolist(), theirs.means().tolist(), strict=True))
    rows = [{"system": s, "metric": m, "human": h} for s, m, h in points if m == m and h == h]
    plain = {"type": "quantitative", "scale": {"zero": False}}
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": 300,
        "encoding": {
            "x": {**plain, "field": "human", "title": f"{human.name}, by people"},
            "y": {**plain, "field": "metric", "title": metric.name},
            "tooltip": _tooltip(system="system", metric=metric.name, human=human.name),
        },
        "layer": _named_points("system", len(rows)),
    }
    columns = (
        Column("system", [s for s, _, _ in points], right=False),
        Column(metric.name, scaled([m for _, m, _ in points])),
        Column(human.name, scaled([h for _, _, h in points])),
    )
    return Chart(spec, columns, f"{metric.name} against {human.name}, a point per system")


def correlations(found: Sequence[Correlation]) -> Chart:
    """Each metric's correlation with people at each level, with intervals."""
    levels = [_LEVELS[level] for level in dict.fromkeys(c.level for c in found)]
    rows = [
        {"metric": c.metric, "level": _LEVELS[c.level], "value": _number(c.value), "low": _number(c.low),
         "high": _number(c.high), "n": c.n}
        for c in found
    ]  # fmt: skip
    y = {"field": "metric", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 220}}
    shift = {"field": "level", "type": "nominal", "sort": levels}
    x = {"type": "quantitative", "title": f"{found[0].method} correlation with {found[0].human}"}
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 14, "for": "offset"},
        "encoding": {
            "y": y,
            "yOffset": shift,
            "color": {**shift, "scale": {"domain": levels, "range": ["$accent", "$second", "$third"]},
                      "legend": {"title": None, "orient": "top"}},
            "tooltip": _tooltip(metric="metric", level="level", value="correlation", low="from", high="to", n="points"),
        },
        "layer": [
            {"mark": _RULE, "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}}},
            {"mark": _POINT, "encoding": {"x": {**x, "field": "value"}}},
        ],
    }  # fmt: skip
    columns = (
        Column("metric", [c.metric for c in found], right=False),
        Column("level", [_LEVELS[c.level] for c in found], right=False),
        Column("correlation", [decimals(c.value) for c in found]),
        Column("95% interval", [within(c.low, c.high) for c in found]),
        Column("points", [str(c.n) for c in found]),
        Column("averaged over", [str(c.groups) if c.groups > 1 else "" for c in found]),
    )
    return Chart(spec, columns, f"Correlation of metrics with {found[0].human}")


def dominance(found: Dominance) -> Chart:
    """Row against column: on which share of the system pairs the row follows people significantly better."""
    order = [s.metric for s in found.ranking]
    at = {name: found.metrics.index(name) for name in order}
    rows = [
        {"row": a, "column": b, "share": float(found.share[at[a], at[b]]), "down": i, "across": k}
        for i, a in enumerate(order) for k, b in enumerate(order) if a != b
    ]  # fmt: skip

    def by(field: str) -> dict[str, str]:
        return {"field": field, "op": "min"}

    x = {
        "field": "column",
        "type": "nominal",
        "sort": by("across"),
        "title": "than this metric",
        "axis": {"labelAngle": -40},
    }
    y = {"field": "row", "type": "nominal", "sort": by("down"), "title": "better is"}
    cell = {
        "field": "share",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": ["$paper", "$accent"], "interpolate": "rgb"},
        "legend": None,
    }
    dark = {"condition": {"test": "datum.share > 0.5", "value": "$paper"}, "value": "$ink"}
    spec = {
        "data": {"values": rows},
        "width": {"step": 64},
        "height": {"step": 30},
        "encoding": {"x": x, "y": y, "tooltip": _tooltip(row="metric", column="than", share="share of pairs")},
        "layer": [
            {"mark": {"type": "rect", "stroke": "$faint"}, "encoding": {"color": cell}},
            {
                "mark": {"type": "text"},
                "encoding": {"text": {"field": "share", "type": "quantitative", "format": ".0%"}, "color": dark},
            },
        ],
    }
    columns = (
        Column("better \\ than", order, right=False),
        *(
            Column(b, ["" if a == b else percent(float(found.share[at[a], at[b]])) for a in order])
            for b in order
        ),
    )  # fmt: skip
    return Chart(spec, columns, f"Share of system pairs on which one metric follows {found.human} better than another")


def agreements(found: Sequence[Agreement]) -> Chart:
    """What metric and people decide about pairs of systems: the same, more or less than people, or the opposite."""
    kinds = ["same decision", "one finds a difference", "opposite"]
    rows = []
    for a in found:
        part = a.automatic
        shares = [part.sig.value, 1 - part.sig.value - part.contradictions, part.contradictions]
        rows += [
            {"metric": a.metric, "kind": k, "order": i, "share": _number(s)}
            for i, (k, s) in enumerate(zip(kinds, shares, strict=True))
        ]
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 26},
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "metric", "type": "nominal", "sort": None, "title": None,
                  "axis": {"labelLimit": 220}},
            "x": {"field": "share", "type": "quantitative", "title": "pairs of systems", "stack": "zero",
                  "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]}},
            "order": {"field": "order", "type": "quantitative"},
            "color": {"field": "kind", "type": "nominal", "legend": {"title": None, "orient": "top"},
                      "scale": {"domain": kinds, "range": ["$accent", "$faint", "$second"]}},
            "tooltip": [*_tooltip(metric="metric", kind="decision"), _share("share", "pairs")],
        },
    }  # fmt: skip
    columns = (
        Column("metric", [a.metric for a in found], right=False),
        Column("pairs", [str(a.automatic.pairs) for a in found]),
        Column("same decision", [percent(a.automatic.sig.value) for a in found]),
        Column("95% interval", [within(100 * a.automatic.sig.low, 100 * a.automatic.sig.high, 0) for a in found]),
        Column("opposite", [percent(a.automatic.contradictions) for a in found]),
        Column("people's differences found", [percent(a.automatic.differences.value) for a in found]),
        Column("people's ties kept", [percent(a.automatic.no_differences.value) for a in found]),
        Column("same order of means", [percent(a.automatic.all.value) for a in found]),
    )
    return Chart(spec, columns, f"Decisions on pairs of systems: metrics and {found[0].human}")


def noticeable(found: Noticeable) -> Chart:
    """How often people order two systems as the metric does, by how far apart it puts them."""
    bins = [b for b in found.bins if b.pairs]
    rows = [{"from": b.low, "to": b.high, "share": b.agree / b.pairs, "pairs": b.pairs} for b in bins]
    bar = {
        "mark": {"type": "bar", "color": "$accent", "opacity": 0.75, "binSpacing": 1},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "bin": {"binned": True},
                  "title": f"difference in {found.metric} between two systems"},
            "x2": {"field": "to"},
            "y": {"field": "share", "type": "quantitative", "axis": {"format": ".0%"}, "scale": {"domain": [0, 1]},
                  "title": f"pairs that {found.human} orders alike"},
            "tooltip": [*_tooltip(**{"from": "from", "to": "to", "pairs": "pairs"}), _share("share", "ordered alike")],
        },
    }  # fmt: skip
    layers: list[dict[str, Any]] = [bar]
    if not isnan(found.value):
        mark = {"type": "rule", "color": "$second", "strokeDash": [5, 3], "strokeWidth": 2}
        layers.append(
            {"data": {"values": [{"at": found.value}]}, "mark": mark,
             "encoding": {"x": {"field": "at", "type": "quantitative"},
                          "tooltip": _tooltip(at=f"{found.share:.0%} agree from here on")}}
        )  # fmt: skip
    spec = {"data": {"values": rows}, "width": "container", "height": 240, "layer": layers}
    columns = (
        Column("difference", [f"{b.low:.3g}–{b.high:.3g}" for b in bins]),
        Column("pairs", [str(b.pairs) for b in bins]),
        Column("ordered alike", [percent(b.agree / b.pairs) for b in bins]),
    )
    return Chart(spec, columns, f"How large a difference in {found.metric} must be before {found.human} agrees")


def stability(found: Sequence[Stability]) -> Chart:
    """Correlation with people by the number of items, or references, that the metric saw."""
    noun = "references" if found[0].what == "references" else "items"
    names = ["$accent", "$second", "$third", "$muted"]
    metrics = [s.metric for s in found]
    rows = [
        {"metric": s.metric, "size": z.size, "mean": _number(z.mean), "low": _number(z.low), "high": _number(z.high)}
        for s in found
        for z in s.sizes
    ]
    x = {"field": "size", "type": "quantitative", "title": f"{noun} seen by the metric",
         "axis": {"format": "d", "tickMinStep": 1}, "scale": {"zero": False, "nice": False}}  # fmt: skip
    y = {"type": "quantitative", "title": f"{found[0].method} with {found[0].human}", "scale": {"zero": False}}
    colour: dict[str, Any] = {"field": "metric", "type": "nominal", "sort": None,
                              "legend": {"title": None, "orient": "top", "symbolOpacity": 1}}  # fmt: skip
    if len(metrics) <= len(names):
        colour["scale"] = {"domain": metrics, "range": names[: len(metrics)]}
    tooltip = _tooltip(metric="metric", size=noun, mean="mean correlation", low="from", high="to")
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": 280,
        "encoding": {"x": x, "color": colour, "tooltip": tooltip},
        "layer": [
            {"mark": _BAND, "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}}},
            {"mark": {"type": "line", "point": True, "strokeWidth": 2}, "encoding": {"y": {**y, "field": "mean"}}},
        ],
    }
    sizes = sorted({z.size for s in found for z in s.sizes})
    by_size = [{z.size: z for z in s.sizes} for s in found]
    columns = (
        Column(noun, [str(size) for size in sizes]),
        *(
            Column(s.metric, [f"{decimals(z.mean)} ({decimals(z.sd)})" if (z := own.get(n)) else "" for n in sizes])
            for s, own in zip(found, by_size, strict=True)
        ),
    )
    return Chart(spec, columns, f"Correlation with {found[0].human} by the number of {noun}")


def plot(what: Any) -> Chart:
    """The chart that goes with scores or a result: `assay.plot(assay.compare(scores))`.

    Takes Scores, and the results of compare, correlate (one, or a list of them), dominate, agree, noticeable,
    topics, references, agreement and severity.

    >>> import numpy as np
    >>> s = Scores(np.array([[0.5, 1.0], [0.0, 0.5]]), ("A", "B"), ("1", "2"), name="rouge1")
    >>> print(plot(s))
    system  rouge1          interval  group
    ───────────────────────────────────────
    A       0.7500  0.5000 to 1.0000      1
    B       0.2500  0.0000 to 0.5000      1
    """
    if isinstance(what, Scores):
        from ..comparison.compare import compare

        return chart_ranking(compare(what))
    parts = list(what.values()) if isinstance(what, Mapping) else what if isinstance(what, (list, tuple)) else [what]
    if parts and all(isinstance(part, RaterAgreement) for part in parts):
        parts = [AgreementTable(tuple(parts))]
    if len(parts) == 1 and isinstance(parts[0], Result) and (charts := parts[0].view().charts):
        return charts[0]
    makers = {
        Dominance: dominance,
        Noticeable: noticeable,
        Correlation: correlations,
        Agreement: agreements,
        Stability: stability,
    }
    several = {Correlation, Agreement, Stability}
    kind = type(parts[0]) if parts else type(None)
    if kind not in makers or any(type(p) is not kind for p in parts) or (len(parts) > 1 and kind not in several):
        names = ", ".join(k.__name__ for k in (Comparison, *makers, RaterAgreement))
        raise InputError(f"there is no chart of {kind.__name__}; plot takes {names}")
    make: Any = makers[kind]
    chart: Chart = make(parts if kind in several else parts[0])
    return chart


def _tooltip(**fields: str) -> list[dict[str, str]]:
    """Fields with their titles; numbers are shortened."""
    texts = {"system", "metric", "level", "row", "column", "kind", "dimension", "rater"}
    return [
        {"field": name, "title": title, "type": "nominal"}
        if name in texts or (name == "from" and title == "Krippendorff")
        else {"field": name, "title": title, "type": "quantitative", "format": ".4~g"}
        for name, title in fields.items()
    ]


def _named_points(field: str, count: int) -> list[dict[str, Any]]:
    """Points, with their names beside them while these can be read."""
    points = {"mark": {"type": "point", "filled": True, "size": 60, "color": "$accent", "opacity": 0.85}}
    if count > MOST_NAMES:
        return [points]
    names = {
        "mark": {"type": "text", "align": "left", "dx": 7, "fontSize": 11, "limit": 90},
        "encoding": {"text": {"field": field, "type": "nominal"}},
    }
    return [points, names]


def _share(field: str, title: str) -> dict[str, str]:
    return {"field": field, "title": title, "type": "quantitative", "format": ".1%"}


def _number(value: float) -> float | None:
    """JSON has no NaN."""
    return None if isnan(value) else value


def intervals(ends: Sequence[tuple[float, float]]) -> list[str]:
    flat = scaled([v for pair in ends for v in pair])
    return [f"{a}–{b}" for a, b in zip(flat[::2], flat[1::2], strict=True)]
