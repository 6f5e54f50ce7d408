"""The sections of the page: which views go on it, in what order, under which question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import nan

from ..comparison import Comparison, RankingComparison
from ..data.chart import Chart
from ..data.result import Result
from ..data.view import Column, Table, View, text_column
from ..raters import Agreement, AgreementTable
from ..views import (
    MISSING,
    coefficient_symbol,
    find_best,
    format_count,
    format_ranges,
    format_scores,
    label_judges,
    leak_notes,
)
from ..views.charts import chart_distribution
from ..views.correlation import chart_systems
from ..views.dominance import view_unbeaten
from ._parts import Choice, Section
from .content import content_section
from .report import MetricTrial, RaterFindings, Report


def make_sections(report: Report) -> list[Section]:
    """Make the sections that have something to show, in order; items and settings are the page's own."""
    sections = [
        systems_section(report),
        metrics_section(report),
        stability_section(report),
        raters_section(report),
        content_section(report.content),
        edits_section(report),
        cautions_section(report),
    ]
    return [section for section in sections if section is not None]


def list_charts(report: Report) -> list[Chart]:
    """List every chart of the page, also those that are looked at by a choice."""
    parts = [*make_first_screen(report), *(part for section in make_sections(report) for part in section.parts)]
    views = [v for p in parts for v in ([p] if isinstance(p, View) else [w for _, ws in p.options for w in ws])]
    return [chart for view in views for chart in view.charts]


def make_first_screen(report: Report) -> list[View | Choice]:
    """Make what stands under the headline: the ranking by people or a metric, and all scores next to it."""
    options = [(name, [View(charts=[chart])]) for name, chart in _first_charts(report)]
    parts: list[View | Choice] = [Choice("By", options)] if options else []
    return [*parts, _all_scores(report)]


def systems_section(report: Report) -> Section | None:
    """Show the tests between systems by each judged dimension and each metric."""
    if len(report.data.systems) < 2 or len(report.data) < 2:
        return None
    options = [(name, [replace(result.view(), charts=())]) for name, result in _rankings(report)]
    return Section("systems", "Systems", "Which differences are significant?", [Choice("By", options)])


def _rankings(report: Report) -> list[tuple[str, Comparison | RankingComparison]]:
    """List what people say, then the metrics, the closest to people first."""
    rankings = [
        (f"{t.human.name}{label_judges(t.human.judges)}", t.people) for t in report.trials if t.people is not None
    ]
    return rankings + [(name, report.comparisons[name]) for name in report.order]


def _first_charts(report: Report) -> list[tuple[str, Chart]]:
    if len(report.data.systems) == 1:
        scores = [(f"{t.human.name}{label_judges(t.human.judges)}", t.human) for t in report.trials]
        scores += [(name, report.metrics[name]) for name in report.order]
        system = report.data.systems[0]
        return [(name, chart_distribution(s, system)) for name, s in scores if len(report.data) > 1]
    views = [(name, result.view()) for name, result in _rankings(report)]
    return [(name, chart) for name, view in views for chart in view.charts]


def edits_section(report: Report) -> Section | None:
    """Show what each system did to the sources (Toutanova et al. 2016, 3.3)."""
    if report.edits is None:
        return None
    return Section("edits", "Edits", "How did the outputs come from their sources?", [report.edits.view()])


def metrics_section(report: Report) -> Section | None:
    """Compare metrics with people, by judged dimension."""
    if not report.metrics or len(report.data) < 2 or len(report.data.systems) < 2:
        return None
    options = [(t.human.name, views) for t in report.trials if (views := _trial_views(report, t))]
    parts: list[View | Choice] = [Choice("Judged", options)] if options else [_explain_no_trial(report)]
    return Section("metrics", "Metrics", "Can I trust the metric?", parts)


def stability_section(report: Report) -> Section | None:
    """Show curves against the number of items and references."""
    options = [(t.human.name, views) for t in report.trials if (views := _stability_views(t))]
    if not options:
        return None
    return Section("stability", "Stability", "How many items and references are needed?", [Choice("Judged", options)])


def raters_section(report: Report) -> Section | None:
    """Show agreement, consistency and severity of raters, and the ranking without each of them."""
    if not report.panels:
        return None
    table = AgreementTable(tuple(p.agreement for p in report.panels if isinstance(p.agreement, Agreement)))
    orders = [
        _add_title(f"Do the raters agree on the order by {p.agreement.dimension}?", p.agreement)
        for p in report.panels
        if not isinstance(p.agreement, Agreement)
    ]
    options = [(panel.agreement.dimension, views) for panel in report.panels if (views := _panel_views(panel))]
    parts: list[View | Choice] = [*([_add_title("Do the raters agree?", table)] if table.dimensions else []), *orders]
    parts += [Choice("Judged", options)] if options else []
    return Section("raters", "Raters", "Can I trust the judges?", parts)


def cautions_section(report: Report) -> Section | None:
    """Show leaks, and what is odd about the data."""
    parts: list[View | Choice] = []
    if report.leaks is not None:
        parts.append(_add_title("Outputs among their own references", report.leaks))
    parts.append(report.check.view())
    if report.data.reading.columns:
        parts.append(report.data.reading.view())
    if report.notes:
        parts.append(_list_undefined(report.notes))
    return Section("cautions", "Cautions", "What could be wrong?", parts)


def _add_title(title: str, result: Result) -> View:
    return replace(result.view(), title=title)


