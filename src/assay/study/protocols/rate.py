"""Rate one output on one or more scales, as in Toutanova et al. (2016) and Clarke and Lapata (2006)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ..settings import RatingScale
from ..task import Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, rating_rows, read_ratings


@dataclass(frozen=True)
class RateProtocol(Protocol):
    """Rate one output on one or more scales.

    Visible: the source (unless source=false) and the references (with reference=true) from the start; the output too,
    or with reveal=true once the rater asks for it. An answer is {"ratings": {dimension: number}}.
    """

    name: ClassVar[str] = "rate"
    dimensions = (RatingScale(name="quality"),)
    reveal: bool = False
    source: bool = True
    reference: bool = False

    def hides(self, page: int) -> bool:
        return self.reveal

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        screen: Screen = {"source": list(item.sources)} if self.source else {}
        if self.reference:
            screen["references"] = [reference.text for reference in item.references]
        return screen if self.reveal else {**screen, "texts": key_texts(item, task)}

    def view_hidden(self, item: Item, task: Task, page: int) -> Screen:
        return {"texts": key_texts(item, task)} if self.reveal else {}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        return {"ratings": read_ratings(answer, scales)}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        return rating_rows(answer, task, scales)
