"""Make a pyramid of content units from models, then mark its units in peers (Nenkova and Passonneau 2004)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ...data.content_units import PeerAnnotation, Pyramid, model_texts, read_pyramid, words_of
from ...data.evalset import EvalSet
from ...data.item import Item, output_of
from ...data.scale import Scale
from ...errors import InputError
from ...pyramid.annotated import score_against_models
from ...pyramid.auto import METHODS, suggest_units
from ...pyramid.guided import GUIDED, OTHER
from ..settings import RatingScale
from ..task import LETTERS, Task
from . import _unit_entries as entries
from ._protocol import Answer, Protocol, Row, Screen, read_field, refuse
from ._unit_entries import Entry

STAGES = ("auto", "models", "peers")


@dataclass(frozen=True)
class PyramidProtocol(Protocol):
    """Make content units from the references of a topic (stage=models), or mark them in its outputs (stage=peers).

    stage=auto marks where the items have units, and makes units where they have none; stage=models begins with those
    that an item has, and offers what others made (`pyramids`), to be adjudicated. aspects=auto takes those of the
    topic's category (guided summarization); or names separated by |, or none. exhaustive=true asks for facts outside
    the pyramid too. suggest is how units of a peer are suggested (exact, lemma, partial), or none. Every change comes
    before the answer as an edit: [milliseconds, id, unit or null]. An answer is {"units": [...]}, or {"marks": [...],
    "complete": true where nothing is left to mark}.
    """

    name: ClassVar[str] = "pyramid"
    dimensions = (RatingScale(name="pyramid", low=0, high=1e6, slider=True, step=1e-9),)
    takes_dimensions: ClassVar[bool] = False
    keeps_edits: ClassVar[bool] = True
    keeps_items: ClassVar[bool] = True
    stage: str = "auto"
    aspects: str = "auto"
    exhaustive: bool = False
    suggest: str = "partial"

    def __post_init__(self) -> None:
        for name, choices in (("stage", STAGES), ("suggest", (*METHODS, "none"))):
            if getattr(self, name) not in choices:
                raise InputError(f"pyramid: {name} is one of {', '.join(choices)}; got {getattr(self, name)!r}")

    @classmethod
    def parameter_of(cls, value: str) -> str | None:
        return "stage" if value in STAGES else None

    @property
    def makes_units(self) -> bool:
        """Whether units are made from models, and not marked in peers."""
        return self.stage != "peers"

    def fit_to(self, data: EvalSet) -> PyramidProtocol:
        if self.stage != "auto":
            return self
        has_units = {item.place: read_pyramid(item) is not None for item in data}
        if any(has_units.values()) and not all(has_units.values()):
            lacking, having = (next(place for place, has in has_units.items() if has is x) for x in (False, True))
            raise InputError(
                f"{lacking} has no content units, {having} has some: make them all first "
                '(--protocol "pyramid(stage=models)"), or leave out the items without'
            )
        return replace(self, stage="peers" if any(has_units.values()) else "models")

    def check_item(self, item: Item) -> None:
        models = model_texts(item)
        if not any(text.strip() for text in models.values()):
            raise InputError(f"{item.place} has no reference with words; a pyramid is made from model texts")
        if len(models) > len(LETTERS):
            raise InputError(f"{item.place} has {len(models)} references; the screen shows up to {len(LETTERS)}")
        if len(models) < len(item.references):
            raise InputError(f"{item.place}: two references have the same id")
        pyramid, _ = read_pyramid(item), _other_units(item)  # raise what cannot be read
        if not self.makes_units:
            super().check_item(item)
            if pyramid is None:
                raise InputError(f'{item.place} has no content units to mark; make them first: "pyramid(stage=models)"')

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return [()] if self.makes_units else super().combine(systems)

    def needs_all(self) -> bool:
        return not self.makes_units

    def aspects_of(self, item: Item) -> tuple[str, ...]:
        """Return the aspects that a unit of an item may have: those named, else of its category, and those it has."""
        if self.aspects == "none":
            named: tuple[str, ...] = ()
        elif self.aspects != "auto":
            named = tuple(name.strip() for name in self.aspects.split("|") if name.strip())
        else:
            scheme = GUIDED.get(item.group or "", ())
            named = (*scheme, OTHER) if scheme else ()
        pyramid = read_pyramid(item)
        own = [aspect for unit in pyramid.units for aspect in unit.aspects] if pyramid else []
        others = [aspect for unit in _other_units(item) for aspect in unit.get("aspects", ())]
        return tuple(dict.fromkeys([*named, *own, *others]))

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        models = [{"key": letter, "text": text} for letter, (_, text) in _models_by_letter(item)]
        screen = {"stage": "models" if self.makes_units else "peers", "models": models}
        if self.makes_units:
            return {
                **screen,
                "aspects": list(self.aspects_of(item)),
                "units": entries.list_entries(self.start_draft(item)),
                "others": _other_units(item),
            }
        return {
            **screen,
            "units": _view_pyramid(item),
            "texts": [{"key": "a", "text": output_of(item, task.systems[0])}],
        }

    def start_draft(self, item: Item) -> dict[str, Entry]:
        pyramid = read_pyramid(item) if self.makes_units else None
        letters = {name: letter for letter, (name, _) in _models_by_letter(item)}
        return {unit.id: entries.entry_of_unit(unit, letters) for unit in pyramid.units} if pyramid else {}

    def edit_draft(self, draft: Any, deltas: Sequence[Any], item: Item, task: Task) -> dict[str, Entry]:
        changed = entries.apply_entry_edits(draft, deltas)
        edited = {edit[1] for edit in deltas} & changed.keys()
        return changed | {id: self._check_entry(changed[id], item, task) for id in edited}

    def view_draft(self, draft: Any) -> list[Entry]:
        return entries.list_entries(draft)

    def is_draft_of(self, draft: Any, answer: Answer) -> bool:
        listed = answer.get("units" if self.makes_units else "marks")
        return bool({entry["id"]: entry for entry in entries.list_entries(draft)} == {e["id"]: e for e in listed or []})

    def _check_entry(self, entry: Any, item: Item, task: Task) -> Entry:
        if self.makes_units:
            lengths = {letter: len(text) for letter, (_, text) in _models_by_letter(item)}
            return entries.check_unit(entry, lengths, self.aspects_of(item))
        numbers = {str(number) for number in range(1, len(_pyramid_of(item).units) + 1)}
        return entries.check_mark(entry, len(output_of(item, task.systems[0])), numbers)

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        if self.makes_units:
            units = entries.read_entries(read_field(answer, "units", list))
            if not units:
                refuse("make at least one unit", code="incomplete_answer")
            return {"units": self._check_listed(units, item, task)}
        marks, complete = answer.get("marks"), answer.get("complete", False)
        if set(answer) - {"marks", "complete"} or not isinstance(complete, bool):
            refuse('an answer is {"marks": a list, "complete": true or false}')
        if self.exhaustive and not complete:
            refuse("words are left that are neither marked nor said to state nothing", code="incomplete_answer")
        return {"marks": self._check_listed(entries.read_entries(marks), item, task), "complete": complete}

    def _check_listed(self, read: Mapping[str, Any], item: Item, task: Task) -> list[Entry]:
        return entries.list_entries({id: self._check_entry(entry, item, task) for id, entry in read.items()})

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        if not self.makes_units:
            pyramid = _pyramid_of(item)
            (annotation, *_) = self.annotations(answer, item, task, None)
            score = score_against_models(annotation, pyramid, tuple(pyramid.models))
            yield {"system": task.systems[0], "dimension": scales[0].name, "score": score}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scale.name: Scale("high") for scale in scales}

    # What was annotated, as data

    def pyramid_made(self, answer: Answer, item: Item, annotator: str | None) -> Pyramid:
        """Return the pyramid that an annotator made of an item's models."""
        names = {letter: name for letter, (name, _) in _models_by_letter(item)}
        units = tuple(entries.unit_of_entry(unit["id"], unit, names) for unit in answer["units"])
        return Pyramid(item.id, model_texts(item), units, group=item.group, annotator=annotator)

    def annotations(self, answer: Answer, item: Item, task: Task, annotator: str | None) -> list[PeerAnnotation]:
        """Return what was marked in a peer; for each of several with one text that were judged as one."""
        ids = [unit.id for unit in _pyramid_of(item).units]
        system = task.systems[0]
        names = [system] if system in item.outputs else system.split("+")
        return [
            PeerAnnotation(name, entries.peer_units(answer["marks"], name, ids), annotator, self.exhaustive)
            for name in names
        ]

    # What the screen proposes

    def suggestions(self, item: Item, task: Task, others: Sequence[tuple[Task, Answer]]) -> list[Entry]:
        """Return marks that contributors elsewhere in the topic suggest; `others` are answers of this annotator."""
        if self.makes_units or self.suggest == "none":
            return []
        pyramid, name = _pyramid_of(item), task.systems[0]
        own = [a for other, answer in others for a in self.annotations(answer, item, other, None)]
        suggestions = suggest_units(
            replace(pyramid, peers=(*pyramid.peers, *own)), name, output_of(item, name), method=self.suggest
        )
        numbers = {unit.id: str(number) for number, unit in enumerate(pyramid.units, 1)}
        return [
            {"unit": numbers[s.unit], "spans": [list(span) for span in s.spans], "suggested": s.method}
            for s in suggestions
        ]

    def unit_texts(self, item: Item, draft: Mapping[str, Entry] | None) -> dict[str, list[str]]:
        """Return label and contributors' words of each unit on the screen, by its id there."""
        if not self.makes_units:
            pyramid = _pyramid_of(item)
            words = [
                [u.label, *(words_of(pyramid.models[c.text], c.spans) for c in u.contributors)] for u in pyramid.units
            ]
            return {str(number): texts for number, texts in enumerate(words, 1)}
        texts = {letter: text for letter, (_, text) in _models_by_letter(item)}
        units = self.start_draft(item) if draft is None else draft
        return {
            id: [unit["label"], *(_words(texts[c["text"]], c["spans"]) for c in unit["contributors"])]
            for id, unit in units.items()
        }

    def words_at(self, item: Item, task: Task, letter: str, spans: Any) -> str:
        """Return the words at some spans of a text on the screen: of a model by its letter, else of the peer."""
        texts = (
            {key: text for key, (_, text) in _models_by_letter(item)}
            if self.makes_units
            else {"a": output_of(item, task.systems[0])}
        )
        if letter not in texts:
            refuse("there is no such text on this screen")
        return _words(texts[letter], entries.check_spans(spans, len(texts[letter])))


