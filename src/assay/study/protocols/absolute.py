"""Score an output after its reference, on two pages without a way back (Daumé III and Marcu 2004, 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ...errors import InputError
from ..settings import RatingScale
from ..task import Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, rating_rows, read_ratings


@dataclass(frozen=True)
class AbsoluteProtocol(Protocol):
    """Score an output from memory of its reference.

    Visible: on page 1 the reference only (and the source with source=true), on page 2 the output only. The server sends
    page 2 when page 1 was left, and page 1 never again. An answer is {"ratings": {dimension: number}}.
    """

    name: ClassVar[str] = "absolute"
    pages: ClassVar[int] = 2
    is_final: ClassVar[bool] = True
    dimensions = (RatingScale(name="score", best="low", labels={"1": "best", "5": "worst"}),)
    source: bool = False

    def check_item(self, item: Item) -> None:
        super().check_item(item)
        if not item.references:
            raise InputError(f"{item.place} has no reference; absolute shows it on the first page")

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        if page == 2:
            return {"texts": key_texts(item, task)}
        source = {"source": list(item.sources)} if self.source else {}
        return {**source, "references": [item.references[0].text]}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        return {"ratings": read_ratings(answer, scales)}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        return rating_rows(answer, task, scales)
