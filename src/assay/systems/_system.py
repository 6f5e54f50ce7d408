"""System: what compressors and fusers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..component import Component, Folder
from ..errors import InputError
from ..patterns import check_pattern


@dataclass(frozen=True)
class System(Component):
    """A program that makes texts."""

    honours_patterns: ClassVar[bool] = False  # whether `keep` and `drop` are obeyed
    english_only: ClassVar[bool] = False  # whether it needs the English parser or a model of English


def check_patterns(system: System, patterns: Sequence[str], folder: Folder[Any]) -> None:
    """Refuse patterns that are no regular expressions, and patterns for a system that does not obey them."""
    for pattern in patterns:
        check_pattern(pattern)
    if patterns and not system.honours_patterns:
        able = ", ".join(cls.name for cls in folder.classes if cls.honours_patterns)
        raise InputError(f"{system.name} does not keep or drop words by pattern; these do: {able}")
