"""Rank the outputs for an item, ties allowed (Daumé III and Marcu 2004, 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ...data.scale import Scale
from ...errors import InputError
from ..settings import RatingScale
from ..task import LETTERS, Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, read_field, refuse


@dataclass(frozen=True)
class RankProtocol(Protocol):
    """Rank up to 20 outputs of an item in groups, 1 the best.

    Visible: the source (unless source=false) and all outputs, in an order of the rater's own. An answer is
    {"groups": {letter: number from 1 on}}: equal numbers are ties. Every text must be placed, unless partial=true.
    Stored are the ranks without gaps.
    """

    name: ClassVar[str] = "rank"
    dimensions = (RatingScale(name="rank", low=1, high=len(LETTERS), best="low", slider=True),)
    takes_dimensions: ClassVar[bool] = False
    source: bool = True
    ties: bool = True
    partial: bool = False

    def check_item(self, item: Item) -> None:
        if not 2 <= len(item.outputs) <= len(LETTERS):
            raise InputError(f"{item.place} has {len(item.outputs)} outputs; rank takes 2 to {len(LETTERS)}")

    def combine(self, systems: Sequence[str]) -> list[tuple[str, ...]]:
        return [tuple(systems)]

    def needs_all(self) -> bool:
        return False

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        source = {"source": list(item.sources)} if self.source else {}
        return {**source, "texts": key_texts(item, task)}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        groups = read_field(answer, "groups", dict)
        for letter, group in groups.items():
            if task.system_of(letter) is None:
                refuse(f"there is no text {str(letter)[:20]!r} on this screen")
            if type(group) is not int or not 1 <= group <= len(LETTERS):
                refuse(f"the group of text {letter!r} must be a whole number from 1 to {len(LETTERS)}")
        unplaced = [LETTERS[n] for n in range(len(task.systems)) if LETTERS[n] not in groups]
        if unplaced and not self.partial:
            refuse(f"not ranked yet: {', '.join(unplaced)}", code="incomplete_answer")
        if len(groups) < 2:
            refuse("rank at least two texts", code="incomplete_answer")
        if not self.ties and len(set(groups.values())) < len(groups):
            refuse("two texts are in one group; ties are not allowed here")
        ranks = {group: rank for rank, group in enumerate(sorted(set(groups.values())), 1)}
        return {"groups": {letter: ranks[groups[letter]] for letter in sorted(groups)}}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        for letter, rank in answer["groups"].items():
            system = str(task.system_of(letter))
            yield {"system": system, "dimension": scales[0].name, "score": float(rank), "order": list(task.systems)}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scales[0].name: Scale("low", kind="ranking")}
