"""Show raters one by one: severity, self-consistency, and how many raters and items are needed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, TypeVar

from ..data.chart import Chart
from ..data.minimums import MINIMUMS
from ..data.view import Column, Table, View, text_column
from . import _vega as vega
from ._format import (
    MISSING,
    format_count,
    format_decimals,
    format_number,
    format_percent,
    format_range,
    format_signed,
    join_names,
)
from ._inputs import describe_copies

if TYPE_CHECKING:
    from ..raters.consistency import Consistency
    from ..raters.panel import RaterPanel
    from ..raters.ranking import RaterRanking
    from ..raters.sample_size import SampleSize
    from ..raters.severity import RaterProfile, Severity

_Rater = TypeVar("_Rater")
_MAX_POINTS = 40  # raters in a chart: those with the most ratings
ORDERS = {
    "rest": "correlation with the others",
    "consistency": "self-consistency",
    "severity": "distance from the others",
    "mean": "mean rating",
}


def view_panel(result: RaterPanel) -> View:
    """Show the raters of one dimension in one table, those who agree least with the others first."""
    title, sizes = f"Raters of {result.dimension}", _describe_size(result.sample_size) if result.sample_size else []
    if result.anonymous:
        return View([_describe_anonymous(result), *sizes], title=title)
    sentences = [
        *(_describe_severity(result.severity) if result.severity and len(result.raters) > 1 else []),
        *(_describe_consistency(result.consistency) if result.consistency else []),
        *sizes,
    ]
    if result.severity is None:
        own = result.consistency.view() if result.consistency else View()
        return View(sentences, own.tables, notes=own.notes, title=title)
    rows = _sort_profiles(result.severity)
    columns = [*_profile_columns(rows), *_consistency_columns(rows, result.consistency)]
    charts = [chart_severity(result.severity)] if len(result.raters) > 1 else []
    return View(sentences, [Table(columns)], charts, [_PROFILE_NOTE, _CONSISTENCY_NOTE], title)


def view_severity(result: Severity) -> View:
    """Show how severe each rater is."""
    columns = _profile_columns(_sort_profiles(result))
    return View(_describe_severity(result), [Table(columns)], [chart_severity(result)], [_PROFILE_NOTE])


def view_consistency(result: Consistency) -> View:
    """Show how consistent each rater is with themselves."""
    rows = result.raters
    columns = [
        text_column("rater", [r.rater for r in rows]),
        Column("pairs", [f"{r.pairs:,}" for r in rows]),
        Column("same rating", [format_percent(r.same) for r in rows]),
        Column("alpha", [format_decimals(r.alpha.value) for r in rows]),
        Column(f"{100 * result.confidence:g}% CI", [format_range(r.alpha.low, r.alpha.high) for r in rows]),
    ]
    notes = [
        f"pairs: of identical texts that the rater judged apart. alpha: Krippendorff's alpha, {result.measure} scale. "
        "Intervals: jackknife over items, or clusters of them."
    ]
    return View(_describe_consistency(result), [Table(columns)], notes=notes if rows else ())


def view_sample_size(result: SampleSize) -> View:
    """Show how many raters and items are needed."""
    notes = [
        "Reliability: the share of the variance of a mean rating that belongs to the output. Differences: two-sided "
        f"test at level {result.alpha:g} with Satterthwaite's degrees of freedom, power {result.power:g}; for new "
        "raters unless said. assay plan compares designs."
    ]
    return View(_describe_size(result), notes=notes)


def view_rater_ranking(result: RaterRanking) -> View:
    """Show raters from best to worst."""
    order, ranking = ORDERS[result.by], result.ranking
    if not ranking:
        return View([f"The raters of {result.dimension} cannot be ranked by {order}."])
    best, worst = ranking[0], ranking[-1]
    headline = (
        f"Of {format_count(len(ranking), 'rater')} of {result.dimension}, {best.rater} is the best by {order} "
        f"({format_decimals(best.value)}) and {worst.rater} the worst ({format_decimals(worst.value)})."
    )
    columns = [
        text_column("rater", [r.rater for r in ranking]),
        Column(order, [format_decimals(r.value) for r in ranking]),
    ]
    notes = [f"Not ranked, because it is undefined: {join_names(result.unranked)}."] if result.unranked else []
    return View([headline], [Table(columns)], notes=notes)


def _describe_anonymous(result: RaterPanel) -> str:
    return (
        f"The file does not say who rated: the raters of {result.dimension} ({', '.join(result.raters[:2])}, ...) are "
        "positions on a line, not people. So nothing is said about single raters."
    )


def _describe_severity(result: Severity) -> list[str]:
    known = [p for p in result.raters if not isnan(p.severity)]
    if not known:
        return [f"No two raters of {result.dimension} judged the same output, so severity is undefined."]
    known = _keep_many(known, [p.n for p in known])
    hard, soft = max(known, key=lambda p: p.severity), min(known, key=lambda p: p.severity)
    sentence = (
        f"On {result.dimension}, {hard.rater} is the most severe rater ({format_decimals(hard.severity, 2)} below the "
        f"others on the same outputs) and {soft.rater} the most lenient ({format_decimals(-soft.severity, 2)} above)."
    )
    correlated = [p for p in known if not isnan(p.rest_correlation)]
    if len(correlated) < 3:  # the correlation of two raters is that of both
        return [sentence]
    lowest = min(correlated, key=lambda p: p.rest_correlation)
    r = format_decimals(lowest.rest_correlation)
    return [f"{sentence} {lowest.rater} agrees least with the others (r = {r})."]


def _keep_many(raters: Sequence[_Rater], counts: Sequence[int]) -> list[_Rater]:
    """Return the raters with enough to say how they rate, or all where fewer than two have."""
    least = MINIMUMS["agreement"].counts["items"]
    many = [rater for rater, count in zip(raters, counts, strict=True) if count >= least]
    return many if len(many) > 1 else list(raters)


def _describe_consistency(result: Consistency) -> list[str]:
    return [*_describe_repeats(result), *_describe_copied(result)]


def _describe_copied(result: Consistency) -> list[str]:
    """Say which systems are not counted as texts judged again."""
    if not result.copies:
        return []
    counted = f"; with {'it' if len(result.copies) == 1 else 'them'} alpha is {format_decimals(result.with_copies)}"
    return [
        f"Not counted as texts judged again: {describe_copies(result.copies)}"
        f"{'' if isnan(result.with_copies) else counted}."
    ]


def _describe_repeats(result: Consistency) -> list[str]:
    if not result.pairs:
        return [f"No rater judged the same text twice on {result.dimension}, so self-consistency is undefined."]
    sentence = (
        f"Raters who judged the same text twice gave the same rating in {format_percent(result.same)} of "
        f"{format_count(result.pairs, 'pair')} (alpha {format_decimals(result.alpha.value)})."
    )
    ranked = _keep_many(result.raters, [r.pairs for r in result.raters])
    if len(ranked) < 2 or any(isnan(r.alpha.value) for r in ranked):  # always the same rating: most consistent, or not
        return [sentence]
    best, worst = ranked[0], ranked[-1]
    return [
        f"{sentence} Most consistent: {best.rater} ({format_decimals(best.alpha.value)}); least consistent: "
        f"{worst.rater} ({format_decimals(worst.alpha.value)})."
    ]


def _describe_size(result: SampleSize) -> list[str]:
    return [_describe_raters(result), *_describe_items(result)]


def _describe_raters(result: SampleSize) -> str:
    ratings, enough = max(1, round(result.raters_per_output)), result.raters_needed
    if isnan(result.one_rater_reliability):
        return f"The reliability of {result.dimension} ratings is undefined."
    if enough is None:
        return f"Ratings of {result.dimension} have no measurable reliability; more raters would not help."
    what = "One rating" if ratings == 1 else f"The mean of {ratings} ratings"
    reliability = format_decimals(result.reliability(ratings))
    verb = "would reach" if enough > ratings else "is enough for" if enough == 1 else "are enough for"
    return (
        f"{what} of {result.dimension} has a reliability of {reliability}; {format_count(enough, 'rating')} per output "
        f"{verb} {result.target:g}."
    )


def _describe_items(result: SampleSize) -> list[str]:
    few = result.items < MINIMUMS["comparison"].counts["clusters"] and result.difference is None
    if isnan(result.detectable_these) or few:
        return []
    items, raters = format_count(result.items, "item"), format_count(result.raters, "rater")
    if isnan(result.detectable):
        these = _describe_detectable(result.detectable_these, result)
        sentence = f"With {items} per system, {these} between two systems is found with power {result.power:g}"
        return [f"{sentence} for these raters only{_describe_need(result)}."]
    these = _describe_detectable(result.detectable_these, result).removeprefix("a difference of ")
    sentence = (
        f"With {items} per system and {raters}, {_describe_detectable(result.detectable, result)} between two systems "
        f"is found with power {result.power:g} (for these raters only, {these})"
    )
    return [f"{sentence}{_describe_need(result)}."]


def _describe_detectable(difference: float, result: SampleSize) -> str:
    return "no difference" if difference > result.largest else f"a difference of {format_number(difference)}"


def _describe_need(result: SampleSize) -> str:
    """Say what would find the difference asked for: more items, more raters, or nothing that was tried."""
    if result.difference is None:
        return ""
    more, goal = result.more_items, f"; to find a difference of {result.difference:g}, "
    if more is not None:
        need = f"{format_count(more, 'more item')} {'is' if more == 1 else 'are'}" if more else "no more items are"
        return f"{goal}{need} needed"
    if result.all_raters_needed is None:
        return f"{goal}no number of items or raters that was tried is enough"
    return f"{goal}it takes at least {result.all_raters_needed} raters: more items are not enough"


def _sort_profiles(result: Severity) -> list[RaterProfile]:
    return sorted(result.raters, key=lambda p: (isnan(p.rest_correlation), p.rest_correlation))


def _profile_columns(rows: Sequence[RaterProfile]) -> list[Column]:
    return [
        text_column("rater", [p.rater for p in rows]),
        Column("outputs", [f"{p.n:,}" for p in rows]),
        Column("mean", [format_decimals(p.mean, 2) for p in rows]),
        Column("severity", [format_signed(p.severity, 2) for p in rows]),
        Column("spread", [format_decimals(p.spread, 2) for p in rows]),
        Column("scale used", [format_percent(p.scale_used) for p in rows]),
        Column("r with others", [format_decimals(p.rest_correlation) for p in rows]),
    ]


def _consistency_columns(rows: Sequence[RaterProfile], result: Consistency | None) -> list[Column]:
    if result is None:
        return []
    own = [result.of(p.rater) for p in rows]
    return [
        Column("self alpha", [format_decimals(r.alpha.value) if r else MISSING for r in own]),
        Column("judged twice", [f"{r.pairs:,}" if r else "0" for r in own]),
    ]


_PROFILE_NOTE = (
    "severity: how far below the others on the same outputs. spread: standard deviation divided by that of the others. "
    f"{MISSING}: undefined (too few outputs in common, no spread, or no text judged twice)."
)
_CONSISTENCY_NOTE = (
    "self alpha: agreement with themselves on identical texts judged apart; judged twice: pairs of them."
)


def chart_severity(result: Severity) -> Chart:
    """Chart a point per rater: how severe they are, and how far they agree with the others."""
    known = [p for p in result.raters if not isnan(p.severity)]
    both = [p for p in known if not isnan(p.rest_correlation)]
    points = sorted(both, key=lambda p: p.n, reverse=True)[:_MAX_POINTS]
    rows = [{"rater": p.rater, "severity": p.severity, "rest": p.rest_correlation, "n": p.n} for p in points]
    layers = vega.named_points(rows, "severity", "rest", "rater", x_also=(0.0,))
    x = {
        "field": "severity",
        "type": "quantitative",
        "title": "severity: how far below the others",
        "scale": vega.fixed_scale(rows, "severity", (0.0,)),
    }
    y = {"field": "rest", "type": "quantitative", "title": "r with the others", "scale": vega.fixed_scale(rows, "rest")}
    tooltip = vega.tooltip(rater="rater", severity="severity", rest="r with the others", n="outputs")
    zero = {
        "data": {"values": [{"at": 0}]},
        "mark": {"type": "rule", "color": "$faint"},
        "encoding": {"x": {"field": "at", "type": "quantitative"}},
    }
    points_layer = {
        "encoding": {"x": x, "y": y, "tooltip": tooltip},
        "layer": layers,
    }
    spec = {"data": {"values": rows}, "width": "container", "height": vega.PLOT_HEIGHT, "layer": [zero, points_layer]}
    columns = (
        text_column("rater", [p.rater for p in known]),
        Column("outputs", [f"{p.n:,}" for p in known]),
        Column("severity", [format_signed(p.severity, 2) for p in known]),
        Column("r with others", [format_decimals(p.rest_correlation) for p in known]),
    )
    return Chart(spec, columns, f"Raters of {result.dimension}: severity and agreement with the others")
