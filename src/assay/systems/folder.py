"""What systems share: what each is, and what their users' patterns must be like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..component import Component
from ..errors import InputError


@dataclass(frozen=True)
class Named(Component):
    """A system."""

    honours_patterns: ClassVar[bool] = False  # whether `keep` and `drop` are obeyed
    english_only: ClassVar[bool] = False  # whether it needs the English parser or a model of English


def check_patterns(chosen: Named, patterns: Sequence[str], classes: Sequence[type[Named]]) -> None:
    """Refuses patterns that cannot be read, or that the system would not obey."""
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise InputError(f"{pattern!r} is not a regular expression: {error}") from None
    if patterns and not chosen.honours_patterns:
        able = ", ".join(cls.name for cls in classes if cls.honours_patterns)
        raise InputError(f"{chosen.name} does not keep or drop words by pattern; these do: {able}")
