"""check_data: what is missing or odd in an evaluation set."""

from __future__ import annotations

from dataclasses import dataclass

from ..data.evalset import EvalSet
from ..data.result import Result


@dataclass(frozen=True)
class DataCheck(Result, question="data_check", kind="data_check"):
    """The size of a set, and what it lacks; `people` are the systems that are people."""

    items: int
    systems: int
    people: tuple[str, ...]
    fewest_references: int
    most_references: int
    raters: int
    dimensions: tuple[str, ...]
    empty_outputs: int
    missing_outputs: int


def check_data(data: EvalSet) -> DataCheck:
    """Count items, systems, references and raters, empty outputs, and outputs that systems lack."""
    references = [len(item.references) for item in data]
    return DataCheck(
        items=len(data),
        systems=len(data.systems) - len(data.people),
        people=tuple(data.people),
        fewest_references=min(references),
        most_references=max(references),
        raters=len(data.raters),
        dimensions=tuple(data.dimensions),
        empty_outputs=sum(not text.strip() for item in data for text in item.outputs.values()),
        missing_outputs=_count_missing(data),
    )


def _count_missing(data: EvalSet) -> int:
    """Count the outputs that systems lack; people write for some items only."""
    people = set(data.people)
    systems = len(data.systems) - len(people)
    return sum(systems - len(item.outputs.keys() - people) for item in data)