def _all_scores(report: Report) -> View:
    """Show every score of every system, the best of each column in bold."""
    rankings = _rankings(report)
    if len(report.data.systems) == 1:
        return _one_system(rankings)
    order = [r.system for r in rankings[0][1].ranking] if rankings else []
    order += [s for s in report.data.systems if s not in set(order)]
    people = set(report.data.people)
    columns = [text_column("system", [f"{s} (a person)" if s in people else s for s in order])]
    human = [(f"{t.human.name}{label_judges(t.human.judges)}", t.human) for t in report.trials]
    for name, scores in [*human, *((name, report.metrics[name]) for name in report.order)]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        values = [means.get(s, nan) for s in order]
        ranked = [nan if s in people and len(people) < len(order) else v for s, v in zip(order, values, strict=True)]
        best = () if scores.undirected else find_best(ranked, higher_is_better=scores.higher_is_better)
        columns.append(Column(name, format_scores(values), best=best))
    signature = next(iter(report.signatures.values()), "")
    bold = (
        ["Bold: the highest of the column, or the lowest where low is better. A click on a head sorts by it."]
        if len(order) > 1
        else []
    )
    return View(tables=[Table(columns)], title="All scores", notes=[*leak_notes(report.data.leaked, signature), *bold])


def _one_system(rankings: Sequence[tuple[str, Comparison | RankingComparison]]) -> View:
    """Show the scores of the only system, a row each."""
    rated = [(name, result) for name, result in rankings if isinstance(result, Comparison)]
    rows = [result.ranking[0] for _, result in rated]
    columns = [
        text_column("score", [name for name, _ in rated]),
        Column("value", [format_scores([row.score])[0] for row in rows]),
        Column("95% CI", [format_ranges([(row.low, row.high)])[0] if row.n > 1 else MISSING for row in rows]),
        Column("items", [f"{row.n:,}" for row in rows]),
    ]
    return View(tables=[Table(columns)], title="All scores")


def _trial_views(report: Report, trial: MetricTrial) -> list[View]:
    views = []
    if trial.correlations is not None:
        views.append(_agreement_view(trial))
        if len(trial.human.systems) > 2:
            best = trial.correlations.correlations[0].metric
            chart = chart_systems(report.metrics[best], trial.human)
            views.append(View(charts=[chart], title=f"System by system: {best} and {trial.human.name}"))
    if trial.dominance is not None and len(trial.dominance.metrics) > 1:
        views.append(replace(view_unbeaten(trial.dominance), title="Is a metric better on single items?"))
    if trial.decisions is not None and any(a.n for a in trial.decisions.agreements):
        views.append(_add_title("Would people have decided the same?", trial.decisions))
    if trial.noticeable is not None and any(d.bins for d in trial.noticeable.differences):
        views.append(_add_title("How large must a difference be?", trial.noticeable))
    return views


_OTHER_LEVELS = frozenset({"items failed", "r of differences", "pooled"})  # of a table of correlations


def _agreement_view(trial: MetricTrial) -> View:
    """Show one correlation for each metric, its rank by the test between metrics, and other measures folded away."""
    assert trial.correlations is not None
    view, ranking = trial.correlations.view(), trial.ranking
    main, *others = view.tables
    columns = [column for column in main.columns if column.head not in _OTHER_LEVELS]
    notes = [note for note in view.notes if not note.startswith("items failed: ")]
    if ranking is None:
        return replace(view, tables=[Table(columns), *others], notes=notes, title=_AGREEMENT)
    ranks = {m.metric: str(m.rank) if m.rank > 0 else MISSING for m in ranking.ranking}
    columns.append(Column("rank", [ranks.get(metric, MISSING) for metric in main.columns[0].cells]))
    measures = ranking.view().tables[0].columns
    measured = [c for c in measures if not c.head.startswith(f"{coefficient_symbol(ranking.method)} (")]
    more = Table(measured, summary="Other measures of agreement, with sentinels")
    return View(
        view.sentences,
        [Table(columns), *others, more],
        view.charts,
        [*notes, *(n for n in ranking.view().notes if n not in notes and not n.startswith("Outliers: "))],
        title=_AGREEMENT,
    )


_AGREEMENT = "Do metrics agree with people?"


def _explain_no_trial(report: Report) -> View:
    if report.trials:
        return View(["Fewer than two systems were judged, so metrics and people cannot be compared."])
    return View(
        [
            "The set has no human judgments, so the metrics cannot be compared with people. Judgments of some of these "
            "outputs would show how far to trust the scores."
        ]
    )


def _stability_views(trial: MetricTrial) -> list[View]:
    curves = trial.stability
    return [] if curves is None or not curves.by_items else [curves.view()]


def _panel_views(panel: RaterFindings) -> list[View]:
    views = [] if panel.raters is None else [_add_title("Each rater", panel.raters)]
    if panel.left_out is not None:
        views.append(_add_title("What if a rater is left out?", panel.left_out))
    if panel.plan is not None and panel.plan.designs:
        views.append(_add_title("What would another study find with as many judgments?", panel.plan))
    if panel.assessors is not None:
        views.append(_add_title("Can a model judge instead of people?", panel.assessors))
    return views


def _list_undefined(notes: Sequence[str]) -> View:
    sentence = f"{format_count(len(notes), 'number')} could not be computed and are dashes in the tables."
    if len(notes) == 1:
        sentence = "1 number could not be computed and is a dash in the tables."
    table = Table([text_column("note", notes)], summary="Which, and why")
    return View([sentence], [table], title="Undefined numbers")
