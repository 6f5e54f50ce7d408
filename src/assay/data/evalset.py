"""EvalSet: items in order, with sources, references, outputs and judgments that cannot be misaligned."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

import numpy as np

from ..errors import AlignmentError, InputError, UnknownName
from ._sequences import is_table, list_values, refuse_no_text
from .assessor import Assessor, list_assessors, match_kinds, match_raters, state_kinds
from .columns import ItemColumns, TextList, UniqueNames, list_columns
from .item import KINDS, Item, Judgment, Reference, TextAlternative
from .leaks import find_leaked
from .rankings import Rankings
from .ratings import Ratings
from .result import html_records, to_pandas, to_polars
from .scale import Scale, holds_ranks, read_scales, state_scales, suggests_lower
from .scores import Floats, Scores

SKIPPED = "repeats skipped"  # in signatures
__all__ = ["EvalSet", "Item", "Judgment", "Reference", "TextAlternative", "pause_garbage_collection"]


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector: walking over new items, none in a cycle, would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class EvalSet:
    """Items in order. Every system has an output for every item, or the constructor says which is missing.

    An output under a reference's id is that person's own text: people may be missing for items they did not write.

    >>> data = EvalSet.from_texts({"A": ["a b", "c"]}, [["a b", "a"], "d"])
    >>> data.items, data.systems
    (('1', '2'), ('A',))
    >>> data["1"].references
    (Reference(text='a b', id=None), Reference(text='a', id=None))
    """

    def __init__(
        self,
        items: Iterable[Item] | ItemColumns,
        *,
        allow_missing: bool = False,
        people: Iterable[str] | None = None,
        treatment: str = "",
        skipped: Mapping[str, Mapping[str, int]] | None = None,
        judged_by: str = "human",
    ) -> None:
        self.columns = items if isinstance(items, ItemColumns) else None
        self._judged_by = judged_by
        self._treatment = treatment
        self.skipped = {} if skipped is None else skipped
        self.allow_missing = allow_missing
        self._known_people = None if people is None else frozenset(people)
        if self.columns is None:
            self._items = tuple(items)
        if not len(self):
            raise InputError("an evaluation set needs at least one item; there is none")
        if self.columns is None:  # columns were checked when they were made
            if len(self._by_id) < len(self._items):
                self._refuse_duplicates()
            if not allow_missing:
                self._refuse_missing()

    @classmethod
    def from_texts(
        cls,
        outputs: Mapping[str, Iterable[str | None]] | Iterable[str | None],
        references: Iterable[str | Reference | Iterable[str | Reference]] = (),
        sources: Iterable[str] = (),
        *,
        allow_missing: bool = False,
    ) -> EvalSet:
        """Build from plain sequences by position: outputs by system (or of one), references and sources by item.

        A sequence is a list, tuple, generator, NumPy array, or pandas or polars Series; outputs may also be a data
        frame with a column per system. An output that is None is missing.
        """
        systems = _by_system(outputs)
        n = len(next(iter(systems.values()), ()))
        for name, texts in systems.items():
            if len(texts) != n:
                first = next(iter(systems))
                raise AlignmentError(
                    f"system {name!r} has {len(texts)} outputs but {first!r} has {n}; give one per item"
                )
        by_item, texts = list_values(references, "references"), list_values(sources, "sources")
        if (len(by_item) == n or not _is_present(references, by_item)) and len(texts) in (n, 0) and n:
            columns = list_columns(systems, by_item, texts)
            if columns is not None and (texts or not _is_present(sources, texts)):
                return cls(columns, allow_missing=allow_missing)
        with pause_garbage_collection():
            refs = [_as_references(r, i) for i, r in enumerate(by_item, 1)]
        if len(refs) != n and _is_present(references, refs):
            raise AlignmentError(_references_mismatch(n, refs))
        if len(texts) != n and _is_present(sources, texts):
            raise AlignmentError(f"{len(texts)} sources for {n} outputs; give one per item")
        with pause_garbage_collection():
            items = [
                Item(
                    str(i + 1),
                    refs[i] if refs else (),
                    {name: text for name, texts in systems.items() if (text := texts[i]) is not None},
                    (texts[i],) if texts else (),
                )
                for i in range(n)
            ]
        return cls(items, allow_missing=allow_missing)

    @cached_property
    def _items(self) -> tuple[Item, ...]:
        assert self.columns is not None
        with pause_garbage_collection():
            return tuple(self.columns)

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self._items}

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Item ids in order."""
        return UniqueNames(self.columns.ids if self.columns is not None else (item.id for item in self._items))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """System names in the order they first appear; people are among them if their texts are scored too."""
        if self.columns is not None:
            return self.columns.systems
        return tuple(dict.fromkeys(chain.from_iterable(item.outputs for item in self._items)))

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The systems that are people: an output stands under the id of a reference of the same item.

        Given to the constructor where this is a part of a larger set, in which such an item may be elsewhere.
        """
        names = self._known_people
        if names is None:
            if self.columns is not None:
                return ()
            names = frozenset(r.id for item in self._items for r in item.references if r.id and r.id in item.outputs)
        return tuple(s for s in self.systems if s in names)

    @cached_property
    def repeats(self) -> dict[str, dict[str, int]]:
        """Where systems repeat a reference on half of their items or more: by system and item, which reference."""
        if self.columns is not None:
            return find_leaked(self.columns, self.people, dict.fromkeys(self.columns.systems, len(self.columns)))
        return find_leaked(self._items, self.people)

    @property
    def leaked(self) -> tuple[str, ...]:
        """The systems that repeat a reference on half of their items or more; people are not among them."""
        return tuple(s for s in self.systems if s in self.repeats)

    def skip_repeats(self) -> EvalSet:
        """Return the set with systems that repeat references scored against the others, where there are any."""
        if not self.repeats:
            return self
        treatment = " + ".join(part for part in (self.treatment, SKIPPED) if part)
        return EvalSet(
            self._items,
            allow_missing=self.allow_missing,
            people=self._known_people,
            treatment=treatment,
            skipped=self.repeats,
            judged_by=self._judged_by,
        )

    @cached_property
    def assessors(self) -> tuple[Assessor, ...]:
        """Who judged, with their kind (human, llm or metric), in the order they first appear."""
        return list_assessors(self._items)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The people who judged, in the order they first appear; see `use_assessors` for the others."""
        return tuple(name for name, kind in self.assessors if kind == self._judged_by)

    @cached_property
    def dimensions(self) -> tuple[str, ...]:
        """What people judged, in the order it first appears; see `use_assessors` for what others judged."""
        if len(self.raters) == len(self.assessors):
            return self.judged_dimensions
        raters = frozenset(self.raters)
        judgments = (j for item in self._items for j in item.judgments)
        return tuple(dict.fromkeys(j.dimension for j in judgments if j.rater in raters))

    @cached_property
    def judged_dimensions(self) -> tuple[str, ...]:
        """What was judged by anybody: people, language models or metrics."""
        return tuple(dict.fromkeys(map(itemgetter(2), self._judgments())))

    def _judgments(self) -> Iterator[Judgment]:
        """Return the judgments of all items."""
        return chain.from_iterable([item.judgments for item in self._items])

    def check_dimension(self, dimension: str) -> None:
        """Raise unless people judged this dimension; the error says who did."""
        if dimension in self.dimensions:
            return
        raters = {j.rater for item in self._items for j in item.judgments if j.dimension == dimension}
        if not raters:
            raise UnknownName("dimension", dimension, self.dimensions, hint=self._hint_judged())
        others = ", ".join(f"{name} ({kind})" for name, kind in self.assessors if name in raters)
        kind = next(kind for name, kind in self.assessors if name in raters)
        who = "person" if self._judged_by == "human" else self._judged_by
        raise InputError(f"no {who} judged {dimension!r}, only {others}: count them with --kind {kind}")

    def _hint_judged(self) -> str:
        return f"(judged: {', '.join(self.dimensions)})" if self.dimensions else ""

    def use_assessors(self, kind: str) -> EvalSet:
        """Return the set in which `human`, `ratings`, `raters` and `dimensions` are of assessors of this kind.

        >>> item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "gpt", "fluency", 4.0, kind="llm"),))
        >>> EvalSet([item]).dimensions, EvalSet([item]).use_assessors("llm").dimensions
        ((), ('fluency',))
        """
        if kind not in KINDS:
            raise UnknownName("kind of assessor", kind, KINDS, hint=f"({', '.join(KINDS)})")
        return self._replace(judged_by=kind)

    def keep_raters(self, patterns: Iterable[str]) -> EvalSet:
        """Return the set without the judgments of people whose name matches no pattern (`expert*`); others stay.

        >>> judgments = (Judgment("A", "ann", "fluency", 4.0), Judgment("A", "bob", "fluency", 2.0))
        >>> EvalSet([Item("1", outputs={"A": "a"}, judgments=judgments)]).keep_raters(["a*"]).raters
        ('ann',)
        """
        dropped = frozenset(self.raters) - frozenset(match_raters(patterns, self.raters))
        items = [
            replace(item, judgments=tuple(j for j in item.judgments if j.rater not in dropped)) for item in self._items
        ]
        return self._replace(items=items)

    def with_kinds(self, patterns: Mapping[str, str]) -> EvalSet:
        """Return the set with the kinds of raters stated, by name or pattern: {"gpt*": "llm"}.

        >>> item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "gpt", "fluency", 4.0),))
        >>> EvalSet([item]).with_kinds({"gpt*": "llm"}).assessors
        (Assessor(name='gpt', kind='llm'),)
        """
        kinds = match_kinds(patterns, [name for name, _ in self.assessors])
        return self._replace(items=[state_kinds(item, kinds) for item in self._items])

    def _replace(self, *, items: Iterable[Item] | None = None, judged_by: str | None = None) -> EvalSet:
        """Return the set with other items under the same ids, or other assessors."""
        return EvalSet(
            self._items if items is None else items,
            allow_missing=self.allow_missing,
            people=self._known_people,
            treatment=self._treatment,
            skipped=self.skipped,
            judged_by=judged_by or self._judged_by,
        )

    @cached_property
    def scales(self) -> dict[str, Scale]:
        """What is stated about the scales of dimensions; see `with_scales`."""
        return read_scales(self._items)

    def scale(self, dimension: str) -> Scale:
        """Return the scale of a dimension: as stated, else ratings of unstated direction.

        One called rank, of which the low end is stated to be best, is a ranking if its scores are ranks and
        no kind is stated.
        """
        self.check_dimension(dimension)
        return self._scale(dimension)

    def _scale(self, dimension: str) -> Scale:
        scale = self.scales.get(dimension, Scale())
        if scale.kind is not None:
            return scale
        ranks = scale.lower_is_better and holds_ranks(dimension, self._items)
        return replace(scale, kind="ranking" if ranks else "rating")

    def with_scales(self, scales: Mapping[str, Scale]) -> EvalSet:
        """Return the set with these scales stated: by every judged item, so that parts of the set state them too.

        >>> item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "ann", "rank", 1.0),))
        >>> EvalSet([item]).with_scales({"rank": Scale(best="low")}).human("rank").higher_is_better
        False
        """
        for dimension in scales:
            if dimension not in self.judged_dimensions:
                raise UnknownName("dimension", dimension, self.dimensions)
        stated = {dimension: scale.keys() for dimension, scale in scales.items()}
        items = [state_scales(item, stated) if item.judgments else item for item in self._items]
        return self._replace(items=items)

    def select(self, items: Iterable[str]) -> EvalSet:
        """Return the set of these items only; people stay people."""
        selection = [self[item] for item in items]
        return EvalSet(
            selection,
            allow_missing=self.allow_missing,
            people=self.people,
            treatment=self._treatment,
            judged_by=self._judged_by,
        )

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The ids of the items of each group (category, genre, topic), in order; items without one are left out."""
        groups: dict[str, list[str]] = {}
        for item in self._items:
            if item.group is not None:
                groups.setdefault(item.group, []).append(item.id)
        return {name: tuple(ids) for name, ids in groups.items()}

    def human(self, dimension: str, *, rater: str | None = None) -> Scores:
        """Return human scores of one dimension: the mean over people, or those of one rater, whatever its kind.

        A rater who judged one output on several occasions counts once, with the mean over them.
        """
        kind = self._judged_by
        if rater is None:
            self.check_dimension(dimension)
            raters = frozenset(self.raters)
        else:
            kind = self._kind_of(rater)
            self.use_assessors(kind).check_dimension(dimension)
            raters = frozenset([rater])
        values = _mean_scores(self._items, self.systems, dimension, raters)
        who = f", rater={rater}" if rater is not None else ""
        scale = self._scale(dimension)
        return Scores(
            values,
            self.systems,
            self.items,
            name=dimension,
            signature=f"{kind}({dimension}{who}{', best=low' if scale.lower_is_better else ''})",
            higher_is_better=not scale.lower_is_better,
            people=self.people,
            undirected=scale.best is None and suggests_lower(dimension),
            leaked=self.leaked,
            ratings=partial(self.ratings, dimension) if rater is None else None,
        )

    def _kind_of(self, rater: str) -> str:
        kinds = dict(self.assessors)
        if rater not in kinds:
            raise UnknownName("rater", rater, tuple(kinds))
        return kinds[rater]

    def ratings(self, dimension: str, *, also: Iterable[str] = ()) -> Ratings:
        """Return the ratings of each judged output by each person, and by the assessors of `also`, whatever their kind.

        A rater who judged an output more than once has the mean.
        """
        self.check_dimension(dimension)
        key = dimension, frozenset(also)
        if key not in self._ratings:
            self._ratings[key] = self._collect_ratings(*key)
        return self._ratings[key]

    @cached_property
    def _ratings(self) -> dict[tuple[str, frozenset[str]], Ratings]:
        """The ratings that were asked for: a report asks for the same ones several times."""
        return {}

    def _collect_ratings(self, dimension: str, others: frozenset[str]) -> Ratings:
        cells = _list_ratings(self._items, dimension, frozenset(self.raters) | others)
        kinds = dict(self.assessors)
        present = set(cells.rater)
        raters = tuple(r for r in kinds if r in present)
        higher = not self.scale(dimension).lower_is_better
        return Ratings(
            cells.table(raters),
            raters,
            tuple(cells.systems),
            tuple(cells.items),
            dimension,
            tuple(cells.texts),
            higher,
            tuple(kinds[r] for r in raters),
        )

    def rankings(self, dimension: str) -> Rankings:
        """Return each rater's ranking of the outputs for each item, best lowest; on another occasion it is another.

        Every system has a column, also one that was never ranked.
        """
        scale = self.scale(dimension)
        if scale.best is None:
            raise InputError(
                f"a ranking by {dimension!r} needs to know which end is best; state it: "
                f'"scales": {{"{dimension}": {{"best": 1}}}} in the file, or --ranking {dimension} where 1 is best'
            )
        column = {name: i for i, name in enumerate(self.systems)}
        raters_counted = frozenset(self.raters)
        rows: dict[tuple[str, str, int], Any] = {}
        for item in self._items:
            for j in item.judgments:
                if j.dimension == dimension and j.rater in raters_counted:
                    row = rows.setdefault((item.id, j.rater, j.occasion), np.full(len(column), np.nan))
                    for system in item.judged_systems(j):
                        row[column[system]] = j.score if scale.lower_is_better else -j.score
        if scale.kind == "pairs":
            _refuse_no_pairs(dimension, rows)
        values = np.array(list(rows.values())).reshape(len(rows), len(column))
        items, raters = tuple(item for item, _, _ in rows), tuple(rater for _, rater, _ in rows)
        return Rankings(values, self.systems, items, raters, dimension)

    @cached_property
    def flat(self) -> tuple[TextList, TextList, Any, Any]:
        """All output and reference texts in item order, and where each item's end: batches are cut from it."""
        if (columns := self.columns) is not None:
            return (
                *(columns.outputs, columns.references),
                *(np.arange(len(columns) + 1) * len(columns.systems), columns.reference_ends),
            )
        outputs = list(chain.from_iterable([item.outputs.values() for item in self._items]))
        references = list(map(itemgetter(0), chain.from_iterable([item.references for item in self._items])))
        output_ends = list(accumulate([len(item.outputs) for item in self._items], initial=0))
        reference_ends = list(accumulate([len(item.references) for item in self._items], initial=0))
        return outputs, references, output_ends, reference_ends

    @cached_property
    def has_alternatives(self) -> bool:
        """Whether some reference stands for several texts."""
        return self.columns is None and any(
            map(itemgetter(2), chain.from_iterable([item.references for item in self._items]))
        )

    @cached_property
    def has_reference_ids(self) -> bool:
        """Whether some reference says who wrote it, or what it was made from."""
        return self.columns is None and any(
            map(itemgetter(1), chain.from_iterable([item.references for item in self._items]))
        )

    @property
    def treatment(self) -> str:
        """What was done to the texts, for signatures: "paraphrases(how=one, ...)"."""
        return self._treatment or ("alternatives" if self.has_alternatives else "")

    @property
    def entries(self) -> tuple[Item, ...]:
        """The items themselves, in order."""
        return self._items

    def __len__(self) -> int:
        return len(self._items if self.columns is None else self.columns)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __getitem__(self, item: str) -> Item:
        if item not in self._by_id:
            raise UnknownName("item", item, self.items)
        return self._by_id[item]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EvalSet) and self._items == other._items

    def __hash__(self) -> int:
        return hash(self.items)

    def records(self) -> list[dict[str, Any]]:
        """List the outputs: item, group, system, source, references, output, and the mean rating of each dimension."""
        humans = {d: self.human(d) for d in self.dimensions}
        row = {name: i for i, name in enumerate(self.systems)}
        return [
            {
                "item": item.id,
                "group": item.group,
                "system": system,
                "source": "\n".join(item.sources),
                "references": [r.text for r in item.references],
                "output": output,
                **{d: float(h.values[row[system], column]) for d, h in humans.items()},
            }
            for column, item in enumerate(self._items)
            for system, output in item.outputs.items()
        ]

    def to_pandas(self) -> Any:
        """Return the records as a pandas DataFrame."""
        return to_pandas(self.records())

    def to_polars(self) -> Any:
        """Return the records as a polars DataFrame."""
        return to_polars(self.records())

    def _repr_html_(self) -> str:
        from html import escape

        first = EvalSet(self._items[:2], allow_missing=True).records()
        return f"<p>{escape(repr(self))}</p>" + html_records(first, most=8)

    def __repr__(self) -> str:
        others = len(self.assessors) - len(self.raters)
        more = f" and {others} other assessors" if others else ""
        judged = f", {len(self.raters)} raters{more} of {', '.join(self.dimensions)}" if self.dimensions else ""
        return f"EvalSet({len(self)} items, {len(self.systems)} systems{judged})"

    def _refuse_duplicates(self) -> None:
        first_by_id: dict[str, Item] = {}
        for item in self._items:
            if item.id in first_by_id:
                raise AlignmentError(f"{item.place} was already used{_at(first_by_id[item.id])}: ids must be unique")
            first_by_id[item.id] = item

    def _refuse_missing(self) -> None:
        expected = set(self.systems) - set(self.people)
        for item in self._items:
            if len(item.outputs) < len(expected) or not expected <= item.outputs.keys():
                system = next(s for s in self.systems if s in expected and s not in item.outputs)
                n = sum(system not in other.outputs for other in self._items)
                raise AlignmentError(
                    f"{item.place} has no output of system {system!r} ({n} of {len(self)} items lack it); "
                    "use allow_missing=True or --allow-missing to leave such scores empty"
                )


