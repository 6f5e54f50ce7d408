"""Content units as bags: which units each output and each reference states comes from annotation, not from the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.content_units import PeerAnnotation, Pyramid, read_pyramid
from ..data.item import Item
from ..errors import InputError
from .bags import Layout, count_overlap
from .batch import Batch
from .content_scores import WEIGHT, PyramidCounts, weigh_units

Floats = NDArray[np.float64]


class TextUnits(NamedTuple):
    """The units one annotator marked in one text: their places, and how many are not in the pyramid."""

    places: tuple[int, ...]
    others: int = 0
    exhaustive: bool = False


class ItemContent(NamedTuple):
    """An item's units: how many, which each reference states, and which each output does, by every annotator.

    A unit stands as often in a reference as it weighs there: once, or once for each of its contributors.
    """

    size: int
    references: tuple[tuple[int, ...], ...]
    outputs: dict[str, list[TextUnits]]


class CountedOutput(NamedTuple):
    """The counts of one output by one annotator, against the references that are not its own.

    `exhaustive` is False where units outside the pyramid were not marked.
    """

    output: int
    counts: PyramidCounts
    exhaustive: bool


def read_content(item: Item, weight: str = WEIGHT) -> ItemContent | None:
    """Return the content units that an item carries, with spans or as plain marks; None if it carries none."""
    if (pyramid := read_pyramid(item)) is not None:
        return _from_pyramid(pyramid, weight)
    if isinstance(answers := item.extra.get("statements"), list):
        return _from_answers(item, answers)
    units, present = item.extra.get("units"), item.extra.get("present")
    if not isinstance(units, list) or not isinstance(present, dict):
        return None
    return _from_marks(item, len(units), present)


def count_units(batch: Batch, weight: str = WEIGHT) -> list[CountedOutput]:
    """Count the units of every annotated output of a batch, once for each of its annotators.

    A unit weighs the models that state it, or its contributors in them, as `weight` says.
    """
    contents = [read_content(item, weight) for item in batch.entries]
    outputs, references = BagBuilder(), BagBuilder()
    own, places, texts = [], [], []
    at, first = 0, 0
    for item, content in zip(batch.entries, contents, strict=True):
        for units in content.references if content else [()] * len(item.references):
            references.add(units, first)
        most = _most_often(content.references) if content else {}
        for name in item.outputs:
            for text in content.outputs.get(name, []) if content else []:
                # As often as any reference has it, so that it matches each of them as often as it stands there.
                outputs.add([place for place in text.places for _ in range(most.get(place, 1))], first)
                own.append(int(batch.own[at]))
                places.append(at)
                if content:
                    texts.append((text, content))
            at += 1
        outputs.end_item()
        references.end_item()
        first += content.size if content else 0
    layout = Layout(np.array(outputs.items), np.array(references.items), np.array(own, dtype=np.int64))
    match = count_overlap(outputs.tokens(first), references.tokens(first), layout).match
    return _collect(match.tolist(), own, places, texts)


def _collect(
    match: Sequence[float], own: Sequence[int], places: Sequence[int], texts: Sequence[tuple[TextUnits, ItemContent]]
) -> list[CountedOutput]:
    """Sum the matches with each reference that is not the text's own: a unit counts its weight."""
    counted, pair = [], 0
    for place, own_place, (text, content) in zip(places, own, texts, strict=True):
        n = len(content.references)
        others = [k for k in range(n) if k != own_place]
        weight = sum(match[pair + k] for k in others)
        pair += n
        models = [content.references[k] for k in others]
        average = sum(map(len, models)) / len(models) if models else float("nan")
        units = len(text.places) + text.others
        counts = PyramidCounts(weight, units, weigh_units(models), average)
        counted.append(CountedOutput(place, counts, text.exhaustive))
    return counted


