"""Show how far raters agree."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from ..data.chart import Chart
from ..data.view import Column, Table, View, text_column
from ..raters.agreement import Agreement, AgreementTable, explain_undefined
from . import _vega as vega
from ._format import (
    ALPHA_NOTE,
    MISSING,
    RELIABLE,
    TENTATIVE,
    format_count,
    format_decimals,
    format_interval,
    format_p,
    format_p_cell,
    format_percent,
    format_range,
    judge_alpha,
)

if TYPE_CHECKING:
    from ..raters.experts import ExpertComparison
    from ..raters.ranking_agreement import RankingAgreement

_MAX_PAIRS = 15  # pairs of raters that are listed


def view_agreement(result: Agreement) -> View:
    """Show the agreement on one dimension."""
    return _show_dimensions([result])


def view_agreement_table(result: AgreementTable) -> View:
    """Show the agreement on several dimensions: a sentence and a row for each."""
    return _show_dimensions(result.dimensions)


def describe_agreement(result: Agreement) -> str:
    """Say how far the raters agree, and how many would be enough; or how many items it takes to say so."""
    (statement,) = result.statements()
    dimension = statement.quantity
    if statement.claim == "undefined":
        return f"Agreement on {dimension} is undefined: {explain_undefined(result)}."
    if statement.needs:
        return (
            f"Too few items that two raters judged ({statement.counts['items']:,}) to say how far the raters agree on "
            f"{dimension}: {statement.needs['items']:,} are needed."
        )
    interval = format_interval(statement.low, statement.high, statement.confidence, places=3)
    numbers = f"Krippendorff's alpha {format_decimals(statement.estimate)}{interval}"
    sentence = f"The raters agree {judge_alpha(statement.estimate)} on {dimension}: {numbers}."
    return sentence if result.measure == "nominal" else f"{sentence} {_describe_mean(result)}"


def _describe_mean(result: Agreement) -> str:
    """Say how reliable the mean rating of an output is, and how many ratings it takes."""
    ratings, enough = max(1, round(result.ratings_per_output)), result.components.ratings_for_output(RELIABLE)
    if enough is None:
        return "More raters would not help."
    what = "One rating" if ratings == 1 else f"The mean of {ratings} ratings"
    reliability = format_decimals(result.components.output_reliability(ratings))
    more = f"; {enough} ratings per output would reach {RELIABLE:g}" if enough > ratings else ""
    return f"{what} has a reliability of {reliability}{more}."


def _show_dimensions(results: Sequence[Agreement]) -> View:
    tables = [Table(_columns(results))]
    listed = [r for r in results if len(r.raters) > 1 and len(r.pairs) <= _MAX_PAIRS]
    if any(r.pairs for r in listed):
        tables.append(Table(_pair_columns(listed), title="Pairs of raters"))
    charts = [chart_agreement(results)] if any(len(r.raters) > 1 for r in results) else []
    return View([describe_agreement(r) for r in results], tables, charts, _notes(results[0]))


def _columns(results: Sequence[Agreement]) -> list[Column]:
    simulated, nominal = [r.two_raters for r in results], results[0].measure == "nominal"
    return [
        text_column("dimension", [r.dimension for r in results]),
        Column("raters", [str(len(r.raters)) for r in results]),
        Column("outputs", [f"{r.outputs:,}" for r in results]),
        Column("per output", [format_decimals(r.ratings_per_output, 1) for r in results]),
        Column("alpha", [format_decimals(r.alpha.value) for r in results]),
        Column(f"{100 * results[0].confidence:g}% CI", [format_range(r.alpha.low, r.alpha.high) for r in results]),
        Column("equal", [format_decimals(r.percent_agreement) for r in results]),
        Column("kappa", [format_decimals(r.kappa) for r in results]),
        *([] if nominal else [Column("ICC", [format_decimals(r.icc.value if r.icc else None) for r in results])]),
        *(
            []
            if nominal
            else [Column("simulated", [_join_simulated(s.agreement, s.kappa) if s else MISSING for s in simulated])]
        ),
    ]


def _join_simulated(agreement: float, kappa: float) -> str:
    return f"{format_decimals(agreement)}/{format_decimals(kappa)}"


def _pair_columns(results: Sequence[Agreement]) -> list[Column]:
    pairs = [(r.dimension, p) for r in results for p in r.pairs]
    dimension = [text_column("dimension", [d for d, _ in pairs])] if len(results) > 1 else []
    return [
        *dimension,
        text_column("rater", [p.first for _, p in pairs]),
        text_column("and rater", [p.second for _, p in pairs]),
        Column("outputs", [f"{p.n:,}" for _, p in pairs]),
        Column("equal", [format_decimals(p.agreement) for _, p in pairs]),
        Column("kappa", [format_decimals(p.kappa) for _, p in pairs]),
        *([] if results[0].measure == "nominal" else [Column("r", [format_decimals(p.correlation) for _, p in pairs])]),
    ]


def _notes(result: Agreement) -> list[str]:
    start = (
        f"per output: mean number of ratings of an output. alpha: Krippendorff's alpha, {result.alpha.measure} scale; "
        f"{ALPHA_NOTE}. "
        f"Intervals: jackknife over {result.alpha.units:,} items or clusters of them. equal: share of pairs of "
        "ratings that are equal."
    )
    if result.measure == "nominal":
        return [f"{start} kappa: Cohen's, mean over pairs of raters. {MISSING}: undefined for this scale or design."]
    return [
        f"{start} kappa: quadratic, mean over pairs of raters. ICC: of one rater. simulated: equal/kappa of a random "
        f"rater and the rounded mean of the others, {result.simulations:,} simulations (Toutanova et al. 2016). "
        f"{MISSING}: undefined for this scale or design."
    ]


def chart_agreement(results: Sequence[Agreement]) -> Chart:
    """Chart Krippendorff's alpha of each dimension next to the values from which to rely on it."""
    rows = [
        {
            "dimension": r.dimension,
            "alpha": vega.number(r.alpha.value),
            "low": vega.number(r.alpha.low),
            "high": vega.number(r.alpha.high),
            "raters": len(r.raters),
        }
        for r in results
    ]
    y, x = vega.names_axis("dimension"), {"type": "quantitative", "title": "Krippendorff's alpha"}
    tooltip = vega.tooltip(dimension="dimension", alpha="alpha", low="from", high="to", raters="raters")
    limits = [
        {"at": TENTATIVE, "name": f"tentative from {TENTATIVE}"},
        {"at": RELIABLE, "name": f"reliable from {RELIABLE}"},
    ]
    spec = {
        "data": {"values": rows},
        "width": "container",
        "height": {"step": 28},
        "layer": [
            {
                "data": {"values": limits},
                "mark": {"type": "rule", "color": "$muted", "strokeDash": [3, 3]},
                "encoding": {"x": {**x, "field": "at"}, "tooltip": vega.tooltip(name="Krippendorff")},
            },
            {
                "mark": {**vega.RULE, "color": "$accent"},
                "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "tooltip": tooltip},
            },
            {
                "mark": {**vega.POINT, "color": "$accent"},
                "encoding": {"y": y, "x": {**x, "field": "alpha"}, "tooltip": tooltip},
            },
        ],
    }
    return Chart(spec, _columns(results), "Agreement of the raters, by dimension")


