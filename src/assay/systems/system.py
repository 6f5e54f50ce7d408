"""System: what compressors and fusers have in common, and the check of what they are given to read."""

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
    """Refuse patterns that are not regular expressions, and patterns for a system that does not obey them."""
    for pattern in patterns:
        check_pattern(pattern)
    if patterns and not system.honours_patterns:
        able = ", ".join(cls.name for cls in folder.classes if cls.honours_patterns)
        raise InputError(f"{system.name} does not keep or drop words by pattern; these do: {able}")


def check_text(text: Any, place: str) -> str:
    """Return the text; raise an InputError that names the place if it is not a text or holds half a character.

    >>> check_text(b"a cat", "text 3")
    Traceback (most recent call last):
    assay.errors.InputError: text 3 must be a text (str); got bytes: decode it first
    """
    if not isinstance(text, str):
        hint = ": decode it first" if isinstance(text, bytes | bytearray) else ""
        raise InputError(f"{place} must be a text (str); got {type(text).__name__}{hint}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{place} holds half a character (a lone surrogate) at position {error.start}: {text[:40]!r}; "
                "decode the file again, with errors='replace' if it cannot be mended"
            ) from None
    return text


def check_texts(texts: Sequence[Any], whole: str, each: str) -> tuple[str, ...]:
    """Check each of several texts, which are numbered from 1.

    >>> check_texts(["a", None], "texts", "text")
    Traceback (most recent call last):
    assay.errors.InputError: text 2 must be a text (str); got NoneType
    """
    if isinstance(texts, str | bytes) or not hasattr(texts, "__iter__"):
        raise InputError(f"{whole} must be a list of texts; got {type(texts).__name__}")
    return tuple(check_text(text, f"{each} {number}") for number, text in enumerate(texts, 1))
