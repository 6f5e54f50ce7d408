"""GroupedResults: one answer for each group of items (category, genre, topic), and one for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from .result import Result


@dataclass(frozen=True)
class GroupResult:
    """The answer for the items of one group; None, with the reason in `problem`, where there is none."""

    group: str
    items: int
    result: Result | None
    problem: str = ""


class ProblemRecord(TypedDict):
    """Why there is no answer for a group of items."""

    kind: Literal["problem"]
    item_group: str
    problem: str


@dataclass(frozen=True)
class GroupedResults(Result, question="groups", kind="grouped"):
    """The answer for all items, and for each group of them."""

    overall: Result
    items: int
    groups: tuple[GroupResult, ...]

    def records(self) -> list[dict[str, Any]]:
        """List the records of every answer with `item_group`, which is None for that of all items."""
        records = [{"item_group": None, **record} for record in self.overall.records()]
        for part in self.groups:
            if part.result is None:
                records.append({"kind": "problem", "item_group": part.group, "problem": part.problem})
            else:
                records += [{"item_group": part.group, **record} for record in part.result.records()]
        return records
