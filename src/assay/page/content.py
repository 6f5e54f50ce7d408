"""What the page shows of content units: scores, annotators, and units by weight, aspect and category."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..data.evalset import EvalSet
from ..data.result import Result
from ..data.view import View
from ._parts import Choice, Section

if TYPE_CHECKING:
    from ..pyramid.annotated import AnnotatedScores
    from ..pyramid.duplicates import DuplicateMarks
    from ..pyramid.guided import GuidedAnalysis
    from ..pyramid.unit_agreement import PeerAgreement


@dataclass(frozen=True)
class ContentFindings:
    """Everything about the content units of a set; None where no one, or one annotator, marked texts."""

    scores: AnnotatedScores
    analysis: GuidedAnalysis | None
    agreement: PeerAgreement | None
    duplicates: DuplicateMarks | None

    def results(self) -> Iterator[Result]:
        """Return every result about the units."""
        results = (self.scores, self.agreement, self.duplicates, self.analysis)
        yield from (result for result in results if result is not None)


def find_content(data: EvalSet, dimension: str | None = None) -> ContentFindings | None:
    """Look into the content units of a set; None if it carries none. `dimension` ranks the systems."""
    if not any(item.extra for item in data):
        return None  # units are under keys of items that are kept there
    from ..pyramid import analyze_units, duplicate_marks, peer_agreement, score_annotated
    from ..pyramid.annotated import carries_spans
    from ..pyramid.unit_agreement import shares_peers

    if not carries_spans(data):
        return None
    scores = score_annotated(data)
    duplicates = duplicate_marks(data)
    marked = any(not system.model for system in scores.systems)
    return ContentFindings(
        scores=scores,
        analysis=analyze_units(data, dimension=dimension) if marked else None,
        agreement=peer_agreement(data) if shares_peers(data) else None,
        duplicates=duplicates if duplicates.pairs else None,
    )


def content_section(content: ContentFindings | None) -> Section | None:
    """Show scores and charts of weights and aspects, with their tables folded away."""
    if content is None:
        return None
    parts: list[View | Choice] = [replace(content.scores.view(), title="Pyramid scores")]
    if content.analysis is not None:
        parts += _split_analysis(content.analysis.view())
    parts += [result.view() for result in (content.agreement, content.duplicates) if result is not None]
    return Section("content", "Content units", "What do the texts state?", parts)


def _split_analysis(view: View) -> list[View]:
    """Show charts with their tables folded away, then the scores by category, which no chart shows."""
    charted = [table for table in view.tables if table.title.startswith("Units by ")]
    others = [table for table in view.tables if table not in charted]
    folded = [replace(table, title="", summary=table.title) for table in charted]
    first, *notes = view.notes
    return [
        replace(view, tables=folded, notes=[first], title="Which facts do the models share, and who states them?"),
        View(tables=others, notes=notes, title="Which categories are easier?"),
    ]