def view_ranking_agreement(result: RankingAgreement) -> View:
    """Show how far rankings agree, within items and over all of them."""
    order = "Kendall's W" if result.order == "kendall-w" else "Skillings-Mack"
    columns = [
        text_column("", ["tau, two raters of an item", "W, all raters of an item", f"common order ({order})"]),
        Column("value", [format_decimals(v) for v in (result.tau.value, result.w.value, result.order_w)]),
        Column(
            f"{100 * result.confidence:g}% CI",
            [*(format_range(v.low, v.high) for v in (result.tau, result.w)), MISSING],
        ),
        Column("by chance", [format_decimals(0.0), format_decimals(result.chance), MISSING]),
        Column("p", ["", "", format_p_cell(result.pvalue).strip()]),
        Column("items", [f"{n:,}" for n in (result.compared_items, result.complete_items, result.items)]),
    ]
    notes = [
        "tau: Kendall's tau-b of two raters' rankings of the same item on the systems in both, averaged over pairs of "
        "raters, then items; 1 is the same order, 0 is chance. W: Kendall's coefficient of concordance with ties, over "
        "items on which all raters ranked the same systems. Common order: test of all rankings, taken as independent; "
        "Skillings-Mack where rankings lack systems. "
        f"Intervals: {result.resamples:,} bootstrap samples of items, seed {result.seed}."
    ]
    return View([*_describe_rankings(result)], [Table(columns)], [], notes, title=result.dimension)


