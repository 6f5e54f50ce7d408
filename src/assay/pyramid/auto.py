"""autoPyramid (Owczarzak, Rankel, Dang and Conroy 2012): annotation of a text from what was marked elsewhere.

The contributors of the pyramid and of all other annotated texts of the topic are looked for in a text; what is found
suggests their units. Where the automatic score is above the manual one, the assessor missed a unit here, or assigned it
by accident elsewhere: `AutoPyramid.misses` lists the places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..data.content_units import Contributor, PeerAnnotation, PeerUnit, Pyramid, TextSpan
from ..data.evalset import EvalSet
from ..data.result import Result
from ..errors import ignore_undefined
from ..matching.content_scores import ROUNDING
from ..stats import pearson, spearman
from .annotated import read_pyramids, score_against_models
from .evidence import THRESHOLD, weigh_evidence
from .find_words import METHODS as WORD_METHODS
from .find_words import find_words, list_steps

LEARNED = "learned"
METHODS = (*WORD_METHODS, LEARNED)


class Suggestion(NamedTuple):
    """A unit that a text seems to state: where, by which method, and from which contributor, in its words."""

    unit: str
    spans: tuple[TextSpan, ...]
    method: str
    contributor: str
    contributor_words: str = ""


@dataclass(frozen=True)
class MissedUnit:
    """A unit that was found automatically but not marked by hand: missed here, or assigned by accident elsewhere."""

    kind: ClassVar[str] = "missed_unit"
    item: str
    peer: str
    annotator: str | None
    unit: str
    label: str
    words: str
    start: int
    method: str
    contributor: str
    contributor_words: str


@dataclass(frozen=True)
class TopicDifference:
    """The mean manual and automatic score of the peers of one topic by one annotator."""

    kind: ClassVar[str] = "topic_difference"
    item: str
    annotator: str | None
    peers: int
    manual: float
    automatic: float
    difference: float


@dataclass(frozen=True)
class AnnotatorDifference:
    """The mean over an annotator's topics: positive where more was marked by hand than found automatically."""

    kind: ClassVar[str] = "annotator_difference"
    annotator: str | None
    topics: int
    manual: float
    automatic: float
    difference: float


@dataclass(frozen=True)
class SuggestionQuality:
    """Precision and recall of suggested units against marked ones, and the correlation of scores, over all peers."""

    kind: ClassVar[str] = "suggestion_quality"
    suggested: int
    marked: int
    precision: float
    recall: float
    pearson: float
    spearman: float
    within_topics: float


@dataclass(frozen=True)
class AutoPyramid(Result, question="auto_pyramid", kind="auto_pyramid"):
    """Automatic next to manual annotation, every peer left out in turn.

    precision and recall are of suggested units against marked ones, pearson and spearman of scores, all over all peers;
    `within_topics` is Pearson's r of the scores less the mean of their topic and annotator.
    `copies` counts peers with the text of another; `without_copies` is what is left where the marks in copies of a peer
    suggest nothing for it. With `skip_copies` they do so everywhere.
    """

    method: str
    size: str
    skip_copies: bool
    topics: int
    peers: int
    copies: int
    suggested: int
    marked: int
    precision: float
    recall: float
    pearson: float
    spearman: float
    within_topics: float
    without_copies: tuple[SuggestionQuality, ...]
    annotators: tuple[AnnotatorDifference, ...]
    by_topic: tuple[TopicDifference, ...]
    misses: tuple[MissedUnit, ...]


def suggest_units(
    pyramid: Pyramid, name: str, text: str, *, method: str = "exact", skip_copies: bool = False, by: str | None = None
) -> tuple[Suggestion, ...]:
    """Return the units that contributors elsewhere suggest for a text; never from its own marks.

    Methods add to each other: exact looks for the words of a contributor as they stand (all of its parts), lemma for
    their dictionary forms in the same order, partial for contributors of which the aligner finds most content words in
    one sentence. learned weighs what speaks for a unit in all other texts instead (see `assay.pyramid.evidence`). `by`
    takes the marks of one annotator of the peers. A unit is suggested once, by the first method.
    """
    if method == LEARNED:
        return tuple(_suggest_by_evidence(pyramid, name, text, skip_copies, by))
    suggestions: dict[str, Suggestion] = {}
    steps = list_steps(method)
    sources = list(_contributors(pyramid, name, text, skip_copies, by))
    for step in steps:
        for unit, owner, parts in sources:
            if unit not in suggestions and (spans := find_words(text, parts, step)):
                suggestions[unit] = Suggestion(unit, spans, step, owner, " … ".join(parts))
    order = {unit.id: k for k, unit in enumerate(pyramid.units)}
    return tuple(sorted(suggestions.values(), key=lambda suggestion: order[suggestion.unit]))


