"""Results about aligned words: the links of one pair of texts, and how good links are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypedDict

from ...data.result import Result
from .evaluate import LinkScores, LinkSet, exact_links, links_between_words, score_links
from .monolingual import WordAlignment


class LinkRecord(TypedDict):
    """Token `a` of the first text goes with token `b` of the second; `kind` says why, `score` how surely."""

    a: int
    b: int
    kind: str
    score: float


class AlignmentRecord(TypedDict):
    """The alignment of two texts: their tokens, each with start and end, and the links between them."""

    kind: Literal["alignment"]
    line: int
    a: list[tuple[str, int, int]]
    b: list[tuple[str, int, int]]
    links: list[LinkRecord]


@dataclass(frozen=True)
class PairAlignment(Result, question="alignment", kind="alignment"):
    """The alignment of the pair of texts in one line of a file; `matrix` is how to draw it."""

    line: int
    alignment: WordAlignment
    matrix: bool = False

    def records(self) -> list[dict[str, Any]]:
        """List the tokens of both texts with their offsets, and the links."""
        sides = {"a": self.alignment.a, "b": self.alignment.b}
        tokens = {name: [[t.text, t.start, t.end] for t in side.tokens] for name, side in sides.items()}
        links = [{"a": k.a, "b": k.b, "kind": k.kind, "score": k.score} for k in self.alignment.links]
        return [{"kind": "alignment", "line": self.line, **tokens, "links": links}]


@dataclass(frozen=True)
class AlignerScore:
    """Precision, recall and F1 of an aligner on some lines."""

    kind: ClassVar[str] = "aligner_score"
    aligner: str
    lines: str
    precision: float
    recall: float
    f1: float
    links: int
    gold: int
    right: int


@dataclass(frozen=True)
class AlignerScores(Result, question="alignment", kind="aligner_scores"):
    """The aligner and the baseline of equal words against links made by hand: all lines, odd ones, even ones."""

    pairs: int
    scores: tuple[AlignerScore, ...]


def score_aligner(pairs: Iterable[tuple[WordAlignment, LinkSet]]) -> AlignerScores:
    """Compare alignments, and those of equal words, with links made by hand between words that spaces separate."""
    ours: list[tuple[LinkSet, LinkSet]] = []
    plain: list[tuple[LinkSet, LinkSet]] = []
    for alignment, gold in pairs:
        ours.append((links_between_words(alignment, [(k.a, k.b) for k in alignment.links]), gold))
        plain.append((links_between_words(alignment, exact_links(alignment.a, alignment.b)), gold))
    parts = (("all", 0, 1), ("odd", 0, 2), ("even", 1, 2))
    scores = tuple(
        _score(name, lines, score_links(links[start::step]))
        for lines, start, step in parts
        for name, links in (("aligner", ours), ("equal words", plain))
    )
    return AlignerScores(len(ours), scores)


def _score(aligner: str, lines: str, scores: LinkScores) -> AlignerScore:
    counts: Sequence[int] = (scores.predicted, scores.gold, scores.right)
    return AlignerScore(aligner, lines, scores.precision, scores.recall, scores.f1, *counts)
