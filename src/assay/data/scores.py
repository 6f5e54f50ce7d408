"""Scores: the numbers that a metric or people gave each system's output for each item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AlignmentError, InputError, UnknownName
from .columns import UniqueNames
from .copies import SystemCopy
from .item import KINDS
from .ratings import Ratings
from .result import Result
from .sequences import preview

Floats = NDArray[np.float64]
Finish = Callable[[Floats], Floats]  # rows of summed statistics to one score each


@dataclass(frozen=True, eq=False)
class CorpusStatistics:
    """The statistics behind a corpus score: systems x items x columns that add up over items.

    `finish` turns rows of summed columns into scores, so that any subset or resample of items can be scored anew. NaN
    where a system has no score for an item.
    """

    rows: Floats
    finish: Finish

    def scores(self) -> Floats:
        """Return the corpus score of each system, NaN for a system without items."""
        present: NDArray[np.bool_] = np.asarray(~np.isnan(self.rows).any(axis=2))
        sums = np.where(present[:, :, None], self.rows, 0.0).sum(axis=1)
        scores: Floats = np.where(present.any(axis=1), self.finish(sums), np.nan)
        return scores

    def select(self, systems: Sequence[int], items: Sequence[int]) -> CorpusStatistics:
        """Return the statistics of these systems and items, by their positions."""
        return CorpusStatistics(self.rows[np.ix_(systems, items)], self.finish)


def name_scores(scores: Any, function: str) -> dict[str, Scores]:
    """Return scores by metric, each with that name; anything else is refused, with the call that makes scores of it.

    >>> name_scores([0.5, 1.0], "compare")
    Traceback (most recent call last):
    assay.errors.InputError: compare takes Scores, and got list [0.5, 1.0]; give assay.score(assay.read(data), metric)
    """
    if isinstance(scores, Scores):
        return {scores.name: scores}
    if not isinstance(scores, Mapping) or not all(isinstance(own, Scores) for own in scores.values()):
        raise InputError(
            f"{function} takes Scores, and got {preview(scores)}; give assay.score(assay.read(data), metric)"
        )
    return {name: replace(own, name=name) for name, own in scores.items()}


@dataclass(frozen=True, eq=False)
class Scores(Result, question="scores", kind="scores"):
    """Systems x items, NaN where there is no score.

    `corpus` holds one score per system where the metric has its own corpus score (corpus BLEU);
    elsewhere a system's score is the mean of its items; `statistics` are what such a score is made of, where they are
    known. `people` are the rows that are people and not systems, `leaked` the systems that repeat references, `copies`
    those with the same texts as another row.
    `undirected`: by its name lower may be better, and no one stated it. `ratings` returns what human scores are the
    means of, of these and maybe more systems and items.
    `clusters` names what each item was drawn with (None: each item is its own cluster), `runs` which repeat of the same
    input it is (None: there are no repeats).

    >>> s = Scores(np.array([[0.5, 1.0], [0.0, np.nan]]), ("A", "B"), ("1", "2"), name="rouge1")
    >>> s.means().tolist(), s.counts().tolist()
    ([0.75, 0.0], [2, 1])
    """

    values: Floats
    systems: tuple[str, ...]
    items: tuple[str, ...]
    name: str
    signature: str = ""
    higher_is_better: bool = True
    corpus: Floats | None = field(default=None)
    people: tuple[str, ...] = ()
    statistics: CorpusStatistics | None = None
    undirected: bool = False
    leaked: tuple[str, ...] = ()
    ratings: Callable[[], Ratings] | None = field(default=None, repr=False)
    clusters: tuple[str, ...] | None = None
    runs: tuple[str | None, ...] | None = None
    copies: tuple[SystemCopy, ...] = ()

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.items))
        if self.values.shape != shape:
            raise InputError(f"scores {self.name!r} must be systems x items, {shape}; got {self.values.shape}")
        if self.corpus is not None and self.corpus.shape != shape[:1]:
            raise InputError(f"scores {self.name!r} need one corpus score per system; got {self.corpus.shape}")
        if self.statistics is not None and self.statistics.rows.shape[:2] != shape:
            raise InputError(f"scores {self.name!r} need statistics of systems x items, {shape}")
        for what, labels in (("cluster", self.clusters), ("run", self.runs)):
            if labels is not None and len(labels) != len(self.items):
                raise InputError(f"scores {self.name!r} need a {what} for each of {shape[1]} items; got {len(labels)}")
        for kind, names in (("system", self.systems), ("item", self.items)):
            if not isinstance(names, UniqueNames) and len(set(names)) < len(names):
                name = next(name for name, n in Counter(names).items() if n > 1)
                raise AlignmentError(f"scores {self.name!r} have {kind} {name!r} twice: ids must be unique")

    @property
    def judges(self) -> str:
        """The kind of those whose judgments these are: human, llm, metric or mixed; empty for what was computed."""
        kind = self.signature.partition("(")[0]
        return kind if kind in KINDS else ""

    def means(self) -> Floats:
        """Return one score per system: the metric's corpus score, or the mean over the items that have one."""
        if self.corpus is not None:
            return self.corpus
        counts = self.counts()
        sums = np.nansum(self.values, axis=1)
        means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
        return means

    def counts(self) -> NDArray[np.int64]:
        """Count the items of each system that have a score."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1), dtype=np.int64)

    def row(self, system: str) -> Floats:
        """Return the item scores of one system."""
        row: Floats = self.values[_positions("system", self.systems, [system])[0]]
        return row

    def select(self, systems: Sequence[str] | None = None, items: Sequence[str] | None = None) -> Scores:
        """Return the scores of these systems and items only, in this order.

        Corpus scores belong to the items they were computed over: when the items change they are computed anew from the
        statistics, or dropped where there are none.
        """
        rows = _positions("system", self.systems, systems)
        columns = _positions("item", self.items, items)
        statistics = None if self.statistics is None else self.statistics.select(rows, columns)
        whole = len(columns) == len(self.items)
        corpus = self.corpus[rows] if self.corpus is not None and whole else None
        return Scores(
            self.values[np.ix_(rows, columns)],
            tuple(self.systems[r] for r in rows),
            tuple(self.items[c] for c in columns),
            name=self.name,
            signature=self.signature,
            higher_is_better=self.higher_is_better,
            corpus=statistics.scores() if corpus is None and statistics is not None else corpus,
            people=tuple(p for p in self.people if systems is None or p in systems),
            statistics=statistics,
            undirected=self.undirected,
            leaked=tuple(s for s in self.leaked if systems is None or s in systems),
            ratings=self.ratings,
            clusters=None if self.clusters is None else tuple(self.clusters[c] for c in columns),
            runs=None if self.runs is None else tuple(self.runs[c] for c in columns),
            copies=tuple(c for c in self.copies if systems is None or {c.system, c.original} <= set(systems)),
        )

    def records(self) -> list[dict[str, Any]]:
        """List metric, system, item and score wherever there is a score."""
        metric = self.signature or self.name
        return [{"kind": "item_score", "metric": metric, **row} for row in self.rows()]

    def rows(self) -> list[dict[str, Any]]:
        """List system, item and score: the rows of a data frame; `.pivot("system", "item", "score")` makes it wide."""
        rows, columns = np.nonzero(~np.isnan(self.values))
        return [
            {"system": self.systems[r], "item": self.items[c], "score": float(self.values[r, c])}
            for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
        ]

    def __repr__(self) -> str:
        return f"Scores({self.name!r}, {len(self.systems)} systems x {len(self.items)} items)"


def _positions(kind: str, names: Sequence[str], selection: Sequence[str] | None) -> list[int]:
    """Return where the selected names are; all of them for None."""
    if selection is None:
        return list(range(len(names)))
    place = {name: i for i, name in enumerate(names)}
    for name in selection:
        if name not in place:
            raise UnknownName(kind, name, names)
    return [place[name] for name in selection]