def _suggest_by_evidence(
    pyramid: Pyramid, name: str, text: str, skip_copies: bool, by: str | None
) -> Iterable[Suggestion]:
    skipped = _copies(pyramid, name, text) if skip_copies else ()
    for unit, evidence in weigh_evidence(pyramid, name, text, skipped=skipped, by=by).items():
        if evidence.probability >= THRESHOLD:
            best = evidence.best
            yield Suggestion(unit, evidence.find_spans(text), LEARNED, best.owner, " … ".join(best.parts))


def annotate_automatically(pyramid: Pyramid, name: str, text: str, **options: object) -> PeerAnnotation:
    """Return suggestions as an annotation, to be scored like one made by hand."""
    suggestions = suggest_units(pyramid, name, text, **options)  # type: ignore[arg-type]
    return _as_annotation(name, suggestions, "auto")


def _as_annotation(name: str, suggestions: Iterable[Suggestion], annotator: str | None) -> PeerAnnotation:
    contributors = ((s.unit, Contributor(name, s.spans, comment=f"suggested: {s.method}")) for s in suggestions)
    return PeerAnnotation(name, tuple(PeerUnit(unit, (each,)) for unit, each in contributors), annotator)


def auto_pyramid(
    data: EvalSet | Iterable[Pyramid], *, method: str = "exact", skip_copies: bool = False, size: str = ROUNDING
) -> AutoPyramid:
    """Compare manual annotation with what contributors elsewhere in the topic suggest, peer by peer."""
    pyramids = read_pyramids(data)
    rows = [_compare(pyramid, peer, method, skip_copies, size) for pyramid in pyramids for peer in pyramid.peers]
    quality, copies = _quality(rows), sum(row.copy for row in rows)
    alone: tuple[SuggestionQuality, ...] = ()
    if copies and not skip_copies:
        peers = ((pyramid, peer) for pyramid in pyramids for peer in pyramid.peers)
        fair = [_compare(*peer, method, True, size) if row.copy else row for row, peer in zip(rows, peers, strict=True)]
        alone = (_quality(fair),)
    by_topic = _by_topic(rows)
    return AutoPyramid(
        method=method,
        size=size,
        skip_copies=skip_copies,
        topics=len(pyramids),
        peers=len(rows),
        copies=copies,
        suggested=quality.suggested,
        marked=quality.marked,
        precision=quality.precision,
        recall=quality.recall,
        pearson=quality.pearson,
        spearman=quality.spearman,
        within_topics=quality.within_topics,
        without_copies=alone,
        annotators=_by_annotator(by_topic),
        by_topic=by_topic,
        misses=tuple(miss for row in rows for miss in row.misses),
    )


def _quality(rows: Sequence[_Row]) -> SuggestionQuality:
    suggested, marked = (sum(len(getattr(row, name)) for row in rows) for name in ("suggested", "marked"))
    both = sum(len(row.suggested & row.marked) for row in rows)
    manual, automatic = ([getattr(row, name) for row in rows] for name in ("manual", "automatic"))
    with ignore_undefined():
        r, rho = (measure(manual, automatic) if len(rows) > 2 else float("nan") for measure in (pearson, spearman))
        within = pearson(*_center(rows)) if len(rows) > 2 else float("nan")
    precision, recall = (both / total if total else float("nan") for total in (suggested, marked))
    return SuggestionQuality(suggested, marked, precision, recall, r, rho, within)


