"""The answer at the top of the page: the headline, what it rests on, and what to beware of."""

from __future__ import annotations

from dataclasses import dataclass

from ..views._format import format_count, join_names
from ..views.accuracy import describe_sentinels
from .report import MetricTrial, Report

_FEWEST_ITEMS = 2  # below which nothing can be tested


@dataclass(frozen=True)
class PageAnswer:
    """`sentences`: the answer and what it rests on; `cautions` stand beside it."""

    sentences: tuple[str, ...]
    settled: bool
    cautions: tuple[str, ...]


def make_answer(report: Report) -> PageAnswer:
    """Compose the answer from the headlines of results."""
    result = report.verdict()
    headline, *others = result.view().sentences
    sentences = [headline, *others, *_reasons(report), *_trust(report)]
    return PageAnswer(tuple(dict.fromkeys(sentences)), result.settled, tuple(_cautions(report)))


def _reasons(report: Report) -> list[str]:
    """Give the numbers behind the answer: of people on the first dimension, and of the metric closest to them."""
    if len(report.data.systems) < 2 or len(report.data) < _FEWEST_ITEMS:
        return []
    trial = report.trials[0] if report.trials else None
    reasons = []
    if trial is not None and trial.people is not None and not trial.people.undirected:
        reasons.append(f"People: {trial.people.view().headline}")
    first = [report.comparisons[name] for name in report.order[:1] if not report.comparisons[name].undirected]
    first = [c for c in first if c.ranking[0].system not in c.leaked]
    return reasons + [comparison.view().headline for comparison in first]


def _trust(report: Report) -> list[str]:
    """Say how far metric and judges can be trusted, a sentence each."""
    trial = report.trials[0] if report.trials else None
    sentences = [] if trial is None or trial.correlations is None else [trial.correlations.view().headline]
    if trial is not None:
        sentences += describe_ties(trial)
    return sentences + [panel.agreement.view().headline for panel in report.panels[:1]]


def describe_ties(trial: MetricTrial) -> list[str]:
    """Say which metrics may be as good as the one closest to people."""
    closest = trial.closest()
    if closest is None or closest.metrics < 2:
        return []
    if not closest.tested:
        count = 0 if trial.ranking is None else trial.ranking.systems
        systems = format_count(count, "system") if count else "The systems"
        return [f"{systems} are too few to test whether another metric agrees worse with people."]
    if not closest.tied:
        return [f"The other metrics agree significantly worse with people than {closest.metric}."]
    return [f"Not significantly worse than {closest.metric}: {join_names(closest.tied)}."]


def _cautions(report: Report) -> list[str]:
    """Say what must be known before the answer is trusted."""
    cautions = []
    if report.leaks is not None and report.leaks.systems:
        cautions.append(report.leaks.view().headline)
    undirected = [c for c in (*(t.people for t in report.trials), *report.comparisons.values()) if c and c.undirected]
    cautions += [comparison.view().headline for comparison in undirected]
    ranking = report.trials[0].ranking if report.trials else None
    if ranking is not None and "correlation" in ranking.sentinel_wins():
        cautions += describe_sentinels(ranking)
    return cautions
