"""Cells as other tools write them: lists of texts, numbers, and what spreadsheets made of those."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import pairwise
from math import isfinite
from typing import Any

import msgspec

from ...errors import FormatError

MISSING = frozenset(["", "none", "nan", "null", "na", "n/a"])
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}(?:[ T].*)?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
    rf"|\d{{1,2}}[-. ]+{_MONTH}(?:[-. ]+\d{{2,4}})?|{_MONTH}[-. ]+\d{{1,4}}",
    re.IGNORECASE,
)
_ARRAY = re.compile(r"array\((\[.*\])(?:,\s*dtype=\S+)?\)", re.DOTALL)  # as NumPy writes it
_LIST = re.compile(r"""\[[\s\[]*['"]|\[\s*\]$""")  # how a list of texts begins
_SET = re.compile(r"""\{\s*['"].*['"]\s*\}""", re.DOTALL)  # a Python set, or an array of PostgreSQL
_OBJECTS = re.compile(r"\[\s*\{.*\}\s*\]", re.DOTALL)
_QUOTED_LIST = re.compile(r'"\[.*\]"', re.DOTALL)
_BARS = re.compile(r"\s*\|\|\|\s*")
_ADJACENT = re.compile(r"""['"]\s*['"]""")  # maybe two texts without a comma between them


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


def parse_list(cell: str) -> list[str] | None:
    """Read a list of texts as JSON or Python write it; anything else is an error."""
    if not cell:
        return None
    try:
        return msgspec.json.decode(cell, type=list[str])
    except (ValueError, RecursionError) as error:
        if (texts := _python_list(cell)) is not None:
            return texts
        raise ValueError(f"{cell[:40]!r} is not a JSON array of texts ({error})") from error


def parse_texts(cell: str) -> list[str] | None:
    """Read a list of texts as JSON, Python or NumPy write it, texts with ||| between them, or one text.

    >>> parse_texts('["a", "b"]'), parse_texts("('a', 'b')"), parse_texts("a ||| b"), parse_texts("[sic] a")
    (['a', 'b'], ['a', 'b'], ['a', 'b'], ['[sic] a'])
    """
    bare = cell.strip()
    if not bare:
        return None
    if array := _ARRAY.fullmatch(bare):
        bare = array[1]
    if _LIST.match(bare):
        return parse_list(bare)
    if bare[0] in '{["' and (texts := _find_texts(bare)) is not None:
        return texts
    if bare.startswith("(") and bare.endswith(")") and (texts := _python_list(bare)) is not None:
        return texts
    return _BARS.split(bare) if "|||" in bare else [cell]


def _find_texts(cell: str) -> list[str] | None:
    """Return the texts of a set, of objects with a text each, or of a list that was encoded twice; None of others."""
    try:
        if _QUOTED_LIST.fullmatch(cell):
            return parse_list(msgspec.json.decode(cell, type=str))
        if _SET.fullmatch(cell):
            return parse_list(f"[{cell[1:-1]}]")
        if _OBJECTS.fullmatch(cell):
            return [entry.text for entry in msgspec.json.decode(cell, type=list[_Entry])]
    except (ValueError, RecursionError):  # a text that only looks like one
        return None
    return None


class _Entry(msgspec.Struct):
    """A reference written as an object."""

    text: str


def _python_list(cell: str) -> list[str] | None:
    """Return the texts of a list as pandas writes it, "['a', 'b']"; None where it is none."""
    if not cell.startswith(("[", "(")):
        return None
    if _ADJACENT.search(cell) and _has_adjacent_texts(cell):
        raise ValueError(
            f"{cell[:40]!r} has texts without a comma between them, as NumPy prints arrays; write JSON lists"
        )
    try:
        texts = ast.literal_eval(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    is_list = isinstance(texts, list | tuple) and all(isinstance(text, str) for text in texts)
    return list(texts) if is_list else None


def _has_adjacent_texts(cell: str) -> bool:
    """Check if two texts of a list stand side by side, which Python would read as one."""
    try:
        tokens = [token.type for token in tokenize.generate_tokens(io.StringIO(cell).readline)]
    except (tokenize.TokenError, SyntaxError):
        return False
    kinds = [kind for kind in tokens if kind not in (tokenize.NL, tokenize.NEWLINE)]
    return any(a == b == tokenize.STRING for a, b in pairwise(kinds))
