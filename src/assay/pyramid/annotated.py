"""Scores of annotated sets: original and modified Pyramid, and the three scores that DucView prints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from ..data.content_units import DIMENSION, WEIGHTS, PeerAnnotation, PeerUnit, Pyramid, read_pyramid
from ..data.evalset import EvalSet
from ..data.item import Item, Judgment
from ..data.result import Result
from ..errors import InputError, UnknownName
from ..matching.batch import Batch
from ..matching.content_bags import count_units
from ..matching.content_scores import ROUNDING, ROUNDINGS, WEIGHT, PyramidCounts, modified_score, original_score

ANNOTATOR = "annotator"  # who is not named


class UnitCounts(NamedTuple):
    """What is counted in one text: units of the pyramid, those said again, those outside it, and their weight."""

    units: int
    repeats: int
    others: int
    weight: int


class TextPyramid(NamedTuple):
    """The scores of one text of one topic by one annotator; see `score_annotated`."""

    item: str
    text: str
    annotator: str | None
    counts: UnitCounts
    original: float
    modified: float
    quality: float
    coverage: float
    comprehensive: float
    upper_bound: bool


@dataclass(frozen=True)
class SystemPyramid:
    """The mean scores of a system over topics; a system is a peer, or a model scored against the other models."""

    kind: ClassVar[str] = "system_pyramid"
    system: str
    model: bool
    topics: int
    original: float
    modified: float
    quality: float
    coverage: float
    comprehensive: float


@dataclass(frozen=True)
class AnnotatedScores(Result, question="pyramid", kind="annotated_scores"):
    """The Pyramid scores of every system of an annotated set.

    `upper_bounds` counts texts in which units outside the pyramid were not marked: their original score is too high.
    `weight` and `size` are the choices made: what a unit weighs, and how a mean number of units is made whole.
    """

    topics: int
    units: int
    annotators: tuple[str, ...]
    weight: str
    size: str
    upper_bounds: int
    systems: tuple[SystemPyramid, ...]


def read_pyramids(data: EvalSet | Iterable[Pyramid]) -> tuple[Pyramid, ...]:
    """Return the pyramids of an annotated set; items without one are left out, none at all is an error."""
    read = map(read_pyramid, data) if isinstance(data, EvalSet) else data
    pyramids = tuple(pyramid for pyramid in read if pyramid is not None)
    if not pyramids:
        raise InputError("no item has content units: annotate the set first, or give DucView's files")
    return pyramids


def score_annotated(
    data: EvalSet | Iterable[Pyramid], *, weight: str = WEIGHT, size: str = ROUNDING
) -> AnnotatedScores:
    """Score all peers, and each model against the others; a topic marked by several annotators counts their mean.

    original: weight found / best weight of as many units as the text has (those outside the pyramid too). modified:
    weight found / best weight of as many units as a model has on average. DUCView's: quality is the original with
    units said again counted again, coverage the modified but at most 1, comprehensive their harmonic mean; all follow
    `weight` and `size`, which are DUCView's by default (contributors, half rounded up).
    """
    pyramids = read_pyramids(data)
    texts = [text for pyramid in pyramids for text in score_topic(pyramid, weight=weight, size=size)]
    models = {name for pyramid in pyramids for name in pyramid.models}
    names = dict.fromkeys(text.text for text in sorted(texts, key=lambda text: text.text in models))
    return AnnotatedScores(
        topics=len(pyramids),
        units=sum(len(pyramid.units) for pyramid in pyramids),
        annotators=tuple(dict.fromkeys(text.annotator for text in texts if text.annotator is not None)),
        weight=weight,
        size=size,
        upper_bounds=sum(text.upper_bound for text in texts),
        systems=tuple(_mean_scores(name, name in models, [t for t in texts if t.text == name]) for name in names),
    )


def score_topic(pyramid: Pyramid, *, weight: str = WEIGHT, size: str = ROUNDING) -> list[TextPyramid]:
    """Score the peers of one topic by each annotator, and its models against each other."""
    _check_choices(weight, size)
    scores = [
        _score_text(pyramid, peer, tuple(pyramid.models), weight, size)
        for peer in pyramid.peers
        if peer.peer not in pyramid.models
    ]
    for name in pyramid.models if len(pyramid.models) > 1 else ():
        others = tuple(model for model in pyramid.models if model != name)
        scores.append(_score_text(pyramid, model_annotation(pyramid, name), others, weight, size))
    return scores


def model_annotation(pyramid: Pyramid, model: str) -> PeerAnnotation:
    """Return a model as if it were a peer: what it states is known from the pyramid itself."""
    units = tuple(
        PeerUnit(unit.id, tuple(c for c in unit.contributors if c.text == model))
        for unit in pyramid.units
        if model in unit.models
    )
    return PeerAnnotation(model, units, exhaustive=True)


def add_judgments(data: EvalSet, *, weight: str = WEIGHT, size: str = ROUNDING) -> EvalSet:
    """Return the set with modified Pyramid scores as judgments by their annotators, in the dimension pyramid.

    So the questions about raters and metrics can be asked about annotators of units: their agreement, how consistent
    each is on texts that occur twice, and what changes without one of them.
    """
    items = []
    for item in data:
        others = tuple(judgment for judgment in item.judgments if judgment.dimension != DIMENSION)
        items.append(replace(item, judgments=(*others, *_judge(item, weight, size))))
    return EvalSet(items, allow_missing=data.allow_missing, people=data.people)


def _judge(item: Item, weight: str, size: str) -> Iterable[Judgment]:
    """Yield the scores of the outputs that were annotated, with spans or as plain marks."""
    pyramid = read_pyramid(item)
    if pyramid is not None:
        for text in score_topic(pyramid, weight=weight, size=size):
            if text.text in item.outputs and text.text not in pyramid.models and not math.isnan(text.modified):
                yield Judgment(text.text, text.annotator or ANNOTATOR, DIMENSION, text.modified)
    elif item.extra.get("present"):
        rater = item.extra.get("annotator") or ANNOTATOR
        batch = Batch(EvalSet([item]))
        for output in count_units(batch):
            score = modified_score(output.counts, size)
            if not math.isnan(score):
                yield Judgment(batch.keys[output.output][1], str(rater), DIMENSION, score)


def carries_spans(data: EvalSet) -> bool:
    """Check if the set has content units with the places where texts state them."""
    return any(read_pyramid(item) is not None for item in data)


def _check_choices(weight: str, size: str) -> None:
    for what, value, choices in (("weight", weight, WEIGHTS), ("size", size, tuple(ROUNDINGS))):
        if value not in choices:
            raise UnknownName(what, value, choices, hint=f"(there are {', '.join(choices)})")


def count_marks(annotation: PeerAnnotation, weights: dict[str, int]) -> UnitCounts:
    """Count the units of a text; what is not among the weights counts as outside the pyramid."""
    inside = [unit for unit in annotation.unit_ids if unit in weights]
    outside = len(annotation.unit_ids) - len(inside) + annotation.other_units
    return UnitCounts(len(inside), annotation.repeats, outside, sum(weights[unit] for unit in inside))


def score_against_models(
    annotation: PeerAnnotation, pyramid: Pyramid, models: Sequence[str], *, weight: str = WEIGHT, size: str = ROUNDING
) -> float:
    """Return the modified score of a text against the pyramid of these models."""
    return _score_text(pyramid, annotation, tuple(models), weight, size).modified


def _score_text(
    pyramid: Pyramid, annotation: PeerAnnotation, models: Sequence[str], weight: str, size: str
) -> TextPyramid:
    counts, parts = _count(pyramid, annotation, models, weight)
    # DUCView counts a unit that is said again again, and no coverage above 1.
    quality = original_score(parts._replace(units=parts.units + counts.repeats))
    modified = modified_score(parts, size)
    coverage = min(modified, 1.0)  # in this order NaN stays NaN
    return TextPyramid(
        item=pyramid.item,
        text=annotation.peer,
        annotator=annotation.annotator,
        counts=counts,
        original=original_score(parts),
        modified=modified,
        quality=quality,
        coverage=coverage,
        comprehensive=2 * quality * coverage / (quality + coverage) if quality + coverage else 0.0,
        upper_bound=not annotation.exhaustive,
    )


def _count(
    pyramid: Pyramid, annotation: PeerAnnotation, models: Sequence[str], weight: str
) -> tuple[UnitCounts, PyramidCounts]:
    weights = pyramid.weights(weight, models=models)
    counts = count_marks(annotation, weights)
    ordered = tuple(sorted(weights.values(), reverse=True))
    return counts, PyramidCounts(counts.weight, counts.units + counts.others, ordered, sum(ordered) / len(models))


def _mean_scores(name: str, model: bool, texts: Sequence[TextPyramid]) -> SystemPyramid:
    """Return means over topics; where several annotators marked a topic, their mean counts once."""
    topics: dict[str, list[TextPyramid]] = {}
    for text in texts:
        topics.setdefault(text.item, []).append(text)
    measures = ("original", "modified", "quality", "coverage", "comprehensive")
    means = {
        measure: average_defined([average_defined([getattr(t, measure) for t in each]) for each in topics.values()])
        for measure in measures
    }
    return SystemPyramid(name, model, len(topics), **means)


def average_defined(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN without any."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan
