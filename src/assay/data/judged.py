"""Judged items: who judged what, on which scales, and the means, ratings and rankings made of the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, UnknownName
from .item import Item, Judgment
from .ratings import Ratings, check_magnitudes, join_kinds
from .scale import Scale, holds_ranks, read_scales, suggests_lower
from .scores import Floats, Scores

if TYPE_CHECKING:
    from .assessor import Assessor
    from .rankings import Rankings


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The judgments of items. `kind` is that of the assessors who count as raters; `clusters` and `runs` are by item.

    >>> item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "ann", "fluency", 4.0),))
    >>> judged = JudgedItems((item,), ("1",), ("A",), "human")
    >>> judged.raters, judged.human("fluency").values.tolist()
    (('ann',), [[4.0]])
    """

    items: Sequence[Item]
    ids: tuple[str, ...]
    systems: tuple[str, ...]
    kind: str
    clusters: tuple[str, ...] | None = None
    runs: tuple[str | None, ...] | None = None

    @cached_property
    def assessors(self) -> tuple[Assessor, ...]:
        """Who judged, with their kind (human, llm or metric), in the order they first appear."""
        from .assessor import list_assessors

        return list_assessors(self.items)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The assessors of the kind that counts."""
        return tuple(name for name, kind in self.assessors if kind == self.kind)

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """What raters judged, in the order it first appears."""
        if len(self.raters) == len(self.assessors):
            return self.all_dimensions
        raters = frozenset(self.raters)
        return tuple(dict.fromkeys(j.dimension for j in self._judgments() if j.rater in raters))

    @cached_property
    def all_dimensions(self) -> tuple[str, ...]:
        """What was judged by anybody: people, language models or metrics."""
        return tuple(dict.fromkeys(map(itemgetter(2), self._judgments())))

    def count_kinds(self) -> dict[str, int]:
        """Count the assessors of each kind; those of whom no kind is stated are under "unknown"."""
        kinds = dict.fromkeys((j.rater, j.kind) for j in self._judgments())
        stated = {rater: kind for rater, kind in kinds if kind is not None}
        return dict(Counter(stated.get(rater, "unknown") for rater in dict.fromkeys(rater for rater, _ in kinds)))

    def _judgments(self) -> Iterator[Judgment]:
        return chain.from_iterable([item.judgments for item in self.items])

    def check_dimension(self, dimension: str) -> None:
        """Raise unless raters judged this dimension; the error says who did."""
        if dimension in self.dimensions:
            return
        raters = {j.rater for j in self._judgments() if j.dimension == dimension}
        if not raters:
            hint = f"(judged: {', '.join(self.dimensions)})" if self.dimensions else ""
            raise UnknownName("dimension", dimension, self.dimensions, hint=hint)
        others = ", ".join(f"{name} ({kind})" for name, kind in self.assessors if name in raters)
        kind = next(kind for name, kind in self.assessors if name in raters)
        who = "person" if self.kind == "human" else self.kind
        raise InputError(f"no {who} judged {dimension!r}, only {others}: count them with --kind {kind}")

    @cached_property
    def scales(self) -> dict[str, Scale]:
        """What is stated about the scales of dimensions."""
        return read_scales(self.items)

    def scale(self, dimension: str) -> Scale:
        """Return the scale of a dimension: as stated, else ratings of unstated direction."""
        scale = self.scales.get(dimension, Scale())
        if scale.kind is not None:
            return scale
        ranks = scale.lower_is_better and holds_ranks(dimension, self.items)
        return replace(scale, kind="ranking" if ranks else "rating")

    def human(self, dimension: str, rater: str | None = None) -> Scores:
        """Return the mean scores of one dimension over raters, or those of one assessor, whatever its kind."""
        kind = self.kind
        if rater is None:
            self.check_dimension(dimension)
            raters = frozenset(self.raters)
        else:
            kind = self._kind_of(rater)
            replace(self, kind=kind).check_dimension(dimension)
            raters = frozenset([rater])
        values = _mean_scores(self.items, self.systems, dimension, raters)
        check_magnitudes(values, dimension)
        who = f", rater={rater}" if rater is not None else ""
        scale = self.scale(dimension)
        return Scores(
            values,
            self.systems,
            self.ids,
            name=dimension,
            signature=f"{kind}({dimension}{who}{', best=low' if scale.lower_is_better else ''})",
            higher_is_better=not scale.lower_is_better,
            undirected=scale.best is None and suggests_lower(dimension),
            ratings=partial(self.ratings, dimension) if rater is None else None,
            clusters=self.clusters,
            runs=self.runs,
        )

    def _kind_of(self, rater: str) -> str:
        kinds = dict(self.assessors)
        if rater not in kinds:
            raise UnknownName("rater", rater, tuple(kinds))
        return kinds[rater]

    def ratings(self, dimension: str, others: frozenset[str] = frozenset()) -> Ratings:
        """Return the ratings of each judged output by each rater, and by `others`, whatever their kind."""
        self.check_dimension(dimension)
        key = dimension, others
        if key not in self._ratings:
            self._ratings[key] = self._collect_ratings(*key)
        return self._ratings[key]

    @cached_property
    def _ratings(self) -> dict[tuple[str, frozenset[str]], Ratings]:
        """The ratings that were asked for: a report asks for the same ones several times."""
        return {}

    def _collect_ratings(self, dimension: str, others: frozenset[str]) -> Ratings:
        cells = _list_ratings(self.items, dimension, frozenset(self.raters) | others)
        kinds = dict(self.assessors)
        present = set(cells.rater)
        raters = tuple(r for r in kinds if r in present)
        return Ratings(
            cells.table(raters),
            raters,
            tuple(cells.systems),
            tuple(cells.items),
            dimension,
            tuple(cells.texts),
            not self.scale(dimension).lower_is_better,
            tuple(kinds[r] for r in raters),
            self._clusters_of(cells.items),
        )

    def _clusters_of(self, items: Iterable[str]) -> tuple[str, ...]:
        """Return the cluster of each of these items; nothing where each item is its own."""
        if self.clusters is None:
            return ()
        cluster = dict(zip(self.ids, self.clusters, strict=True))
        return tuple(cluster[item] for item in items)

    def rankings(self, dimension: str) -> Rankings:
        """Return each rater's ranking of the outputs for each item, best lowest; on another occasion it is another."""
        self.check_dimension(dimension)
        scale = self.scale(dimension)
        if scale.best is None:
            raise InputError(
                f"a ranking by {dimension!r} needs to know which end is best; state it: "
                f'"scales": {{"{dimension}": {{"best": 1}}}} in the file, or --ranking {dimension} where 1 is best'
            )
        column = {name: i for i, name in enumerate(self.systems)}
        raters_counted = frozenset(self.raters)
        rows: dict[tuple[str, str, int], Any] = {}
        for item in self.items:
            for j in item.judgments:
                if j.dimension == dimension and j.rater in raters_counted:
                    row = rows.setdefault((item.id, j.rater, j.occasion), np.full(len(column), np.nan))
                    for system in item.judged_systems(j):
                        row[column[system]] = j.score if scale.lower_is_better else -j.score
        if scale.kind == "pairs":
            _refuse_no_pairs(dimension, rows)
        values = np.array(list(rows.values())).reshape(len(rows), len(column))
        items, raters = tuple(item for item, _, _ in rows), tuple(rater for _, rater, _ in rows)
        kinds = dict(self.assessors)
        judges = join_kinds([kinds[rater] for rater in raters])
        from .rankings import Rankings

        return Rankings(values, self.systems, items, raters, dimension, self._clusters_of(items), judges)


