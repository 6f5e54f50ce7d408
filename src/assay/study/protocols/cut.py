"""Cut the source into content units, before other texts are checked for them (Daumé III and Marcu 2004, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ...errors import InputError
from ..settings import RatingScale
from ..task import Task
from ..text_length import collapse
from ._protocol import Answer, Protocol, Row, Screen, read_field, refuse

MAX_UNITS = 200
MAX_UNIT = 2000


@dataclass(frozen=True)
class CutProtocol(Protocol):
    """Cut the source into content units (factoids), one short statement each.

    Visible: the source. An answer is {"units": [text, ...]}: different from each other, in the order written. The
    export has them as `units` of the item, which the protocol factoids asks for.
    """

    name: ClassVar[str] = "cut"
    takes_dimensions: ClassVar[bool] = False

    def check_item(self, item: Item) -> None:
        if not item.sources:
            raise InputError(f"{item.place} has no source; cut needs one")

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return [()]

    def needs_all(self) -> bool:
        return False

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        return {"source": list(item.sources)}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        units = read_field(answer, "units", list)
        if not 1 <= len(units) <= MAX_UNITS:
            refuse(f"write 1 to {MAX_UNITS} units; got {len(units)}", code="incomplete_answer")
        if not all(isinstance(unit, str) and collapse(unit) and len(unit) <= MAX_UNIT for unit in units):
            refuse(f"a unit is a text of 1 to {MAX_UNIT} characters")
        texts = [collapse(unit) for unit in units]
        if len(set(texts)) < len(texts):
            refuse("two units are the same")
        return {"units": texts}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        return iter(())
