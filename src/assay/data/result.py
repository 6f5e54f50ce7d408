"""Result: the answer to one statistical question, with what is needed to get it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args, get_origin, get_type_hints

from ..errors import InputError

if TYPE_CHECKING:
    from .statement import Statement
    from .view import View

_SCALARS = (str, int, float, bool)


class Result:
    """A frozen dataclass that answers one question; `class X(Result, question="compare", kind="comparison")`.

    Its records are its plain fields (numbers, texts, tuples of them), unrounded, with `kind`; then one record for each
    row in its tuples of dataclasses, with the row's own kind and the fields named in `shared`, so that every record can
    be read alone; then the records of the Results inside it. A Result of other Results only has no record of its own.
    A dataclass with a `value` inside (a correlation with its interval) gives value, low and high; a field declared with
    `field(repr=False)` (a table of data) gives nothing. A Result that lists other records overrides `records()` and
    declares them as TypedDicts with a `kind` next to it, from which `assay schema` describes them.

    >>> from assay.raters.ranking import RankedRater, RaterRanking  # shared=("dimension", "by")
    >>> for record in RaterRanking("meaning", "severity", (RankedRater("ann", 0.5),), ("bob",)).records():
    ...     print(record)
    {'kind': 'rater_ranking', 'dimension': 'meaning', 'by': 'severity', 'unranked': ['bob']}
    {'kind': 'rater_rank', 'dimension': 'meaning', 'by': 'severity', 'rater': 'ann', 'value': 0.5}
    """

    question: ClassVar[str] = ""  # the module of `views` that shows it
    kind: ClassVar[str] = ""
    shared: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, *, question: str = "", kind: str = "", shared: tuple[str, ...] = ()) -> None:
        cls.question = question or cls.question
        cls.kind = kind or cls.__name__.lower()
        cls.shared = shared or cls.shared

    def statements(self) -> tuple[Statement, ...]:
        """Return what it asserts, the answer first: by default what the Results inside it assert."""
        return tuple(statement for part in self._parts() for statement in part.statements())

    def _parts(self) -> list[Result]:
        values = [getattr(self, name) for name in field_types(type(self))]
        return [part for v in values for part in (v if isinstance(v, tuple) else (v,)) if isinstance(part, Result)]

    def records(self) -> list[dict[str, Any]]:
        """List everything it holds as plain dictionaries, its statements last: what `--json` prints, a line each."""
        own = _plain_values(self)
        shared = {name: own[name] for name in self.shared if name in own}
        known = {repr(statement) for part in self._parts() for statement in part.statements()}
        own_statements = [statement for statement in self.statements() if repr(statement) not in known]
        return self._facts() + [{"kind": s.kind, **shared, **_plain_values(s)} for s in own_statements]

    def _facts(self) -> list[dict[str, Any]]:
        own = _plain_values(self)
        shared = {name: own[name] for name in self.shared if name in own}
        records = [{"kind": self.kind, **own}] if own else []
        for name in field_types(type(self)):
            value = getattr(self, name)
            for row in value if isinstance(value, tuple) else (value,):
                if isinstance(row, Result):
                    records += [{"kind": row.kind, **shared, **record} for record in row.records()]
                elif is_record(type(row)) and isinstance(value, tuple):
                    records.append({"kind": kind_of(type(row)), **shared, **_plain_values(row)})
        return records

    def rows(self) -> list[dict[str, Any]]:
        """List the records of its rows (those of the first kind), or its own where it has none."""
        records = self._facts() if type(self).records is Result.records else self.records()
        rows = records[1:] if _plain_values(self) and len(records) > 1 else records
        return [record for record in rows if record["kind"] == rows[0]["kind"]]

    def view(self) -> View:
        """Return how it is shown: headline, tables, charts and notes."""
        view: View = _display().make_view(self)
        return view

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame."""
        return to_pandas(self.rows())

    def to_polars(self) -> Any:
        """Return the rows as a polars DataFrame."""
        return to_polars(self.rows())

    def to_markdown(self) -> str:
        """Return what is printed of it as Markdown."""
        return self._draw(form="markdown")

    def to_latex(self) -> str:
        """Return what is printed of it as LaTeX: tables for a document with booktabs, sentences as comments."""
        return self._draw(form="latex")

    def __str__(self) -> str:
        return self._draw()

    def _repr_html_(self) -> str:
        html: str = _display().draw_html(self.view())
        return html

    def _draw(self, form: str = "text") -> str:
        text: str = _display().draw_text(self.view(), form=form)
        return text


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