def _mean_scores(items: Sequence[Item], systems: Sequence[str], dimension: str, raters: Collection[str]) -> Floats:
    """Return systems x items: the mean over these raters of their own means over occasions; NaN where nobody judged."""
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


def _at(item: Item) -> str:
    return f" ({item.where})" if item.where else ""


def _by_system(outputs: Any) -> dict[str, list[Any]]:
    """Return the outputs of each system as a list."""
    if is_table(outputs):
        systems = {name: outputs[name] for name in outputs.columns}
    else:
        systems = dict(outputs) if isinstance(outputs, Mapping) else {"system": outputs}
    for name in systems:
        refuse_no_text(name, "the name of a system")
    return {name: list_values(texts, f"the outputs of system {name!r}") for name, texts in systems.items()}


_STRINGS = {str}


def _as_references(references: Any, number: int) -> tuple[Reference, ...]:
    """Return the references of one item, given as a text or several."""
    if type(references) is str:
        return (Reference(references),)
    if type(references) is list and set(map(type, references)) == _STRINGS:  # as nearly always, and quick to see
        return tuple(map(Reference, references))
    one = isinstance(references, str | Reference)
    if references is None or isinstance(references, bytes | int | float):
        refuse_no_text(references, f"item {str(number)!r}: its reference", hint=" (a list where there are several)")
    texts = [references] if one else list_values(references, f"item {str(number)!r}: its references")
    for text in texts:
        if not isinstance(text, Reference):
            refuse_no_text(text, f"item {str(number)!r}: a reference")
    return tuple(text if isinstance(text, Reference) else Reference(text) for text in texts)


def _is_present(values: Any, listed: Sequence[Any]) -> bool:
    """Tell whether there is something to align; an empty list means no, but an exhausted iterator is a mistake."""
    return bool(listed) or not hasattr(values, "__len__")


def _references_mismatch(n: int, refs: list[tuple[Reference, ...]]) -> str:
    message = f"references for {len(refs)} items but outputs for {n}"
    if refs and all(len(r) == n for r in refs):
        return (
            f"{message}: these look like {len(refs)} lists of {n} references; "
            "give one list of references per item instead (list(zip(*references)))"
        )
    return message
