"""What a system is given to read: one clear error, with the place, where it is no text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InputError


def check_text(text: Any, place: str) -> str:
    """Return the text; raise an InputError that names the place if it is no text or holds half a character.

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
