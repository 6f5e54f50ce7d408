"""Compare two outputs for an item: which is better?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from ...data.item import Item
from ...data.scale import Scale
from ...errors import InputError
from ..settings import RatingScale
from ..task import Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, read_field, refuse

TIE = "tie"


@dataclass(frozen=True)
class CompareProtocol(Protocol):
    """Say which of two outputs is better, in each dimension.

    Visible: the source (unless source=false) and both outputs, a and b; each order comes equally often. An answer is
    {"choices": {dimension: "a", "b" or "tie"}}; ties=false refuses ties. The better one has rank 1, the other 2; both
    have 1 in a tie.
    """

    name: ClassVar[str] = "compare"
    numbers_pairs: ClassVar[bool] = True
    dimensions = (RatingScale(name="preference", low=1, high=2, best="low"),)
    source: bool = True
    ties: bool = True

    def check_item(self, item: Item) -> None:
        if len(item.outputs) < 2:
            raise InputError(f"{item.place} has {len(item.outputs)} outputs; compare needs two or more")

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return list(combinations(systems, 2))

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        source = {"source": list(item.sources)} if self.source else {}
        return {**source, "texts": key_texts(item, task)}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        choices = read_field(answer, "choices", dict)
        names = [scale.name for scale in scales]
        if missing := [name for name in names if name not in choices]:
            refuse(f"no choice for {missing[0]!r}", code="incomplete_answer")
        allowed = ("a", "b", TIE) if self.ties else ("a", "b")
        for name, choice in choices.items():
            if name not in names or choice not in allowed:
                refuse(f"a choice for {str(name)[:60]!r} is one of {', '.join(allowed)}; got {str(choice)[:20]!r}")
        return {"choices": {name: choices[name] for name in names}}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        for name, choice in answer["choices"].items():
            for letter, system in zip("ab", task.systems, strict=True):
                score = 1.0 if choice in (letter, TIE) else 2.0
                yield {"system": system, "dimension": name, "score": score, "order": list(task.systems)}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scale.name: Scale("low", kind="pairs") for scale in scales}
