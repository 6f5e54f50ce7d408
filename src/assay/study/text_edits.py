"""Edits of a text, as a browser sends them: [milliseconds since shown, start, characters deleted, text inserted]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

MAX_TEXT = 1_000_000  # inserted by one edit


def is_text_edit(delta: Any) -> bool:
    """Check if something has the form of an edit."""
    if not isinstance(delta, list) or len(delta) != 4 or not isinstance(delta[3], str):
        return False
    return len(delta[3]) <= MAX_TEXT and all(type(n) is int and 0 <= n < 2**40 for n in delta[:3])


def apply_deltas(text: str, deltas: Iterable[Sequence[Any]]) -> str:
    """Return a text after edits, in code points; ValueError outside of it.

    >>> apply_deltas("the old cat", [[120, 4, 4, ""], [300, 0, 1, "T"]])
    'The cat'
    """
    for _, start, deleted, inserted in deltas:
        if start + deleted > len(text):
            raise ValueError(f"an edit at {start} + {deleted} is outside of a text of {len(text)} characters")
        text = text[:start] + inserted + text[start + deleted :]
    return text