def _mean_scores(items: Sequence[Item], systems: Sequence[str], dimension: str, raters: Collection[str]) -> Floats:
    """Return systems x items: the mean over these raters of their own means over occasions; NaN where no one judged."""
    row = {name: i for i, name in enumerate(systems)}
    values = np.full((len(items), len(systems)), np.nan)
    names: list[str] = []
    rows: list[int] = []
    for own, item in zip(values, items, strict=True):
        judgments = [j for j in item.judgments if j[2] == dimension and j[1] in raters]
        scores = {j[0]: j[3] for j in judgments}
        if len(scores) < len(judgments) or not item.outputs.keys() >= scores.keys():
            scores = _average_judgments(item, judgments)
        if names != (names := list(scores)):  # mostly the same systems in the same order
            rows = [row[name] for name in names]
        own[rows] = list(scores.values())
    return np.ascontiguousarray(values.T) + 0.0  # a sum from 0 on has no -0


def _average_judgments(item: Item, judgments: Iterable[Judgment]) -> dict[str, float]:
    """Return the mean over raters of their own means over occasions, by system."""
    cells: dict[tuple[str, str], list[float]] = {}
    for j in judgments:
        for system in item.judged_systems(j):
            cells.setdefault((system, j.rater), []).append(j.score)
    by_system: dict[str, list[float]] = {}
    for (system, _), scores in cells.items():
        by_system.setdefault(system, []).append(sum(scores) / len(scores))
    return {system: sum(means) / len(means) for system, means in by_system.items()}


