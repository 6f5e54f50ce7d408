"""The answer at the top of the page: the verdict, how far to trust metric and judges, and what to beware of."""

from __future__ import annotations

from dataclasses import dataclass

from ..views.accuracy import describe_sentinels
from .findings import Findings


@dataclass(frozen=True)
class PageAnswer:
    """`sentences`: the answer and what it rests on; `cautions` stand beside it."""

    sentences: tuple[str, ...]
    settled: bool
    cautions: tuple[str, ...]


def make_answer(findings: Findings) -> PageAnswer:
    """Compose the answer from the headlines of results."""
    result = findings.verdict()
    if result is None:
        return PageAnswer(("There are no scores to compare systems by.",), False, ())
    return PageAnswer((*result.view().sentences, *_trust(findings)), result.settled, tuple(_cautions(findings)))


def _trust(findings: Findings) -> list[str]:
    """Say how far metric and judges can be trusted, a sentence each."""
    sentences = []
    trial = findings.trials[0] if findings.trials else None
    if trial is not None and trial.correlations is not None:
        metric = next(iter(findings.metrics))
        own = [c for c in trial.correlations.correlations if c.metric == metric and c.level in ("system", "pooled")]
        sentences += [own[0].view().headline] if own else []
    return sentences + [panel.agreement.view().headline for panel in findings.panels[:1]]


def _cautions(findings: Findings) -> list[str]:
    """Say what must be known before the answer is trusted."""
    cautions = []
    if findings.leaks is not None and findings.leaks.systems:
        cautions.append(findings.leaks.view().headline)
    ranking = findings.trials[0].ranking if findings.trials else None
    if ranking is not None and "correlation" in ranking.sentinel_wins():
        cautions += describe_sentinels(ranking)
    return cautions
