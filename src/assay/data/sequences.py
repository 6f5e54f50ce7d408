"""Sequences of texts that callers hand over: read by position, whatever their type, and checked to hold texts."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from ..errors import InputError

_PLAIN = {str, type(None)}


def list_values(values: Any, what: str) -> list[Any]:
    """Return the values in order: of a list, tuple, generator, array, or Series (by position, not by label).

    A single text, a mapping, a set and a table are refused: their iteration gives letters, keys, no order, or columns.

    >>> list_values(("a", "b"), "outputs")
    ['a', 'b']
    """
    if type(values) is list and set(map(type, values)) <= _PLAIN:  # as nearly always, and quick to see
        return values
    if isinstance(values, str | bytes | bytearray):
        raise InputError(f"{what} must be a sequence with one entry per item; got one text, {preview(values)}")
    if isinstance(values, Mapping | Set) or is_table(values):
        kind = type(values).__name__
        raise InputError(f"{what} must be a sequence with one entry per item, in order; got a {kind}: give a list")
    try:
        return [str(value) if isinstance(value, str) else value for value in values]  # a numpy.str_ becomes a str
    except TypeError as error:
        message = f"{what} must be a sequence with one entry per item; got {preview(values)}"
        raise InputError(message) from error


def is_table(values: Any) -> bool:
    """Say whether this is a data frame (pandas, polars), which iterates over its columns and not over its rows."""
    return hasattr(values, "columns") and hasattr(values, "__getitem__")


def refuse_no_text(value: Any, what: str, *, hint: str = "") -> None:
    """Raise unless the value is a text; `what` says which one and where."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text (str); got {preview(value)}{hint}")


def preview(value: Any) -> str:
    """Describe a value in an error message by its type and its beginning.

    >>> preview(3.5), preview(None), preview(b"ab")
    ('float 3.5', 'None', "bytes b'ab'")
    """
    if value is None:
        return "None"
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:39] + '…'}"
