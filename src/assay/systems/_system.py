"""What systems share: what each is, and what their users' patterns must be like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..component import Component
from ..errors import InputError
from ._patterns import check_pattern


@dataclass(frozen=True)
class Named(Component):
    """A system."""

    honours_patterns: ClassVar[bool] = False  # whether `keep` and `drop` are obeyed
    english_only: ClassVar[bool] = False  # whether it needs the English parser or a model of English


def check_patterns(chosen: Named, patterns: Sequence[str], classes: Sequence[type[Named]]) -> None:
    """Refuses patterns that cannot be read, or that the system would not obey."""
    for pattern in patterns:
        check_pattern(pattern)
    if patterns and not chosen.honours_patterns:
        able = ", ".join(cls.name for cls in classes if cls.honours_patterns)
        raise InputError(f"{chosen.name} does not keep or drop words by pattern; these do: {able}")


def check_text(text: object) -> None:
    """Refuses what is no text, or holds half a character."""
    if not isinstance(text, str):
        raise InputError(f"a text must be a str; got {type(text).__name__}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"a text holds half a character (a lone surrogate) at position {error.start}: {text[:40]!r}; decode "
                "the file again, with errors='replace' if it cannot be mended"
            ) from None
