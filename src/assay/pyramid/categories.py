"""Scores by category of topics (Owczarzak and Dang 2011, Tables 6 and 7, Figure 1): which categories are easier.

Everything is computed on topic means, because the texts of one topic are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from ..data.content_units import Pyramid
from ..data.evalset import EvalSet
from ..errors import ignore_undefined
from ..stats import paired_test
from ..stats.analysis_of_variance import letter_groups, pairwise_anova, tukey
from .annotated import average_defined, score_topic

PYRAMID = "modified pyramid"
ALL = "all"  # a category, or a part, that has every topic
TEXTS = ("models", "systems")
_MIN_TOPICS = 2  # of a category that is compared with others


@dataclass(frozen=True)
class CategoryScore:
    """The mean score of one category over topics, with letters of pairwise ANOVA and of Tukey's test.

    Scores are means over the texts of a topic first: texts of one topic are not independent.
    """

    kind: ClassVar[str] = "category_score"
    part: str
    texts: str
    measure: str
    category: str
    topics: int
    score: float
    anova: str
    tukey: str


@dataclass(frozen=True)
class CategoryChange:
    """The mean score of one category under two conditions, on the topics that have both: a paired t test.

    `first` and `second` are initial and update summaries (of models, or of systems: `within`), or models and systems
    (within initial, or update summaries).
    """

    kind: ClassVar[str] = "category_change"
    first: str
    second: str
    within: str
    measure: str
    category: str
    topics: int
    first_score: float
    second_score: float
    pvalue: float


class TopicMean(NamedTuple):
    """The mean score of the models, or of the systems, of one topic; `topic` is the same for its update."""

    topic: str
    part: str
    category: str
    texts: str
    measure: str
    score: float


def average_topics(
    data: EvalSet, pyramids: Sequence[Pyramid], parts: dict[str, str], systems: Sequence[str], dimension: str | None
) -> list[TopicMean]:
    """Return the means of every topic by modified Pyramid, and by a judged dimension where one is named."""
    human = None if dimension is None else data.human(dimension)
    means = []
    for pyramid in pyramids:
        scores = score_topic(pyramid)
        for texts, names in zip(TEXTS, (set(pyramid.models), set(systems) - set(pyramid.models)), strict=True):
            cell = (
                _topic_of(pyramid.item, parts),
                parts[pyramid.item],
                category_of(pyramid, parts[pyramid.item]),
                texts,
            )
            means.append(TopicMean(*cell, PYRAMID, average_defined([t.modified for t in scores if t.text in names])))
            if human is not None and pyramid.item in human.items:
                column = human.items.index(pyramid.item)
                judged = [float(human.row(name)[column]) for name in names if name in human.systems]
                means.append(TopicMean(*cell, dimension or "", average_defined(judged)))
    return [mean for mean in means if not np.isnan(mean.score)]


def category_of(pyramid: Pyramid, part: str) -> str:
    """Return the category of a topic; the letter of its update set is none where it says which part the set is.

    >>> category_of(Pyramid("D1-B", {}, (), group="B"), "update"), category_of(Pyramid("D1-B", {}, (), group="B"), ALL)
    ('all', 'B')
    """
    group = pyramid.group or ALL
    return ALL if part != ALL and pyramid.item.endswith(f"-{group}") else group


def _topic_of(item: str, parts: dict[str, str]) -> str:
    return item if parts[item] == ALL else item[:-2]


def score_categories(means: Sequence[TopicMean]) -> Iterable[CategoryScore]:
    """Yield the mean of each category, highest first, by part, texts and measure, with letters."""
    for cell in dict.fromkeys((m.part, m.texts, m.measure) for m in means):
        topics: dict[str, list[float]] = {}
        for mean in means:
            if (mean.part, mean.texts, mean.measure) == cell:
                topics.setdefault(mean.category, []).append(mean.score)
        anova, by_tukey = _letters(list(topics.values()))
        rows = [
            CategoryScore(*cell, name, len(scores), float(np.mean(scores)), anova[k], by_tukey[k])
            for k, (name, scores) in enumerate(topics.items())
        ]
        yield from sorted(rows, key=lambda row: -row.score)


def _letters(groups: Sequence[Sequence[float]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters of pairwise ANOVA and of Tukey's test; none where a category has fewer than two topics."""
    if len(groups) < 2 or min(map(len, groups)) < _MIN_TOPICS:
        return ("",) * len(groups), ("",) * len(groups)
    means = [float(np.mean(group)) for group in groups]
    with ignore_undefined(), np.errstate(invalid="ignore", divide="ignore"):
        return letter_groups(means, pairwise_anova(groups)), letter_groups(means, tukey(groups).pvalue)


def compare_conditions(means: Sequence[TopicMean]) -> Iterable[CategoryChange]:
    """Yield initial against update summaries, then models against systems: all topics, then by category."""
    for texts in TEXTS:
        own = [(mean.part, mean) for mean in means if mean.texts == texts]
        yield from _compare("initial", "update", texts, own)
    for part in dict.fromkeys(mean.part for mean in means):
        own = [(mean.texts, mean) for mean in means if mean.part == part]
        yield from _compare(*TEXTS, part, own)


def _compare(first: str, second: str, within: str, means: Sequence[tuple[str, TopicMean]]) -> Iterable[CategoryChange]:
    names = list(dict.fromkeys(mean.category for _, mean in means))
    for measure in dict.fromkeys(mean.measure for _, mean in means):
        for category in [ALL, *names] if len(names) > 1 else names:
            own = [(side, m) for side, m in means if m.measure == measure and category in (ALL, m.category)]
            sides = [{m.topic: m.score for name, m in own if name == side} for side in (first, second)]
            topics = [topic for topic in sides[0] if topic in sides[1]]
            if topics:
                x, y = ([side[topic] for topic in topics] for side in sides)
                with ignore_undefined():
                    p = paired_test(x, y, test="t").pvalue
                scores = (float(np.mean(x)), float(np.mean(y)), p)
                yield CategoryChange(first, second, within, measure, category, len(topics), *scores)