def _most_often(references: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return how often each unit stands in the reference that has it most."""
    counts = [Counter(units) for units in references]
    return {place: max(count[place] for count in counts) for count in counts for place in count}


def _from_pyramid(pyramid: Pyramid, weight: str) -> ItemContent:
    place = {unit.id: k for k, unit in enumerate(pyramid.units)}
    own = {name: tuple(place[unit] for unit in pyramid.units_of(name)) for name in pyramid.models}
    models = own
    if weight == "contributors":
        texts = [(place[unit.id], c.text) for unit in pyramid.units for c in unit.contributors]
        models = {name: tuple(k for k, text in texts if text == name) for name in pyramid.models}
    outputs: dict[str, list[TextUnits]] = {}
    for peer in pyramid.peers:
        outputs.setdefault(peer.peer, []).append(_read_peer(peer, place))
    for name, places in own.items():  # a model's own units are all known: they made the pyramid
        outputs.setdefault(name, [TextUnits(places, exhaustive=True)])
    return ItemContent(len(place), tuple(models.values()), outputs)


def _read_peer(peer: PeerAnnotation, place: dict[str, int]) -> TextUnits:
    places = tuple(sorted(place[unit] for unit in peer.unit_ids))
    return TextUnits(places, peer.other_units, peer.exhaustive)


def _from_marks(item: Item, size: int, present: dict[str, list[bool | int | None]]) -> ItemContent:
    """Read marks without spans; where no reference is marked and there is one, all units were cut from it."""
    marked = {name: _places(marks, size, name, item) for name, marks in present.items()}
    ids = [reference.id for reference in item.references]
    if len(ids) <= 1 and not marked.keys() & set(ids):
        references: tuple[tuple[int, ...], ...] = (tuple(range(size)),)
    else:
        references = tuple(marked.get(name or "", None) or () for name in ids)
    outputs = {name: [TextUnits(places)] for name, places in marked.items() if places is not None}
    return ItemContent(size, references, outputs)


def _from_answers(item: Item, answers: Sequence[Any]) -> ItemContent:
    """Read the answers of raters to statements, which were all cut from one reference: each weighs 1."""
    for row in answers:
        if not isinstance(row, dict) or not isinstance(row.get("system"), str) or not _are_answers(row.get("present")):
            raise InputError(f'{item.place}: an answer to statements is {{"system": name, "present": {{text: true}}}}')
    place = {unit: k for k, unit in enumerate(dict.fromkeys(u for row in answers for u in row["present"]))}
    outputs: dict[str, list[TextUnits]] = {}
    for row in answers:
        if len(row["present"]) == len(place):  # a rater who left statements out looked at part of the text's units
            places = tuple(place[unit] for unit, there in row["present"].items() if there)
            outputs.setdefault(row["system"], []).append(TextUnits(places))
    return ItemContent(len(place), (tuple(place.values()),), outputs)


def _are_answers(present: object) -> bool:
    return isinstance(present, dict) and all(type(answer) in (bool, int) for answer in present.values())


def _places(marks: object, size: int, name: str, item: Item) -> tuple[int, ...] | None:
    if not isinstance(marks, list) or len(marks) != size:
        raise InputError(f"{item.place}: the marks of {name!r} must be a list of {size}, one for each unit")
    return None if None in marks else tuple(k for k, mark in enumerate(marks) if mark)


class BagBuilder:
    """Bags of numbered units, text by text; no unit of one item is a unit of another."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.ends = [0]
        self.items = [0]

    def add(self, places: Sequence[int], first: int) -> None:
        """Add the bag of a text; `first` is the number of its item's first unit."""
        self.ids += [first + place for place in places]
        self.ends.append(len(self.ids))

    def end_item(self) -> None:
        """Say that the next text belongs to the next item."""
        self.items.append(len(self.ends) - 1)

    def tokens(self, size: int) -> _core.Tokens:
        """Return the bags for the kernel; `size` is the number of all units."""
        return _core.bags(np.array(self.ids, dtype=np.int64), np.array(self.ends, dtype=np.int64), max(size, 1))
