"""What is in pyramids and who states it (Owczarzak and Dang 2011): weights, categories and aspects of content units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..data.content_units import ContentUnit, Pyramid
from ..data.evalset import EvalSet
from ..data.result import Result
from ..errors import InputError, UnknownName, ignore_undefined
from ..matching.content_scores import PyramidCounts, modified_score, original_score
from .annotated import average_defined, read_pyramids, score_topic
from .categories import (
    ALL,
    PYRAMID,
    CategoryChange,
    CategoryScore,
    average_topics,
    category_of,
    compare_conditions,
    score_categories,
)

# Categories and aspects of TAC 2010 (Table 1), in the order in which its files number them: 2.3 is "where" of Attacks.
GUIDED: Mapping[str, tuple[str, ...]] = {
    "Accidents": ("what", "when", "where", "why", "who affected", "damages", "countermeasures"),
    "Attacks": ("what", "when", "where", "perpetrators", "why", "who affected", "damages", "countermeasures"),
    "Health": ("what", "who affected", "how", "why", "countermeasures"),
    "Resources": ("what", "importance", "threats", "countermeasures"),
    "Trials": ("who", "who investigating", "why", "charges", "plead", "sentence"),
}
OTHER = "other"
FORMS = ("original", "modified")  # of the score within an aspect
Scheme = Mapping[str, Sequence[str]]
_CODE = re.compile(r"([0-9]+)\.([0-9]+)")
_PART = re.compile(r"-([AB])$")


@dataclass(frozen=True)
class WeightCount:
    """Units of one weight: mean number in a pyramid and their share, and mean number that a system states.

    The category `ALL` has the topics of all categories (Table 3), the others one each (Table 4).
    """

    kind: ClassVar[str] = "weight_count"
    part: str
    category: str
    weight: int
    pyramids: float
    share: float
    systems: float


@dataclass(frozen=True)
class AspectCount:
    """Units of one aspect: mean number and weight in pyramids, and of those that systems state.

    `partial` is the mean partial score of the systems: the weight they find by the best weight of as many units, among
    the units of the aspect.
    """

    kind: ClassVar[str] = "aspect_count"
    part: str
    category: str
    aspect: str
    topics: int
    pyramid_units: float
    pyramid_weight: float
    system_units: float
    system_weight: float
    partial: float


@dataclass(frozen=True)
class GuidedAnalysis(Result, question="guided", kind="guided"):
    """Pyramids by weight, aspect and category; `systems` are those looked at, the best by `measure`."""

    topics: int
    models: int
    measure: str
    systems: tuple[str, ...]
    weights: tuple[WeightCount, ...]
    aspects: tuple[AspectCount, ...]
    categories: tuple[CategoryScore, ...]
    changes: tuple[CategoryChange, ...]


@dataclass(frozen=True)
class AspectScore:
    """The partial score of one system on one aspect, mean over the topics that have units of it."""

    kind: ClassVar[str] = "aspect_score"
    part: str
    category: str
    aspect: str
    topics: int
    score: float


@dataclass(frozen=True)
class AspectScores(Result, question="guided", kind="aspect_scores", shared=("system",)):
    """The partial scores of one system (Table 8), best first; `form` is the original or modified Pyramid score."""

    system: str
    form: str
    aspects: tuple[AspectScore, ...]


def analyze_units(
    data: EvalSet, *, top: int = 15, dimension: str | None = None, scheme: Scheme = GUIDED
) -> GuidedAnalysis:
    """Count units by weight, category and aspect, in pyramids and in the best `top` systems.

    Systems are ranked by the mean of a judged dimension on initial summaries where one is given, else by their modified
    Pyramid score. Items with ids that end in -A and -B are initial and update summaries; the group of an item is its
    category.
    """
    pyramids = read_pyramids(data)
    parts = name_parts(pyramids)
    systems = tuple(_rank_systems(data, pyramids, parts, dimension)[:top])
    if not systems:
        raise InputError("no system was annotated: there is nothing to compare with the pyramids")
    topics = [_Topic(p, parts[p.item], category_of(p, parts[p.item]), systems, scheme) for p in pyramids]
    cells = list(dict.fromkeys((topic.part, topic.category) for topic in topics))
    totals = [(part, ALL) for part in dict.fromkeys(parts.values()) if len({c for p, c in cells if p == part}) > 1]
    means = average_topics(data, pyramids, parts, systems, dimension)
    return GuidedAnalysis(
        topics=len(pyramids),
        models=max(len(p.models) for p in pyramids),
        measure=dimension or PYRAMID,
        systems=systems,
        weights=tuple(row for cell in (*totals, *cells) for row in _count_weights(cell, topics)),
        aspects=tuple(row for cell in cells for row in _count_aspects(cell, topics, scheme)),
        categories=tuple(score_categories(means)),
        changes=tuple(compare_conditions(means)),
    )


def aspect_scores(data: EvalSet, system: str, *, scheme: Scheme = GUIDED, form: str = "original") -> AspectScores:
    """Return the partial Pyramid scores of one system by category and aspect.

    original divides the weight found by the best weight of as many units of the aspect, so that one top unit of seven
    is 1.00; modified by that of as many as a model has on average. The modified form fits Table 8, where the one score
    of 1 is called an outlier of a single unit and the next is .66.
    """
    if form not in FORMS:
        raise UnknownName("form", form, FORMS, hint=f"(there are {', '.join(FORMS)})")
    pyramids = read_pyramids(data)
    parts = name_parts(pyramids)
    topics = [_Topic(p, parts[p.item], category_of(p, parts[p.item]), (system,), scheme) for p in pyramids]
    if not any(topic.annotated for topic in topics):
        raise InputError(f"system {system!r} was not annotated")
    cells: dict[tuple[str, str, str], list[float]] = {}
    for topic in topics:
        for aspect in topic.aspects if topic.annotated else ():
            cells.setdefault((topic.part, topic.category, aspect), []).append(topic.partial_score(system, aspect, form))
    rows = [AspectScore(*cell, len(scores), float(np.mean(scores))) for cell, scores in cells.items()]
    return AspectScores(system, form, tuple(sorted(rows, key=lambda row: (row.part, -row.score))))


def name_parts(pyramids: Iterable[Pyramid]) -> dict[str, str]:
    """Return for each item whether it is an initial or an update summary, if the ids of all items say so."""
    names = {pyramid.item: _PART.search(pyramid.item) for pyramid in pyramids}
    if not all(names.values()):
        return dict.fromkeys(names, ALL)
    return {item: {"A": "initial", "B": "update"}[match[1]] for item, match in names.items() if match}


def name_aspects(unit: ContentUnit, scheme: Scheme = GUIDED) -> tuple[str, ...]:
    """Return the aspects of a unit, with the numbers of TAC's files as names; other if it has none.

    >>> from assay.data.content_units import ContentUnit
    >>> name_aspects(ContentUnit("1", "bomb (2.1)", (), ("2.1", "2.4"))), name_aspects(ContentUnit("2", "", ()))
    (('what', 'perpetrators'), ('other',))
    """
    tables = list(scheme.values())
    names = []
    for aspect in unit.aspects:
        code = _CODE.fullmatch(aspect)
        category, place = (int(code[1]) - 1, int(code[2]) - 1) if code else (-1, -1)
        known = code and 0 <= category < len(tables) and 0 <= place < len(tables[category])
        names.append(tables[category][place] if known else OTHER if code else aspect)
    return tuple(dict.fromkeys(names)) or (OTHER,)


class _Topic:
    """One topic: its units by aspect and weight, and what each system states."""

    def __init__(self, pyramid: Pyramid, part: str, category: str, systems: Sequence[str], scheme: Scheme) -> None:
        self.pyramid, self.part, self.category = pyramid, part, category
        self.weights = pyramid.weights()
        self.aspects: dict[str, list[str]] = {}
        for unit in pyramid.units:
            for aspect in name_aspects(unit, scheme):
                self.aspects.setdefault(aspect, []).append(unit.id)
        self.annotated: dict[str, list[tuple[str, ...]]] = {}
        for peer in pyramid.peers:
            if peer.peer in systems:
                self.annotated.setdefault(peer.peer, []).append(peer.unit_ids)

    def units_stated(self, units: Iterable[str]) -> list[list[str]]:
        """Return which of these units each system states, a list for each annotated text."""
        wanted = set(units)
        return [[u for u in ids if u in wanted] for texts in self.annotated.values() for ids in texts]

    def partial_score(self, system: str, aspect: str, form: str = "original") -> float:
        """Return the weight found by the best weight of as many units of the aspect; the mean over annotators.

        In the modified form, of as many units of the aspect as a model has on average.
        """
        weights = tuple(sorted((self.weights[unit] for unit in self.aspects[aspect]), reverse=True))
        scores = []
        for ids in self.annotated.get(system, []):
            own = [self.weights[unit] for unit in ids if unit in self.aspects[aspect]]
            counts = PyramidCounts(sum(own), len(own), weights, sum(weights) / len(self.pyramid.models))
            scores.append(modified_score(counts) if form == "modified" else original_score(counts))
        return average_defined(scores)


def _rank_systems(
    data: EvalSet, pyramids: Sequence[Pyramid], parts: Mapping[str, str], dimension: str | None
) -> list[str]:
    """Return the annotated systems, the best on initial summaries first; people are not among them."""
    first = [p for p in pyramids if parts[p.item] != "update"]
    names = dict.fromkeys(peer.peer for p in pyramids for peer in p.peers if peer.peer not in p.models)
    if dimension is not None:
        human = data.human(dimension)
        columns = [human.items.index(p.item) for p in first if p.item in human.items]
        with ignore_undefined():
            means = {s: average_defined(human.row(s)[columns].tolist()) for s in names}
        sign = 1 if human.higher_is_better else -1
    else:
        scores = [text for p in first for text in score_topic(p)]
        means, sign = {s: average_defined([t.modified for t in scores if t.text == s]) for s in names}, 1
    return sorted(names, key=lambda s: np.inf if np.isnan(means[s]) else -sign * means[s])


def _count_weights(cell: tuple[str, str], topics: Sequence[_Topic]) -> list[WeightCount]:
    own = [topic for topic in topics if topic.part == cell[0] and cell[1] in (ALL, topic.category)]
    most = max(len(topic.pyramid.models) for topic in own)
    total = sum(len(topic.weights) for topic in own)
    rows = []
    for weight in range(most, 0, -1):
        units = [[u for u, w in topic.weights.items() if w == weight] for topic in own]
        stated = [len(ids) for topic, group in zip(own, units, strict=True) for ids in topic.units_stated(group)]
        count = sum(map(len, units))
        share = count / total if total else float("nan")
        rows.append(WeightCount(*cell, weight, count / len(own), share, average_defined(stated)))
    return rows


def _count_aspects(cell: tuple[str, str], topics: Sequence[_Topic], scheme: Scheme) -> list[AspectCount]:
    own = [topic for topic in topics if (topic.part, topic.category) == cell]
    rows = []
    order = {aspect: k for k, aspect in enumerate(scheme.get(cell[1], ()))} | {OTHER: np.inf}
    aspects = dict.fromkeys(aspect for topic in own for aspect in topic.aspects)
    for aspect in sorted(aspects, key=lambda aspect: order.get(aspect, len(order))):
        units = [topic.aspects.get(aspect, []) for topic in own]
        weights = [topic.weights[u] for topic, group in zip(own, units, strict=True) for u in group]
        stated = [(topic, ids) for topic, group in zip(own, units, strict=True) for ids in topic.units_stated(group)]
        found_weights = [topic.weights[u] for topic, ids in stated for u in ids]
        partial = [t.partial_score(s, aspect) for t in own if aspect in t.aspects for s in t.annotated]
        rows.append(
            AspectCount(
                *cell,
                aspect,
                topics=sum(map(bool, units)),
                pyramid_units=len(weights) / len(own),
                pyramid_weight=average_defined(weights),
                system_units=average_defined([len(ids) for _, ids in stated]),
                system_weight=average_defined(found_weights),
                partial=average_defined(partial),
            )
        )
    return rows