_TAU_WORDS = ((0.7, "well"), (0.4, "moderately"), (0.0, "poorly"))


def _describe_rankings(result: RankingAgreement) -> list[str]:
    agree, order = result.statements()
    count = f"{format_count(result.rankings, 'ranking')} of {format_count(result.items, 'item')}"
    if agree.claim == "undefined":
        first = f"No item was ranked by two raters, so their agreement on {result.dimension} is unknown ({count})."
    elif agree.needs:
        first = (
            f"Too few items that two raters ranked ({agree.counts['items']:,}) to say how far they agree on the order "
            f"by {result.dimension}: {agree.needs['items']:,} are needed."
        )
    else:
        word = next((word for least, word in _TAU_WORDS if agree.estimate >= least), "less than by chance")
        interval = format_interval(agree.low, agree.high, agree.confidence, places=3)
        first = (
            f"The raters agree {word} on the order by {result.dimension}: two rankings of an item have tau "
            f"{format_decimals(agree.estimate)}{interval}, over {format_count(result.compared_items, 'item')}."
        )
    statistic = (
        f"chi-square {format_decimals(result.chi_square, 1)}, {result.df} df, {format_p(result.pvalue)}, {count}"
    )
    if order.claim in ("undefined", "too little evidence"):
        return [first]
    words = "an order" if order.claim == "better" else "no significant order"
    return [first, f"All rankings together show {words} of the {result.systems} systems ({statistic})."]


def view_experts(result: ExpertComparison) -> View:
    """Show how experts compare with the crowd: the three rows of Toutanova et al. (2016), Table 4."""
    both, crowd = result.expert_crowd, result.two_crowd_raters
    columns = [
        text_column("", ["two crowd raters (simulated)", "two experts", "experts and crowd (means)"]),
        Column(
            "equal",
            [
                format_decimals(crowd.agreement if crowd else None),
                format_decimals(result.agreement_of_experts),
                format_decimals(both.agreement),
            ],
        ),
        Column(
            "kappa",
            [
                format_decimals(crowd.kappa if crowd else None),
                format_decimals(result.kappa_of_experts),
                format_decimals(both.kappa),
            ],
        ),
        Column(
            f"{100 * result.confidence:g}% CI",
            [
                format_range(crowd.kappa_low, crowd.kappa_high) if crowd else MISSING,
                MISSING,
                format_range(both.kappa_low, both.kappa_high),
            ],
        ),
        Column("r of means", [MISSING, MISSING, format_decimals(both.correlation)]),
    ]
    title = f"{result.dimension}: {format_count(len(result.experts), 'expert')} and {len(result.crowd)} others"
    return View([_describe_experts(result)], [Table(columns)], title=title)


def _describe_experts(result: ExpertComparison) -> str:
    both, dimension = result.expert_crowd, result.dimension
    if not both.n:
        return f"No output was rated on {dimension} by both experts and crowd."
    outputs = format_count(both.n, "output")
    if isnan(both.kappa):
        return (
            f"On {dimension}, mean ratings of experts and crowd correlate at r = {format_decimals(both.correlation)}"
            f" ({outputs})."
        )
    interval = format_interval(both.kappa_low, both.kappa_high, result.confidence)
    experts = result.kappa_of_experts
    beside = "" if isnan(experts) else f" Two experts agree with kappa {format_decimals(experts)}."
    return (
        f"On {dimension}, the rounded mean ratings of experts and crowd are equal for {format_percent(both.agreement)} "
        f"of {outputs}: kappa {format_decimals(both.kappa)}{interval}.{beside}"
    )
