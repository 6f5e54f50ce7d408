"""The answer at the top of the page: the verdict, how far to trust metric and judges, and what to beware of."""

from __future__ import annotations

from dataclasses import dataclass

from ..views.accuracy import describe_sentinels
from .report import Report


@dataclass(frozen=True)
class PageAnswer:
    """`sentences`: the answer and what it rests on; `cautions` stand beside it."""

    sentences: tuple[str, ...]
    settled: bool
    cautions: tuple[str, ...]


def make_answer(report: Report) -> PageAnswer:
    """Compose the answer from the headlines of results."""
    result = report.verdict()
    if result is None:
        return PageAnswer(("There are no scores to compare systems by.",), False, ())
    return PageAnswer((*result.view().sentences, *_trust(report)), result.settled, tuple(_cautions(report)))


def _trust(report: Report) -> list[str]:
    """Say how far metric and judges can be trusted, a sentence each."""
    sentences = []
    trial = report.trials[0] if report.trials else None
    if trial is not None and trial.correlations is not None:
        metric = next(iter(report.metrics))
        own = [c for c in trial.correlations.correlations if c.metric == metric and c.level in ("system", "pooled")]
        sentences += [own[0].view().headline] if own else []
    return sentences + [panel.agreement.view().headline for panel in report.panels[:1]]


def _cautions(report: Report) -> list[str]:
    """Say what must be known before the answer is trusted."""
    cautions = []
    if report.leaks is not None and report.leaks.systems:
        cautions.append(report.leaks.view().headline)
    ranking = report.trials[0].ranking if report.trials else None
    if ranking is not None and "correlation" in ranking.sentinel_wins():
        cautions += describe_sentinels(ranking)
    return cautions
