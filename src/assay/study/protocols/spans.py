"""Mark errors in an output, each with a category and a severity (multidimensional quality metrics, MQM)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...data.item import Item
from ...data.scale import Scale
from ...errors import InputError
from ..settings import RatingScale
from ..task import Task
from ._protocol import Answer, Protocol, Row, Screen, key_texts, read_field, refuse

MAX_SPANS = 500
_KEYS = {"start", "end", "category", "severity"}


@dataclass(frozen=True)
class SpansProtocol(Protocol):
    """Mark errors in an output. The score is minus the sum of the severities' weights (MQM): 0 is without errors.

    Categories and severities are separated by | ; a severity is NAME:WEIGHT. Visible: the source (unless source=false)
    and the output. An answer is {"spans": [{"start", "end", "category", "severity"}]}, offsets in code points of the
    output, end exclusive; an empty list says that there is no error.
    """

    name: ClassVar[str] = "spans"
    dimensions = (RatingScale(name="mqm", low=-1e6, high=0, slider=True, step=1e-9),)
    takes_dimensions: ClassVar[bool] = False
    categories: str = "accuracy|fluency|terminology|style|other"
    severities: str = "minor:1|major:5|critical:25"
    source: bool = True

    def __post_init__(self) -> None:
        if not all(self.category_names) or not self.weights:
            raise InputError("spans: categories are names separated by |, severities NAME:WEIGHT separated by |")

    @property
    def category_names(self) -> list[str]:
        """The categories."""
        return [name.strip() for name in self.categories.split("|")]

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each severity."""
        parts = [part.rpartition(":") for part in self.severities.split("|")]
        try:
            return {name.strip(): abs(float(weight)) for name, _, weight in parts if name.strip()}
        except ValueError:
            raise InputError(f"spans: a severity is NAME:WEIGHT; got {self.severities!r}") from None

    def view_page(self, item: Item, task: Task, page: int) -> Screen:
        source = {"source": list(item.sources)} if self.source else {}
        marks = {"categories": self.category_names, "severities": list(self.weights)}
        return {**source, "texts": key_texts(item, task), **marks}

    def read_answer(self, answer: Mapping[str, Any], item: Item, task: Task, scales: Sequence[RatingScale]) -> Answer:
        spans, length = read_field(answer, "spans", list), len(task.texts(item)[0])
        if len(spans) > MAX_SPANS:
            refuse(f"at most {MAX_SPANS} spans; got {len(spans)}")
        for span in spans:
            self._check_span(span, length)
        return {"spans": [{key: span[key] for key in ("start", "end", "category", "severity")} for span in spans]}

    def _check_span(self, span: Any, length: int) -> None:
        if not isinstance(span, dict) or set(span) != _KEYS:
            refuse("a span has start, end, category and severity")
        start, end = span["start"], span["end"]
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
            refuse(f"a span lies within the text, 0 to {length}; got {str(start)[:20]} to {str(end)[:20]}")
        if span["category"] not in self.category_names or span["severity"] not in self.weights:
            refuse("the category or the severity of a span is not one of the listed")

    def rows(self, answer: Answer, item: Item, task: Task, scales: Sequence[RatingScale]) -> Iterator[Row]:
        score = -sum(self.weights[span["severity"]] for span in answer["spans"]) + 0.0
        yield {"system": task.systems[0], "dimension": scales[0].name, "score": score, "spans": answer["spans"]}

    def stated_scales(self, scales: Sequence[RatingScale]) -> dict[str, Scale]:
        return {scales[0].name: Scale("high")}
