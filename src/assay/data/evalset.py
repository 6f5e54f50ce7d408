"""EvalSet: items in order, with sources, references, outputs and judgments that cannot be misaligned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import AlignmentError, InputError, UnknownName
from .columns import ItemColumns, ItemRows, TextList, UniqueNames
from .item import KINDS, Item, Judgment, Reference, TextAlternative, pause_garbage_collection

if TYPE_CHECKING:  # imported when judgments are asked for; most sets of texts have none
    from .assessor import Assessor
    from .copies import SystemCopy
    from .judged import JudgedItems
    from .rankings import Rankings
    from .ratings import Ratings
    from .reading import Reading
    from .scale import Scale
    from .scores import Scores

SKIPPED = "repeats skipped"  # in signatures
__all__ = ["EvalSet", "Item", "Judgment", "Reference", "TextAlternative", "pause_garbage_collection"]


class Treatment(NamedTuple):
    """How the items of a set are treated, next to what they hold: the keyword arguments of `EvalSet`."""

    allow_missing: bool = False
    people: frozenset[str] | None = None  # None: those under the id of whom a reference stands
    treatment: str = ""
    skipped: Mapping[str, Mapping[str, int]] = {}
    judged_by: str = "human"
    reading: Reading | None = None


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
        reading: Reading | None = None,
    ) -> None:
        known = None if people is None else frozenset(people)
        self._treatment = Treatment(allow_missing, known, treatment, skipped or {}, judged_by, reading)
        self._store = items if isinstance(items, ItemColumns) else ItemRows(tuple(items))
        if not len(self):
            raise InputError("an evaluation set needs at least one item; there is none")
        if isinstance(self._store, ItemRows):  # columns were checked when they were made
            if len(self._by_id) < len(self):
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
        from .positions import place_texts

        return cls(place_texts(outputs, references, sources), allow_missing=allow_missing)

    def _replace(self, items: Iterable[Item] | None = None, **changes: Any) -> EvalSet:
        """Return the set with other items, or treated in another way."""
        return EvalSet(self._items if items is None else items, **self._treatment._replace(**changes)._asdict())

    @property
    def columns(self) -> ItemColumns | None:
        """The columns in which the texts lie, or None where items were given one by one."""
        return self._store if isinstance(self._store, ItemColumns) else None

    @property
    def _items(self) -> tuple[Item, ...]:
        return self._store.items

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self._items}

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Item ids in order."""
        return UniqueNames(self._store.ids)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """System names in the order they first appear; people are among them if their texts are scored too."""
        return self._store.systems

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The systems that are people: an output stands under the id of a reference of the same item.

        Given to the constructor where this is a part of a larger set, in which such an item may be elsewhere.
        """
        names = self._store.authors if self._treatment.people is None else self._treatment.people
        return tuple(s for s in self.systems if s in names)

    @property
    def allow_missing(self) -> bool:
        """Whether systems may lack outputs of some items."""
        return self._treatment.allow_missing

    @property
    def skipped(self) -> Mapping[str, Mapping[str, int]]:
        """By system and item, which reference its output is not scored against; see `skip_repeats`."""
        return self._treatment.skipped

    @property
    def treatment(self) -> str:
        """What was done to the texts, for signatures: "paraphrases(how=one, ...)"."""
        return self._treatment.treatment or ("alternatives" if self.has_alternatives else "")

    @cached_property
    def repeats(self) -> dict[str, dict[str, int]]:
        """Where systems repeat a reference on half of their items or more: by system and item, which reference."""
        from .leaks import find_leaked

        if self.columns is not None:
            return find_leaked(self.columns, self.people, dict.fromkeys(self.systems, len(self)))
        return find_leaked(self._items, self.people)

    @property
    def leaked(self) -> tuple[str, ...]:
        """The systems that repeat a reference on half of their items or more; people are not among them."""
        return tuple(s for s in self.systems if s in self.repeats)

    @cached_property
    def copies(self) -> tuple[SystemCopy, ...]:
        """The systems with the same texts as another one; no people, and none that repeat references."""
        from .copies import find_copies

        return find_copies(self._items if self.columns is None else self.columns, {*self.people, *self.leaked})

    def skip_repeats(self) -> EvalSet:
        """Return the set with systems that repeat references scored against the others, where there are any."""
        if not self.repeats:
            return self
        treatment = " + ".join(part for part in (self.treatment, SKIPPED) if part)
        return self._replace(treatment=treatment, skipped=self.repeats)

    @cached_property
    def judged(self) -> JudgedItems:
        """The judgments of the items, with what is made of them."""
        from .judged import JudgedItems

        kind = self._treatment.judged_by
        return JudgedItems(self._items, self.items, self.systems, kind, self.clusters, self.runs)

    @property
    def assessors(self) -> tuple[Assessor, ...]:
        """Who judged, with their kind (human, llm or metric), in the order they first appear."""
        return self.judged.assessors

    @property
    def raters(self) -> tuple[str, ...]:
        """The people who judged, in the order they first appear; see `use_assessors` for the others."""
        return self.judged.raters

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What people judged, in the order it first appears; see `use_assessors` for what others judged."""
        return self.judged.dimensions

    @property
    def judged_dimensions(self) -> tuple[str, ...]:
        """What was judged by anybody: people, language models or metrics."""
        return self.judged.all_dimensions

    def check_dimension(self, dimension: str) -> None:
        """Raise unless people judged this dimension; the error says who did."""
        self.judged.check_dimension(dimension)

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
        """Return the set without the judgments of people with a name that matches no pattern (`expert*`); others stay.

        >>> judgments = (Judgment("A", "ann", "fluency", 4.0), Judgment("A", "bob", "fluency", 2.0))
        >>> EvalSet([Item("1", outputs={"A": "a"}, judgments=judgments)]).keep_raters(["a*"]).raters
        ('ann',)
        """
        from .assessor import match_raters

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
        from .assessor import match_kinds, state_kinds

        kinds = match_kinds(patterns, [name for name, _ in self.assessors])
        return self._replace(items=[state_kinds(item, kinds) for item in self._items])

    @property
    def scales(self) -> dict[str, Scale]:
        """What is stated about the scales of dimensions; see `with_scales`."""
        return self.judged.scales

    def scale(self, dimension: str) -> Scale:
        """Return the scale of a dimension: as stated, else ratings of unstated direction.

        One called rank, of which the low end is stated to be best, is a ranking if its scores are ranks and
        no kind is stated.
        """
        self.check_dimension(dimension)
        return self.judged.scale(dimension)

    def with_scales(self, scales: Mapping[str, Scale]) -> EvalSet:
        """Return the set with these scales stated: by every judged item, so that parts of the set state them too.

        >>> from assay.data.scale import Scale
        >>> item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "ann", "rank", 1.0),))
        >>> EvalSet([item]).with_scales({"rank": Scale(best="low")}).human("rank").higher_is_better
        False
        """
        from .scale import state_scales

        for dimension in scales:
            if dimension not in self.judged_dimensions:
                raise UnknownName("dimension", dimension, self.dimensions)
        stated = {dimension: scale.keys() for dimension, scale in scales.items()}
        items = [state_scales(item, stated) if item.judgments else item for item in self._items]
        return self._replace(items=items)

    def select(self, items: Iterable[str]) -> EvalSet:
        """Return the set of these items only; people stay people."""
        return self._replace([self[item] for item in items], people=self.people)

    @cached_property
    def reading(self) -> Reading:
        """How the files of the set were read: their columns with the evidence, and what is in the set."""
        from .reading import Reading

        return replace(
            self._treatment.reading or Reading((), ""),
            items=len(self),
            systems=self.systems,
            references=max(len(item.references) for item in self._items),
            dimensions=self.judged_dimensions,
            raters=self.judged.count_kinds(),
            clusters=len(set(self.clusters or ())),
            runs=len(set(self.runs or ())),
        )

    @cached_property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The ids of the items of each group (category, genre, topic), in order; items without one are left out."""
        groups: dict[str, list[str]] = {}
        for item in self._items:
            if item.group is not None:
                groups.setdefault(item.group, []).append(item.id)
        return {name: tuple(ids) for name, ids in groups.items()}

    @cached_property
    def clusters(self) -> tuple[str, ...] | None:
        """The cluster of each item, in order: what was drawn together; None where each item is its own.

        Runs of one item are in one cluster.

        >>> EvalSet([Item("1", cluster="news"), Item("2", cluster="news"), Item("3")]).clusters
        ('news', 'news', 'item 3')
        """
        return self._store.name_clusters()

    @property
    def runs(self) -> tuple[str | None, ...] | None:
        """The run of each item, in order: which repeat (epoch, seed, sample) of the same input it is; None for none."""
        return self._store.runs

    def human(self, dimension: str, *, rater: str | None = None) -> Scores:
        """Return human scores of one dimension: the mean over people, or those of one rater, whatever its kind.

        A rater who judged one output on several occasions counts once, with the mean over them.
        """
        return replace(self.judged.human(dimension, rater), people=self.people, leaked=self.leaked, copies=self.copies)

    def ratings(self, dimension: str, *, also: Iterable[str] = ()) -> Ratings:
        """Return the ratings of each judged output by each person, and by the assessors of `also`, whatever their kind.

        A rater who judged an output more than once has the mean.
        """
        return self.judged.ratings(dimension, frozenset(also))

    def rankings(self, dimension: str) -> Rankings:
        """Return each rater's ranking of the outputs for each item, best lowest; on another occasion it is another.

        Every system has a column, also one that was never ranked.
        """
        return self.judged.rankings(dimension)

    @cached_property
    def flat(self) -> tuple[TextList, TextList, Any, Any]:
        """All output and reference texts in item order, and where each item's end: batches are cut from it."""
        return self._store.list_texts()

    @property
    def has_alternatives(self) -> bool:
        """Whether some reference stands for several texts."""
        return self._store.has_alternatives

    @property
    def has_reference_ids(self) -> bool:
        """Whether some reference says who wrote it, or what it was made from."""
        return self._store.has_reference_ids

    @property
    def entries(self) -> tuple[Item, ...]:
        """The items themselves, in order."""
        return self._items

    def __len__(self) -> int:
        return len(self._store)

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
                **({"cluster": item.cluster} if self.clusters is not None else {}),
                **({"run": item.run} if self.runs is not None else {}),
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
        from .result import to_pandas

        return to_pandas(self.records())

    def to_polars(self) -> Any:
        """Return the records as a polars DataFrame."""
        from .result import to_polars

        return to_polars(self.records())

    def _repr_html_(self) -> str:
        from html import escape

        from .result import html_records

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


def _at(item: Item) -> str:
    return f" ({item.where})" if item.where else ""