class PlainField(NamedTuple):
    """A field of a record: the attributes that lead to its value, and its type."""

    path: tuple[str, ...]
    type: Any


@cache
def plain_fields(cls: type) -> dict[str, PlainField]:
    """Return the fields of a record by name: numbers, texts, lists and mappings of them, as the class annotates them.

    They follow from the types and not from the values, so that every record of a kind has the same fields, whatever is
    empty or None. `assay schema` describes them.
    """
    plain: dict[str, PlainField] = {}
    for name, hint in field_types(cls).items():
        inner = without_none(hint)
        if is_plain(inner):
            plain[name] = PlainField((name,), hint)
        elif is_record(inner) and not issubclass(inner, Result):
            parts = plain_fields(inner)
            names = [k for k in ("value", "low", "high") if k in parts] if "value" in parts else list(parts)
            for part in names:
                path, part_type = parts[part]
                part_type = part_type if inner is hint else part_type | None
                plain[name if part == "value" else f"{name}_{part}"] = PlainField((name, *path), part_type)
    return plain


def _display() -> Any:
    """Return the package that shows results, which is above this one and imports it."""
    from ..registry import provider

    return provider("display")


def field_types(cls: type) -> dict[str, Any]:
    """Return the fields of a dataclass or named tuple with their types; those with `field(repr=False)` are left out."""
    names = [f.name for f in fields(cls) if f.repr] if is_dataclass(cls) else getattr(cls, "_fields", [])
    hints = get_type_hints(cls)
    return {name: hints[name] for name in names}


def without_none(hint: Any) -> Any:
    """Return a type without `| None`."""
    types = [part for part in get_args(hint) if part is not NoneType] if isinstance(hint, UnionType) else []
    return types[0] if len(types) == 1 else hint


def is_plain(hint: Any) -> bool:
    """Whether values of a type are numbers, texts, or lists or mappings of them."""
    origin, parts = get_origin(hint), [without_none(part) for part in get_args(hint) if part is not ...]
    if origin in (tuple, list, Sequence):
        return all(part in _SCALARS for part in parts)
    if origin in (dict, Mapping):
        return parts[1] in _SCALARS
    return hint in _SCALARS or origin is Literal


def is_record(hint: Any) -> bool:
    """Whether a type is a dataclass or a named tuple."""
    return isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields"))


def kind_of(cls: type) -> str:
    """Return the kind of the records of a row."""
    return getattr(cls, "kind", "") or cls.__name__.lower()


def _plain_values(record: Any) -> dict[str, Any]:
    cls: type = type(record)
    return {name: _follow(record, field.path) for name, field in plain_fields(cls).items()}


def _follow(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if value is None:
            return None
        value = getattr(value, name)
    if isinstance(value, (tuple, list)):
        return list(value)
    if isinstance(value, Mapping):
        return {str(key): v for key, v in value.items()}  # JSON has no other keys
    return value.item() if hasattr(value, "dtype") else value  # JSON has no numbers of NumPy


_MAX_COLUMNS = 8  # columns of a single row; more are written one below the other
_MAX_ROWS = 40  # rows of a table in a notebook; the data frame has all


def html_records(records: Sequence[Mapping[str, Any]], *, most: int = _MAX_ROWS) -> str:
    """Write records as an HTML table; rows beyond `most` are counted."""
    html_table = _display().draw_html_table
    if not records:
        return ""
    heads = list(records[0])
    if len(records) == 1 and len(heads) > _MAX_COLUMNS:
        row: str = html_table(["", ""], [[h, _cell(v)] for h, v in records[0].items()], [False, True])
        return row
    right = [isinstance(records[0][h], (int, float)) for h in heads]
    rows = [[_cell(record.get(h)) for h in heads] for record in records[:most]]
    rest = f"<p>{len(records) - most:,} more rows</p>" if len(records) > most else ""
    table: str = html_table(heads, rows, right)
    return table + rest


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
