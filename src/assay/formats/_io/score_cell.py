"""Scores as other tools write them: numbers, numbers in texts, and what spreadsheets made of them."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

from ...errors import FormatError

MISSING = frozenset(["", "none", "nan", "null", "na", "n/a"])
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:[ T].*)?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
    rf"|\d{{1,2}}[-. ]+{_MONTH}(?:[-. ]+\d{{2,4}})?|{_MONTH}[-. ]+\d{{1,4}}",
    re.IGNORECASE,
)


def parse_score(value: Any, where: str, path: object, line: int | None = None) -> float | None:
    """Return a score, or None where there is none (null, an empty cell, None, NaN); `where` says which, for errors."""
    if value is None:
        return None
    if isinstance(value, str):
        if value.strip().lower() in MISSING:
            return None
        try:
            value = float(value)
        except ValueError:
            raise FormatError(explain_number(value, where), path=path, line=line) from None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{where} must be a number; got {str(value)[:40]!r}", path=path, line=line)
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number != number:
        return None
    if not isfinite(number):
        raise FormatError(f"{where} must be a finite number; got {str(value)[:40]}", path=path, line=line)
    return number


def explain_number(text: str, where: str) -> str:
    """Say why a text is not a number; a date was a number before a spreadsheet turned it into one.

    >>> explain_number("2-Mar", "the score")
    "the score is '2-Mar', a date: a spreadsheet may have turned 2.3 or 3.2 into it; format the column as text"
    """
    if date_like(text):
        return f"{where} is {text.strip()[:40]!r}{explain_date(text)}"
    return f"{where} must be a number; got {text[:40]!r}"


def explain_date(text: str) -> str:
    """Say how a date came into a column of numbers; nothing if the text is not a date."""
    hint = ", a date: a spreadsheet may have turned 2.3 or 3.2 into it; format the column as text"
    return hint if date_like(text) else ""


def date_like(text: str) -> bool:
    """Check if a text looks like a date.

    >>> [date_like(text) for text in ("2026-03-02", "2-Mar", "Mar-04", "02/03/2026", "3.2", "4-5")]
    [True, True, True, True, False, False]
    """
    return _DATE.fullmatch(text.strip()) is not None