def _center(rows: Sequence[_Row]) -> tuple[list[float], list[float]]:
    """Return manual and automatic scores less their means over the peers of a topic by one annotator."""
    means = {(row.item, row.annotator): row for row in _by_topic(rows)}
    of = [means[row.item, row.annotator] for row in rows]
    manual = [row.manual - mean.manual for row, mean in zip(rows, of, strict=True)]
    return manual, [row.automatic - mean.automatic for row, mean in zip(rows, of, strict=True)]


class _Row(NamedTuple):
    """One peer by one annotator."""

    item: str
    annotator: str | None
    manual: float
    automatic: float
    suggested: frozenset[str]
    marked: frozenset[str]
    copy: bool
    misses: tuple[MissedUnit, ...]


def _compare(pyramid: Pyramid, peer: PeerAnnotation, method: str, skip_copies: bool, size: str) -> _Row:
    text = (pyramid.peer_texts or {})[peer.peer]
    suggestions = suggest_units(pyramid, peer.peer, text, method=method, skip_copies=skip_copies, by=peer.annotator)
    automatic = _as_annotation(peer.peer, suggestions, peer.annotator)
    models = [model for model in pyramid.models if model != peer.peer]
    manual, machine = (score_against_models(each, pyramid, models, size=size) for each in (peer, automatic))
    marked = frozenset(peer.unit_ids)
    misses = tuple(
        MissedUnit(
            item=pyramid.item,
            peer=peer.peer,
            annotator=peer.annotator,
            unit=s.unit,
            label=pyramid.unit(s.unit).label,
            words=" … ".join(text[start:end] for start, end in s.spans),
            start=s.spans[0].start,
            method=s.method,
            contributor=s.contributor,
            contributor_words=s.contributor_words,
        )
        for s in suggestions
        if s.unit not in marked
    )
    suggested = frozenset(s.unit for s in suggestions)
    copy = bool(_copies(pyramid, peer.peer, text))
    return _Row(pyramid.item, peer.annotator, manual, machine, suggested, marked, copy, misses)


def _contributors(
    pyramid: Pyramid, name: str, text: str, skip_copies: bool, by: str | None
) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    """Yield unit, text and words of every contributor that does not stand in this text."""
    skipped = {name, *(_copies(pyramid, name, text) if skip_copies else ())}
    for unit in pyramid.units:
        for contributor in unit.contributors:
            if contributor.text not in skipped:
                yield unit.id, contributor.text, _parts(contributor, pyramid.models[contributor.text])
    for peer in pyramid.peers:
        if peer.peer in skipped or peer.annotator != by:
            continue
        words = (pyramid.peer_texts or {}).get(peer.peer, "")
        for marks in peer.units:
            for contributor in marks.contributors if marks.unit is not None else ():
                yield marks.unit or "", peer.peer, _parts(contributor, words)


def _copies(pyramid: Pyramid, name: str, text: str) -> set[str]:
    return {other for other, words in (pyramid.peer_texts or {}).items() if other != name and words == text}


def _parts(contributor: Contributor, text: str) -> tuple[str, ...]:
    return tuple(text[start:end].strip() for start, end in sorted(contributor.spans))


def _by_topic(rows: Sequence[_Row]) -> tuple[TopicDifference, ...]:
    groups: dict[tuple[str, str | None], list[_Row]] = {}
    for row in rows:
        groups.setdefault((row.item, row.annotator), []).append(row)
    differences = []
    for (item, annotator), group in groups.items():
        manual, automatic = (float(np.mean([getattr(row, n) for row in group])) for n in ("manual", "automatic"))
        differences.append(TopicDifference(item, annotator, len(group), manual, automatic, manual - automatic))
    return tuple(differences)


def _by_annotator(topics: Sequence[TopicDifference]) -> tuple[AnnotatorDifference, ...]:
    groups: dict[str | None, list[TopicDifference]] = {}
    for topic in topics:
        groups.setdefault(topic.annotator, []).append(topic)
    differences = []
    for name, group in groups.items():
        manual, automatic = (float(np.mean([getattr(t, n) for t in group])) for n in ("manual", "automatic"))
        differences.append(AnnotatorDifference(name, len(group), manual, automatic, manual - automatic))
    return tuple(differences)
