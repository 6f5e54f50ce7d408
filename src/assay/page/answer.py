"""The answer at the top of the page: the headline, what it rests on, and what to beware of."""

from __future__ import annotations

from dataclasses import dataclass

from ..comparison import Comparison
from ..views import name_judges
from .report import Report

_MIN_ITEMS = 2  # below which nothing can be tested


@dataclass(frozen=True)
class PageAnswer:
    """`sentences`: the answer and what it rests on; `cautions` stand next to it."""

    sentences: tuple[str, ...]
    settled: bool
    cautions: tuple[str, ...]


def make_answer(report: Report) -> PageAnswer:
    """Compose the answer from the headlines of results."""
    result = report.verdict()
    headline, *others = result.view().sentences
    sentences = [headline, *others, *_reasons(report), *_trust(report), *_describe_measuring(report)]
    return PageAnswer(tuple(dict.fromkeys(sentences)), result.settled, tuple(_cautions(report)))


def _reasons(report: Report) -> list[str]:
    """Give the numbers behind the answer: of those who judged on the first dimension, and of the closest metric."""
    if len(report.data.systems) < 2 or len(report.data) < _MIN_ITEMS:
        return []
    trial = report.trials[0] if report.trials else None
    reasons = []
    if trial is not None and trial.people is not None and trial.people.statements():
        who = name_judges(trial.people.judges)
        headline = trial.people.view().headline
        reasons.append(headline if headline.startswith(who) else f"{who}: {headline}")
    first = [report.comparisons[name] for name in report.order[:1] if not report.comparisons[name].undirected]
    first = [c for c in first if c.ranking[0].system not in c.leaked]
    return reasons + [comparison.view().headline for comparison in first]


def _trust(report: Report) -> list[str]:
    """Say how far metric and judges can be trusted, a sentence each."""
    trial = report.trials[0] if report.trials else None
    sentences = [] if trial is None or trial.correlations is None else [trial.correlations.view().headline]
    return sentences + [panel.agreement.view().headline for panel in report.panels[:1]]


def _describe_measuring(report: Report) -> list[str]:
    """Say in a line how this was measured: what was drawn, how it was tested, and how the file was read."""
    trial = report.trials[0] if report.trials else None
    people = trial.people if trial is not None else None
    compared = people if isinstance(people, Comparison) else next(iter(report.comparisons.values()), None)
    if compared is None or len(report.data.systems) < 2 or len(report.data) < _MIN_ITEMS:
        return []
    line = report.data.reading.line()
    reading = f" Read as: {line.rstrip('.')}." if line else ""
    return [f"How this was measured: {compared.design.describe()}; test: {compared.test or 'none'}.{reading}"]


def _cautions(report: Report) -> list[str]:
    """Say what must be known before the answer is trusted."""
    cautions = []
    if report.leaks is not None and report.leaks.systems:
        cautions.append(report.leaks.view().headline)
    compared = [*(t.people for t in report.trials), *report.comparisons.values()]
    undirected = [c for c in compared if isinstance(c, Comparison) and c.undirected]
    cautions += [comparison.view().headline for comparison in undirected]
    return cautions
