"""Mark which content units a text holds (factoids of Daumé III and Marcu 2004, 4.3; content units of a pyramid)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item, listed_units
from ...data.scale import Scale
from ...errors import InputError
from ..settings import RatingScale
from ..task import LETTERS, Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, read_field, refuse


@dataclass(frozen=True)
class FactoidsProtocol(Protocol):
    """Mark which of an item's listed units a text holds; together=true shows all texts of an item side by side.

    Units are the item's key `units`: a list of texts. Visible: the units, the text or texts, and the source with
    source=true. An answer is {"units": {letter: [true or false for each unit]}}. A text's score is the share of units
    that it holds.
    """

    name: ClassVar[str] = "factoids"
    dimensions = (RatingScale(name="units", low=0, high=1, slider=True, step=1e-9),)
    takes_dimensions: ClassVar[bool] = False
    together: bool = False
    source: bool = False

    def check_item(self, item: Item) -> None:
        super().check_item(item)
        if self.together and len(item.outputs) > len(LETTERS):
            raise InputError(f"{item.place} has {len(item.outputs)} outputs; together=true takes up to {len(LETTERS)}")
        listed_units(item)

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return [tuple(systems)] if self.together else super().combine(systems)

    def needs_all(self) -> bool:
        return not self.together

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        source = {"source": list(item.sources)} if self.source else {}
        return {**source, "units": listed_units(item), "texts": key_texts(item, task)}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        marks, count = read_field(answer, "units", dict), len(listed_units(item))
        letters = [LETTERS[n] for n in range(len(task.systems))]
        if set(marks) - set(letters):
            refuse("marks of a text that is not on this screen")
        for letter in letters:
            row = marks.get(letter)
            if not isinstance(row, list) or len(row) != count or not all(isinstance(mark, bool) for mark in row):
                refuse(f"text {letter!r} needs true or false for each of {count} units", code="incomplete_answer")
        return {"units": {letter: marks[letter] for letter in letters}}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        for letter, marks in answer["units"].items():
            score = sum(marks) / len(marks)
            yield {"system": task.system_of(letter), "dimension": scales[0].name, "score": score, "units": marks}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scales[0].name: Scale("high", (0.0, 1.0))}
