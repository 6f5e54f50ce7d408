"""The sections that compare metrics with people, and say how many items and references a verdict takes."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

from ..views import Table, View
from ..views._format import join_names
from ..views.correlation import chart_systems
from .findings import Findings, Trial
from .parts import Choice, Section

_QUESTION = "Can I trust the metric?"


def trial(found: Findings) -> Section | None:
    """Compare metrics with people, by judged dimension."""
    if not found.metrics:
        return None
    options = [(t.human.name, views) for t in found.trials if (views := _trial_views(found, t))]
    if options:
        return Section("metrics", "Metrics and people", _QUESTION, (Choice("Judged", options),))
    why = (
        "The set has no human judgments, so the metrics cannot be compared with people. Judgments of some of these "
        "outputs would show how far to trust the scores."
        if not found.trials
        else "Fewer than two systems were judged, so metrics and people cannot be compared."
    )
    return Section("metrics", "Metrics and people", _QUESTION, (View([why]),))


def _trial_views(found: Findings, t: Trial) -> list[View]:
    views = []
    if t.correlations is not None:
        views.append(replace(t.correlations.view(), title="Do metrics agree with people?"))
        if len(t.human.systems) > 2:
            best = t.correlations.correlations[0].metric
            chart = chart_systems(found.metrics[best], t.human)
            views.append(
                View((), [Table(chart.columns)], [chart], title=f"System by system: {best} and {t.human.name}")
            )
    if t.dominance is not None and len(t.dominance.metrics) > 1:
        views.append(replace(t.dominance.view(), title="Which metric is best on single items?"))
    if t.decisions is not None and any(a.n for a in t.decisions.agreements):
        views.append(replace(t.decisions.view(), title="Would people have decided the same?"))
    if t.noticeable is not None and any(d.bins for d in t.noticeable.differences):
        views.append(replace(t.noticeable.view(), title="How large must a difference be?"))
    return views


def stability(found: Findings) -> Section | None:
    """Show curves against the number of items and references."""
    options = [(t.human.name, views) for t in found.trials if (views := _stability_views(found, t))]
    if not options:
        return None
    question = "How many items and references does it take?"
    return Section("stability", "Stability", question, (Choice("Judged", options),))


def _stability_views(found: Findings, t: Trial) -> list[View]:
    curves = t.stability
    if curves is None or all(isnan(c.actual) for c in curves.by_items):
        return []
    view = curves.view()
    corpus = [c.metric for c in curves.by_items if found.metrics[c.metric].corpus is not None]
    also = [f"By means over items, also for {join_names(corpus)}, elsewhere by corpus scores."] if corpus else []
    return [replace(view, notes=[*view.notes, *also])]
