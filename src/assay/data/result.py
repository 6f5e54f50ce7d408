"""Result: the answer to one statistical question, with what is needed to get it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import InputError

if TYPE_CHECKING:
    from ..views import View


class Result:
    """A frozen dataclass that answers one question; `class X(Result, question="compare", kind="comparison")`.

    Its records are its plain fields (numbers, texts, tuples of them), unrounded, with `kind`; then one record for each
    row in its tuples of dataclasses, with the row's own kind and the fields named in `shared`, so that every record can
    be read alone; then the records of the Results inside it. A Result of other Results only has no record of its own.
    A dataclass with a `value` inside (a correlation with its interval) gives value, low and high; a field declared with
    `field(repr=False)` (a table of data) gives nothing.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Row:
    ...     system: str
    ...     score: float
    >>> @dataclass(frozen=True)
    ... class Ranking(Result, question="compare", kind="ranking", shared=("metric",)):
    ...     metric: str
    ...     rows: tuple[Row, ...]
    ...     seed: int = 0
    >>> for record in Ranking("bleu", (Row("A", 0.5),)).records():
    ...     print(record)
    {'kind': 'ranking', 'metric': 'bleu', 'seed': 0}
    {'kind': 'row', 'metric': 'bleu', 'system': 'A', 'score': 0.5}
    """

    question: ClassVar[str] = ""  # the module of `views` that shows it
    kind: ClassVar[str] = ""
    shared: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, question: str = "", kind: str = "", shared: tuple[str, ...] = ()) -> None:
        cls.question = question or cls.question
        cls.kind = kind or cls.__name__.lower()
        cls.shared = shared or cls.shared

    def records(self) -> list[dict[str, Any]]:
        """List everything it holds as plain dictionaries: what `--json` prints, a line each."""
        own = _plain_fields(self)
        shared = {name: own[name] for name in self.shared if name in own}
        records = [{"kind": self.kind, **own}] if own else []
        for value in _fields_of(self).values():
            for row in value if isinstance(value, tuple) else (value,):
                if isinstance(row, Result):
                    records += [{"kind": row.kind, **shared, **record} for record in row.records()]
                elif _is_record(row) and isinstance(value, tuple):
                    kind = getattr(row, "kind", "") or type(row).__name__.lower()
                    records.append({"kind": kind, **shared, **_plain_fields(row)})
        return records

    def rows(self) -> list[dict[str, Any]]:
        """List the records of its rows (those of the first kind), or its own where it has none."""
        records = self.records()
        rows = records[1:] if _plain_fields(self) and len(records) > 1 else records
        return [record for record in rows if record["kind"] == rows[0]["kind"]]

    def view(self) -> View:
        """Return how it is shown: headline, tables, charts and notes."""
        from ..views import make_view  # views know every result; a result looks its own up only when it is shown

        return make_view(self)

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame."""
        return to_pandas(self.rows())

    def to_polars(self) -> Any:
        """Return the rows as a polars DataFrame."""
        return to_polars(self.rows())

    def to_markdown(self) -> str:
        """Return what is printed of it as Markdown."""
        from ..views import draw_text

        return draw_text(self.view(), form="markdown")

    def to_latex(self) -> str:
        """Return what is printed of it as LaTeX: tables for a document with booktabs, sentences as comments."""
        from ..views import draw_text

        return draw_text(self.view(), form="latex")

    def __str__(self) -> str:
        from ..views import draw_text

        return draw_text(self.view())

    def _repr_html_(self) -> str:
        from ..views import draw_html

        return draw_html(self.view())


def to_pandas(records: Sequence[Mapping[str, Any]]) -> Any:
    """Return records as a pandas DataFrame."""
    try:
        import pandas
    except ImportError as error:
        raise InputError("to_pandas() needs pandas: pip install pandas") from error
    return pandas.DataFrame(list(records))


def to_polars(records: Sequence[Mapping[str, Any]]) -> Any:
    """Return records as a polars DataFrame; what is not a number is null."""
    try:
        import polars
    except ImportError as error:
        raise InputError("to_polars() needs polars: pip install polars") from error
    return polars.DataFrame(list(records), infer_schema_length=None).fill_nan(None)


def _fields_of(record: Any) -> dict[str, Any]:
    if is_dataclass(record):
        return {field.name: getattr(record, field.name) for field in fields(record) if field.repr}
    named: dict[str, Any] = record._asdict()
    return named


def _is_record(value: object) -> bool:
    return is_dataclass(value) or hasattr(value, "_asdict")


def _plain_fields(record: Any) -> dict[str, Any]:
    """Return fields that are numbers, texts, None, or lists of them; of a value with an interval, value, low, high."""
    plain: dict[str, Any] = {}
    for name, value in _fields_of(record).items():
        if value is None or isinstance(value, (str, int, float)):
            plain[name] = value
        elif isinstance(value, Result):
            continue
        elif _is_record(value):
            inner = _plain_fields(value)
            parts = [k for k in ("value", "low", "high") if k in inner] if "value" in inner else list(inner)
            plain |= {name if k == "value" else f"{name}_{k}": inner[k] for k in parts}
        elif isinstance(value, (tuple, list)) and all(v is None or isinstance(v, (str, int, float)) for v in value):
            plain[name] = list(value)
        elif isinstance(value, Mapping) and all(isinstance(v, (str, int, float)) for v in value.values()):
            plain[name] = {str(key): v for key, v in value.items()}  # JSON has no other keys
    return plain


_WIDEST = 8  # columns of a single row; more are written one below the other
_MOST = 40  # rows of a table in a notebook; the data frame has all


def html_records(records: Sequence[Mapping[str, Any]], *, most: int = _MOST) -> str:
    """Write records as an HTML table; rows beyond `most` are counted."""
    from ..views._draw.notebook import draw_html_table as html_table

    if not records:
        return ""
    heads = list(records[0])
    if len(records) == 1 and len(heads) > _WIDEST:
        return html_table(["", ""], [[h, _cell(v)] for h, v in records[0].items()], [False, True])
    right = [isinstance(records[0][h], (int, float)) for h in heads]
    rows = [[_cell(record.get(h)) for h in heads] for record in records[:most]]
    rest = f"<p>{len(records) - most:,} more rows</p>" if len(records) > most else ""
    return html_table(heads, rows, right) + rest


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
