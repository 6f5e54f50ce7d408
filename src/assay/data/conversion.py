"""Conversion: a set that was written in another format, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .result import Result


@dataclass(frozen=True)
class LostPart:
    """Something that the new format cannot hold, and how many items (or systems) held it."""

    kind: ClassVar[str] = "loss"
    part: str
    count: int


@dataclass(frozen=True)
class Conversion(Result, question="conversion", kind="conversion"):
    """From which file and format to which, and how much of each."""

    source: str
    source_format: str
    target: str
    target_format: str
    items: int
    systems: int
    judgments: int
    losses: tuple[LostPart, ...] = ()
