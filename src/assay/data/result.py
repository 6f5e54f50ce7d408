"""How scores and results look in a notebook, and how they become data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, ClassVar

from ..errors import InputError

_WIDEST = 8  # columns of a single row; more are written one below the other
_MOST = 40  # rows of a table in a notebook; the data frame has all


class Shown:
    """A result that shows itself in a notebook: its sentence, then its rows.

    Its rows are those of the first field that holds results (the ranking of a comparison); `class X(Shown,
    rows=False)` is one row of its own.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Answer(Shown):
    ...     name: str
    ...     value: float
    >>> Answer("a", 0.5).records()
    [{'name': 'a', 'value': 0.5}]
    """

    _rows: ClassVar[bool]

    def __init_subclass__(cls, *, rows: bool = True) -> None:
        cls._rows = rows

    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        inner = _inner(self) if self._rows else ()
        return [_plain(row) for row in inner] if inner else [_plain(self)]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        return to_pandas(self.records())

    def to_polars(self) -> Any:
        """The rows as a polars DataFrame."""
        return to_polars(self.records())

    def _repr_html_(self) -> str:
        sentence = getattr(self, "sentence", None)
        said = f"<p>{escape(sentence())}</p>" if callable(sentence) else ""
        return said + html_records(self.records())


def html_records(records: Sequence[Mapping[str, Any]], *, most: int = _MOST) -> str:
    """Records as a table; what is too long for a notebook is counted."""
    if not records:
        return ""
    heads = list(records[0])
    if len(records) == 1 and len(heads) > _WIDEST:
        return html_table(["", ""], [[h, _cell(v)] for h, v in records[0].items()], [False, True])
    right = [isinstance(records[0][h], (int, float)) for h in heads]
    rows = [[_cell(record.get(h)) for h in heads] for record in records[:most]]
    rest = f"<p>{len(records) - most:,} more rows</p>" if len(records) > most else ""
    return html_table(heads, rows, right) + rest


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], caption: str = "") -> str:
    """A table for a notebook; every text in it is escaped.

    >>> html_table(["system"], [["<b>"]], [False], "x")
    '<table><caption>x</caption><thead><tr><th>system</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    sides = [' style="text-align:right"' if r else "" for r in right]

    def row(tag: str, cells: Sequence[str]) -> str:
        made = (f"<{tag}{side}>{escape(cell)}</{tag}>" for side, cell in zip(sides, cells, strict=True))
        return f"<tr>{''.join(made)}</tr>"

    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(row("td", cells) for cells in rows)
    return f"<table>{said}<thead>{row('th', heads)}</thead><tbody>{body}</tbody></table>"


def to_pandas(records: Sequence[Mapping[str, Any]]) -> Any:
    """Records as a pandas DataFrame."""
    try:
        import pandas
    except ImportError as error:
        raise InputError("to_pandas() needs pandas: pip install pandas") from error
    return pandas.DataFrame(list(records))


def to_polars(records: Sequence[Mapping[str, Any]]) -> Any:
    """Records as a polars DataFrame; what is not a number is null."""
    try:
        import polars
    except ImportError as error:
        raise InputError("to_polars() needs polars: pip install polars") from error
    return polars.DataFrame(list(records), infer_schema_length=None).fill_nan(None)


def _inner(result: object) -> tuple[Any, ...]:
    """The rows inside a result: its first tuple of dataclasses that is not empty."""
    for value in _fields(result).values():
        if isinstance(value, tuple) and value and (is_dataclass(value[0]) or hasattr(value[0], "_asdict")):
            return value
    return ()


def _fields(result: Any) -> dict[str, Any]:
    if is_dataclass(result):
        return {field.name: getattr(result, field.name) for field in fields(result)}
    named: dict[str, Any] = result._asdict()
    return named


def _plain(result: Any) -> dict[str, Any]:
    """The fields that are numbers, texts, or tuples of them; a result inside gives its value, or all its fields."""
    record: dict[str, Any] = {}
    for name, value in _fields(result).items():
        if value is None or isinstance(value, (str, int, float)):
            record[name] = value
        elif is_dataclass(value):
            inner = _plain(value)
            parts = [k for k in ("value", "low", "high") if k in inner] if "value" in inner else list(inner)
            record |= {name if k == "value" else f"{name}_{k}": inner[k] for k in parts}
        elif isinstance(value, tuple) and all(isinstance(v, (str, int, float)) for v in value):
            record[name] = ", ".join(map(str, value))
    return record


def _cell(value: Any) -> str:
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        value = " | ".join(map(str, value))
    text = str(value)
    return text if len(text) <= 120 else text[:119] + "…"
