"""The sections of the page: which views go on it, in what order, under which question."""

from __future__ import annotations

from math import nan

from ..comparison.compare import Comparison
from ..views import Column, Table, View, text_column
from ..views._format import format_scores
from .cautions import cautions
from .edited import edits_section
from .findings import Findings
from .parts import Choice, Section
from .raters import raters
from .trial import stability, trial


def make_sections(findings: Findings) -> list[Section]:
    """Make the sections that have something to show, in order; items and settings are the page's own."""
    sections = [
        _systems(findings),
        edits_section(findings),
        trial(findings),
        stability(findings),
        raters(findings),
        cautions(findings),
    ]
    return [section for section in sections if section is not None]


def _systems(findings: Findings) -> Section:
    """Rank the systems by each metric and each judged dimension."""
    rankings = list(findings.comparisons.items())
    rankings += [(f"{t.human.name} (people)", t.people) for t in findings.trials if t.people is not None]
    parts: list[View | Choice] = [Choice("By", [(name, [result.view()]) for name, result in rankings])]
    if len(rankings) > 1:
        parts.append(_all_scores(findings, rankings[0][1]))
    return Section("systems", "Systems", "Which system is better?", parts)


def _all_scores(findings: Findings, first: Comparison) -> View:
    order = [r.system for r in first.ranking]
    order += [s for s in findings.data.systems if s not in set(order)]
    people = set(findings.data.people)
    columns = [text_column("system", [f"{s} (a person)" if s in people else s for s in order])]
    human = [(f"{t.human.name} (people)", t.human) for t in findings.trials]
    for name, scores in [*findings.metrics.items(), *human]:
        means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
        columns.append(Column(name, format_scores([means.get(s, nan) for s in order])))
    return View(tables=[Table(columns)], title="All scores")
