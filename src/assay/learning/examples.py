"""Examples: judged outputs as rows of features with a target, each in its topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..data.scores import Floats, Scores
from ..errors import InputError

MIN_TOPICS = 3
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Examples:
    """One row per output that people judged and every feature has a score for.

    Features are turned so that higher is better. `y` has one column per target, the first being the one to predict.
    `cell` says where a row stands in a table of systems x items; `left_out` counts the judged outputs that some feature
    has no score for.
    """

    x: Floats
    y: Floats
    topic: Integers
    cell: tuple[Integers, Integers]
    features: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    items: tuple[str, ...]
    target: str
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.x)

    def rows(self, among: NDArray[np.bool_]) -> Examples:
        """Return only these rows; topics keep their numbers."""
        cell = (self.cell[0][among], self.cell[1][among])
        return replace(self, x=self.x[among], y=self.y[among], topic=self.topic[among], cell=cell)

    def columns(self, features: Sequence[int]) -> Examples:
        """Return only these features."""
        columns = list(features)
        return replace(self, x=self.x[:, columns], features=tuple(self.features[i] for i in columns))

    def table(self, values: Floats) -> Floats:
        """Return one number per row as systems x items, NaN elsewhere."""
        table = np.full((len(self.systems), len(self.items)), np.nan)
        table[self.cell] = values
        return table


def examples(features: Sequence[Scores], targets: Sequence[Scores], *, topics: Sequence[str] | None = None) -> Examples:
    """Make rows of scores and judgments; all are systems x items in the same order.

    `topics` names the topic of each item (the item itself if not given). Fewer than three topics, a feature without a
    score anywhere and targets that are the same within every topic are errors: nothing can be learned from them.

    >>> ids = (("A", "B"), ("1", "2", "3"))
    >>> human = Scores(np.array([[1.0, 2, 3], [3, 2, 1]]), *ids, name="pyramid")
    >>> metric = Scores(np.array([[0.1, 0.2, np.nan], [0.3, 0.2, 0.1]]), *ids, name="rouge1")
    >>> rows = examples([metric], [human])
    >>> len(rows), rows.left_out, rows.topic.tolist()
    (5, 1, [0, 1, 0, 1, 2])
    """
    if not features:
        raise InputError("there is no feature to learn from: give at least one metric or column of scores")
    human = targets[0]
    names = list(human.items) if topics is None else list(topics)
    known = tuple(dict.fromkeys(names))
    judged = np.asarray(~np.isnan(np.stack([t.values for t in targets])).any(axis=0))
    if not judged.any():
        raise InputError(f"no output was judged for {human.name!r}")
    for scores in (*targets[1:], *features):
        if (scores.systems, scores.items) != (human.systems, human.items):
            raise InputError(f"scores {scores.name!r} are of other systems or items than the judgments")
    for scores in features:
        _refuse_undefined(scores, judged)
    x = np.stack([s.values if s.higher_is_better else -s.values for s in features], axis=-1)
    there = judged & ~np.isnan(x).any(axis=-1)
    cell = np.nonzero(there)
    number = {name: i for i, name in enumerate(known)}
    rows = Examples(
        x=x[there],
        y=np.stack([t.values for t in targets], axis=-1)[there],
        topic=np.array([number[names[i]] for i in cell[1]], dtype=np.int64),
        cell=(cell[0].astype(np.int64), cell[1].astype(np.int64)),
        features=tuple(s.name for s in features),
        topics=known,
        systems=human.systems,
        items=human.items,
        target=human.name,
        left_out=int(judged.sum() - there.sum()),
    )
    _refuse_useless(rows)
    return rows


def _refuse_undefined(scores: Scores, judged: NDArray[np.bool_]) -> None:
    values = scores.values[judged]
    if np.isnan(values).all():
        raise InputError(
            f"feature {scores.name!r} has no score (NaN) for any of the {len(values)} judged outputs: leave it out, or "
            "give what it needs (references, sources, or scores under the same systems and items)"
        )
    if np.isinf(values).any():
        raise InputError(f"feature {scores.name!r} has infinite scores; mark missing ones as NaN")


def _refuse_useless(rows: Examples) -> None:
    topics = len(np.unique(rows.topic))
    if topics < MIN_TOPICS:
        raise InputError(
            f"judged outputs of {topics} topic{'s' * (topics != 1)} are too few to learn from: each topic is left out "
            f"once to test on, and at least {MIN_TOPICS} are needed"
        )
    if not np.abs(center_by_topic(rows.y[:, 0], rows.topic)).max() > 0:
        raise InputError(
            f"the judgments of {rows.target!r} are constant within every topic: there is nothing to learn from them"
        )


def center_by_topic(values: Floats, topic: Integers) -> Floats:
    """Return the values less their topic's mean; one column or several.

    >>> center_by_topic(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 1])).tolist()
    [-1.0, 1.0, 0.0]
    """
    width = int(topic.max()) + 1
    counts = np.maximum(np.bincount(topic, minlength=width), 1)
    flat = values.reshape(len(values), -1)
    means = np.stack([np.bincount(topic, column, minlength=width) / counts for column in flat.T], axis=-1)
    moved: Floats = (flat - means[topic]).reshape(values.shape)
    return moved
