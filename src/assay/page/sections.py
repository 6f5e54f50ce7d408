"""The sections of the page: which views go on it, in what order, under which question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan

from ..comparison.compare import Comparison
from ..data.result import Result
from ..raters import AgreementTable
from ..views import Column, Table, View, text_column
from ..views._format import format_count, format_scores, join_names
from ..views.correlation import chart_systems
from ._parts import Choice, Section
from .report import MetricTrial, RaterFindings, Report


def make_sections(report: Report) -> list[Section]:
    """Make the sections that have something to show, in order; items and settings are the page's own."""
    makers = (systems_section, edits_section, metrics_section, stability_section, raters_section, cautions_section)
    sections = [make(report) for make in makers]
    return [section for section in sections if section is not None]


def systems_section(report: Report) -> Section | None:
    """Rank the systems by each metric and each judged dimension."""
    rankings = list(report.comparisons.items())
    rankings += [(f"{t.human.name} (people)", t.people) for t in report.trials if t.people is not None]
    parts: list[View | Choice] = [Choice("By", [(name, [result.view()]) for name, result in rankings])]
    if len(rankings) > 1:
        parts.append(_all_scores(report, rankings[0][1]))
    return Section("systems", "Systems", "Which system is better?", parts)


def edits_section(report: Report) -> Section | None:
    """Show what each system did to the sources (Toutanova et al. 2016, 3.3)."""
    if report.edits is None:
        return None
    return Section("edits", "Edits", "How did the outputs come from their sources?", [report.edits.view()])


def metrics_section(report: Report) -> Section | None:
    """Compare metrics with people, by judged dimension."""
    if not report.metrics:
        return None
    options = [(t.human.name, views) for t in report.trials if (views := _trial_views(report, t))]
    parts: list[View | Choice] = [Choice("Judged", options)] if options else [_explain_no_trial(report)]
    return Section("metrics", "Metrics", "Can I trust the metric?", parts)


def stability_section(report: Report) -> Section | None:
    """Show curves against the number of items and references."""
    options = [(t.human.name, views) for t in report.trials if (views := _stability_views(report, t))]
    if not options:
        return None
    return Section("stability", "Stability", "How many items and references are needed?", [Choice("Judged", options)])


def raters_section(report: Report) -> Section | None:
    """Show agreement, consistency and severity of raters, and the ranking without each of them."""
    if not report.panels:
        return None
    table = AgreementTable(tuple(panel.agreement for panel in report.panels))
    options = [(panel.agreement.dimension, _panel_views(panel)) for panel in report.panels]
    parts: list[View | Choice] = [_add_title("Do the raters agree?", table), Choice("Judged", options)]
    return Section("raters", "Raters", "Can I trust the judges?", parts)


def cautions_section(report: Report) -> Section | None:
    """Show leaks, sentinels that win, and what is odd about the data."""
    parts: list[View | Choice] = []
    if report.leaks is not None:
        parts.append(_add_title("Outputs among their own references", report.leaks))
    rankings = [(t.human.name, t.ranking) for t in report.trials if t.ranking is not None]
    if rankings:
        title = "Do metrics win that cannot see quality?"
        parts.append(Choice("Judged", [(name, [_add_title(title, ranking)]) for name, ranking in rankings]))
    parts.append(report.check.view())
    if report.notes:
        parts.append(_list_undefined(report.notes))
    return Section("cautions", "Cautions", "What could be wrong?", parts)


def _add_title(title: str, result: Result) -> View:
    return replace(result.view(), title=title)


def _all_scores(report: Report, first: Comparison) -> View:
    order = [r.system for r in first.ranking]
    order += [s for s in report.data.systems if s not in set(order)]
    people = set(report.data.people)
    columns = [text_column("system", [f"{s} (a person)" if s in people else s for s in order])]
    human = [(f"{t.human.name} (people)", t.human) for t in report.trials]
    for name, scores in [*report.metrics.items(), *human]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        columns.append(Column(name, format_scores([means.get(s, nan) for s in order])))
    return View(tables=[Table(columns)], title="All scores")


def _trial_views(report: Report, trial: MetricTrial) -> list[View]:
    views = []
    if trial.correlations is not None:
        views.append(_add_title("Do metrics agree with people?", trial.correlations))
        if len(trial.human.systems) > 2:
            best = trial.correlations.correlations[0].metric
            chart = chart_systems(report.metrics[best], trial.human)
            views.append(View(charts=[chart], title=f"System by system: {best} and {trial.human.name}"))
    if trial.dominance is not None and len(trial.dominance.metrics) > 1:
        views.append(_add_title("Which metric is best on single items?", trial.dominance))
    if trial.decisions is not None and any(a.n for a in trial.decisions.agreements):
        views.append(_add_title("Would people have decided the same?", trial.decisions))
    if trial.noticeable is not None and any(d.bins for d in trial.noticeable.differences):
        views.append(_add_title("How large must a difference be?", trial.noticeable))
    return views


def _explain_no_trial(report: Report) -> View:
    if report.trials:
        return View(["Fewer than two systems were judged, so metrics and people cannot be compared."])
    return View(
        [
            "The set has no human judgments, so the metrics cannot be compared with people. Judgments of some of these "
            "outputs would show how far to trust the scores."
        ]
    )


def _stability_views(report: Report, trial: MetricTrial) -> list[View]:
    curves = trial.stability
    if curves is None or all(isnan(c.actual) for c in curves.by_items):
        return []
    view = curves.view()
    corpus = [c.metric for c in curves.by_items if report.metrics[c.metric].corpus is not None]
    also = [f"Here {join_names(corpus)} is the mean over items, elsewhere the corpus score."] if corpus else []
    return [replace(view, notes=[*view.notes, *also])]


def _panel_views(panel: RaterFindings) -> list[View]:
    views = [_add_title("Each rater", panel.raters)]
    if panel.left_out is not None:
        views.append(_add_title("What if a rater is left out?", panel.left_out))
    return views


def _list_undefined(notes: Sequence[str]) -> View:
    sentence = f"{format_count(len(notes), 'number')} could not be computed and are dashes in the tables."
    if len(notes) == 1:
        sentence = "1 number could not be computed and is a dash in the tables."
    table = Table([text_column("note", notes)], summary="Which, and why")
    return View([sentence], [table], title="Undefined numbers")
