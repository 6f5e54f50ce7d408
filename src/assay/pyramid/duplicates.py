"""Does an annotator mark the same units in the same text twice? (Owczarzak et al. 2012, section 2.)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from ..data.content_units import PeerAnnotation, Pyramid
from ..data.evalset import EvalSet
from ..data.result import Result
from ..errors import ignore_undefined
from ..stats import krippendorff_alpha
from .annotated import average_defined, read_pyramids, score_against_models


@dataclass(frozen=True)
class AnnotatorDuplicates:
    """One annotator on pairs of identical texts: marks that are the same, their alpha, and the gap between scores."""

    kind: ClassVar[str] = "annotator_duplicates"
    annotator: str | None
    pairs: int
    marks: int
    same: float
    alpha: float
    score_gap: float


@dataclass(frozen=True)
class DuplicateMarks(Result, question="unit_agreement", kind="duplicate_marks"):
    """How consistent annotators are on peers of one topic that have the same text; the least consistent first.

    A mark is one unit in one pair of texts. alpha is Krippendorff's, nominal; NaN where all marks are equal.
    """

    pairs: int
    annotators: tuple[AnnotatorDuplicates, ...]


def duplicate_marks(data: EvalSet | Iterable[Pyramid]) -> DuplicateMarks:
    """Compare what each annotator marked in identical texts; texts that differ only in white space are identical."""
    pairs: dict[str | None, list[tuple[Pyramid, PeerAnnotation, PeerAnnotation]]] = {}
    for pyramid in read_pyramids(data):
        for first, second in _identical(pyramid):
            pairs.setdefault(first.annotator, []).append((pyramid, first, second))
    rows = [_compare(annotator, own) for annotator, own in pairs.items()]
    return DuplicateMarks(sum(row.pairs for row in rows), tuple(sorted(rows, key=lambda row: row.same)))


def _identical(pyramid: Pyramid) -> Iterator[tuple[PeerAnnotation, PeerAnnotation]]:
    texts = {name: " ".join(text.split()) for name, text in (pyramid.peer_texts or {}).items()}
    for first, second in combinations(pyramid.peers, 2):
        if first.annotator == second.annotator and texts.get(first.peer) == texts.get(second.peer):
            yield first, second


def _compare(
    annotator: str | None, pairs: Sequence[tuple[Pyramid, PeerAnnotation, PeerAnnotation]]
) -> AnnotatorDuplicates:
    marks, gaps = [], []
    for pyramid, first, second in pairs:
        marks += [[float(unit.id in peer.unit_ids) for peer in (first, second)] for unit in pyramid.units]
        models = tuple(pyramid.models)
        scores = [score_against_models(peer, pyramid, models) for peer in (first, second)]
        gaps.append(abs(scores[0] - scores[1]))
    table = np.array(marks)
    with ignore_undefined():
        alpha = krippendorff_alpha(table, measure="nominal").value
    same = float((table[:, 0] == table[:, 1]).mean())
    return AnnotatorDuplicates(annotator, len(pairs), len(marks), same, alpha, average_defined(gaps))
