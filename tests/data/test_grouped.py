"""Answers by group: every record says which group it is of."""

from __future__ import annotations

from dataclasses import dataclass

from assay.data.grouped import GroupedResults, GroupResult
from assay.data.result import Result


@dataclass(frozen=True)
class _Number(Result, question="number", kind="number"):
    value: float


def test_records_name_the_group():
    result = GroupedResults(_Number(1.0), 3, (GroupResult("news", 2, _Number(2.0)), GroupResult("web", 1, None, "few")))
    assert result.records() == [
        {"item_group": None, "kind": "number", "value": 1.0},
        {"item_group": "news", "kind": "number", "value": 2.0},
        {"kind": "problem", "item_group": "web", "problem": "few"},
    ]