def _models_by_letter(item: Item) -> list[tuple[str, tuple[str, str]]]:
    """Return the models of an item under the letters that the screen gives them."""
    return list(zip(LETTERS, model_texts(item).items(), strict=False))


def _words(text: str, spans: Sequence[Sequence[int]]) -> str:
    return " ".join(text[start:end] for start, end in spans)


def _pyramid_of(item: Item) -> Pyramid:
    pyramid = read_pyramid(item)
    assert pyramid is not None  # checked when the study was made
    return pyramid


def _other_units(item: Item) -> list[Entry]:
    """Return the units that other annotators made of an item's models, without those it has: no one is named."""
    letters = {name: letter for letter, (name, _) in _models_by_letter(item)}
    others = item.extra.get("pyramids")
    named = [item.extra.get("units"), *(others.values() if isinstance(others, dict) else ())]
    pyramids = [read_pyramid(replace(item, extra={"units": units})) for units in named]
    listed: dict[str, Entry] = {}
    for place, pyramid in enumerate(pyramids):
        for unit in pyramid.units if pyramid else ():
            words = str(sorted((c.text, sorted(c.spans)) for c in unit.contributors))
            listed.setdefault(words, {} if place == 0 else entries.entry_of_unit(unit, letters))
    return [entry for entry in listed.values() if entry]


def _view_pyramid(item: Item) -> list[Entry]:
    """Return the units as the screen shows them, under numbers: an id might say more than it should."""
    letters = {name: letter for letter, (name, _) in _models_by_letter(item)}
    units = _pyramid_of(item).units
    return [
        {"id": str(number), "weight": unit.weight(), **entries.entry_of_unit(unit, letters)}
        for number, unit in enumerate(units, 1)
    ]
