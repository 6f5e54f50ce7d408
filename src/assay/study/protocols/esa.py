"""Mark errors with a severity, then score the output from 0 to 100: error span annotation (Kocmi et al. 2024)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ...data.scale import Scale
from ...errors import InputError, RefusedEvent
from ..settings import RatingScale
from ..task import Task
from ._protocol import Answer, Row, Screen, read_ratings, refuse
from .spans import SpansProtocol


@dataclass(frozen=True)
class EsaProtocol(SpansProtocol):
    """Mark errors in an output, each with a severity, then score the output from 0 to 100 (Kocmi et al. 2024).

    The score is what the export judges; the spans are next to it. With prefill=true an annotator begins with the spans
    that the item has under `error_spans`: {system: [{"start", "end", "severity"}]}, as a model marked them, and
    corrects them. An answer is {"spans": [{"start", "end", "category", "severity"}], "ratings": {"esa": 0 to 100}}.
    """

    name: ClassVar[str] = "esa"
    dimensions = (RatingScale(name="esa", low=0, high=100, slider=True),)
    categories: str = "error"
    severities: str = "minor:1|major:5"
    prefill: bool = False

    def check_item(self, item: Item) -> None:
        super().check_item(item)
        for system in item.outputs if self.prefill else ():
            for span in self._first_spans(item, system):
                try:
                    self._check_span(span, len(item.outputs[system]))
                except RefusedEvent as error:
                    raise InputError(f"{item.place}: error_spans of {system}: {error}") from None

    def _first_spans(self, item: Item, system: str) -> list[Any]:
        spans = item.extra.get("error_spans", {})
        own = spans.get(system, []) if isinstance(spans, dict) else None
        if not isinstance(own, list) or not all(isinstance(span, dict) for span in own):
            raise InputError(f"{item.place}: error_spans is an object with a list of spans for each system")
        return [{"category": self.category_names[0], **span} for span in own]

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        screen = super().view_page(item, task, page)
        system = task.systems[0].split("+")[0] if task.systems[0] not in item.outputs else task.systems[0]
        return {**screen, "first_spans": self._first_spans(item, system)} if self.prefill else screen

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        if set(answer) != {"spans", "ratings"}:
            refuse('an answer is {"spans": a list, "ratings": an object}')
        spans = super().read_answer({"spans": answer["spans"]}, item, task, scales)
        return {**spans, "ratings": read_ratings({"ratings": answer["ratings"]}, scales)}

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        score = answer["ratings"][scales[0].name]
        yield {"system": task.systems[0], "dimension": scales[0].name, "score": score, "spans": answer["spans"]}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scale.name: scale.to_scale() for scale in scales}