@dataclass
class _RatingList:
    """Ratings one by one, with the rater and the number of the output; and the outputs that were rated."""

    score: list[float] = field(default_factory=list)
    rater: list[str] = field(default_factory=list)
    output: list[int] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def table(self, raters: Sequence[str]) -> Floats:
        """Return raters x outputs; a rater who judged an output more than once has the mean."""
        place = {rater: i for i, rater in enumerate(raters)}
        values = np.full((len(raters), len(self.items)), np.nan)
        cell = np.array([place[r] for r in self.rater], dtype=np.int64) * len(self.items) + self.output
        scores = np.array(self.score, dtype=np.float64)
        again = np.bincount(cell, minlength=values.size)[cell] > 1
        values.flat[cell[~again]] = scores[~again] + 0.0  # a sum from 0 on has no -0
        lists: dict[int, list[float]] = {}
        for number in np.flatnonzero(again).tolist():
            lists.setdefault(int(cell[number]), []).append(self.score[number])
        for number, several in lists.items():
            values.flat[number] = sum(several) / len(several)
        return values


def _list_ratings(items: Iterable[Item], dimension: str, raters: Collection[str]) -> _RatingList:
    """List the ratings of one dimension by these raters, outputs in the order in which they first appear."""
    cells = _RatingList()
    for item in items:
        judgments = [j for j in item.judgments if j[2] == dimension and j[1] in raters]
        if not item.outputs.keys() >= {j[0] for j in judgments}:
            judgments = [j._replace(system=s) for j in judgments for s in item.judged_systems(j)]
        systems = dict.fromkeys([j[0] for j in judgments])
        place = {system: number for number, system in enumerate(systems, len(cells.items))}
        cells.score += [j[3] for j in judgments]
        cells.rater += [j[1] for j in judgments]
        cells.output += [place[j[0]] for j in judgments]
        cells.items += [item.id] * len(systems)
        cells.systems += systems
        cells.texts += [item.outputs[system] for system in systems]
    return cells


def _refuse_no_pairs(dimension: str, rows: Mapping[tuple[str, str, int], Any]) -> None:
    for (item, rater, occasion), row in rows.items():
        if (count := int((~np.isnan(row)).sum())) != 2:
            raise InputError(
                f"item {item!r}: rater {rater!r} judged {count} systems by {dimension!r} on occasion {occasion}, "
                "and it is stated to compare pairs; number the pairs of an item with occasion: 1, 2, ..."
            )
