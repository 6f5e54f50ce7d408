"""Rows made of records: JSON objects, rows of a data frame or a data set, rows of a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, time
from itertools import islice
from math import isfinite
from typing import Any

from ...errors import FormatError
from .cells import parse_texts
from .columns import Kind, MatchedColumn
from .csv_rows import NO_NUMBER, SAMPLE
from .evidence import SYSTEM_KEYS
from .layout import Holds
from .roles import LANGUAGES, WEAK_TEXTS, fold, role_of_header
from .text_file import ReadProgress, StrPath

TEXT_ROLES = ("reference", "source", "output", "system")
Record = Mapping[str, Any]
Records = Callable[[ReadProgress], Iterator[tuple[int, Record]]]  # number (of a row or line) and record; re-iterable


class RecordReader:
    """Records as rows of a table: keys are columns, and keys of nested objects are reached by a dot.

    `place` says how the number of a record is written: "{path}:{row}" for lines. With `lenient` a number may stand
    where a text is due, as in spreadsheets, which take "42" for a number. `system` is the name of the outputs where no
    column tells it, and they are not called after the file.
    """

    def __init__(
        self,
        path: StrPath,
        records: Records,
        *,
        place: str = "{path}: row {row}",
        lenient: bool = False,
        system: str | None = None,
    ) -> None:
        self.path, self._records, self._place, self._lenient = path, records, place, lenient
        self.system = system
        self._holds = _sample(records)
        self.headers = list(self._holds)

    def holds(self) -> dict[str, Holds]:
        """Return what each column holds, by the first records."""
        return self._holds

    def place(self, row: int) -> str:
        """Return where a row is."""
        return self._place.format(path=self.path, row=row)

    def error_at(self, row: int, message: str) -> FormatError:
        """Return an error about a row."""
        return FormatError(f"{self.place(row)}: {message}")

    def rows(self, columns: Sequence[MatchedColumn], progress: ReadProgress) -> Iterator[tuple[Any, ...]]:
        """Yield number and values of every record."""
        reads = dict(READ)
        if self._lenient:
            reads |= {"text": _lenient_text, "passage": _lenient_text}
        cells = [(matched.header, reads[matched.column.kind]) for matched in columns]
        known = {header.partition(".")[0] for header in self.headers}
        for number, record in self._records(progress):
            if not known.issuperset(record):
                self._refuse_new_role(number, record, known)
            try:
                yield (number, *[read(_value(record, header), header) for header, read in cells])
            except ValueError as error:
                raise self.error_at(number, str(error)) from error

    def _refuse_new_role(self, number: int, record: Record, known: set[str]) -> None:
        """Raise where a record has a text that the first records do not have: it would be left out in silence."""
        for key in record.keys() - known:
            named = role_of_header(str(key))
            if named and named[0] in TEXT_ROLES and record[key] not in (None, "") and not isinstance(record[key], int):
                raise self.error_at(
                    number,
                    f"{key!r} names the {named[0]}, and none of the first {SAMPLE:,} records has this key; give all "
                    "the same keys",
                )
        known.update(map(str, record))


def _value(record: Record, header: str) -> Any:
    if header in record or "." not in header:
        return record.get(header)
    value: Any = record
    for key in header.split("."):
        if _is_chat(value):
            value = _split_chat(value).get(key)
        elif _is_one_choice(value):
            value = value[0] if key == "0" else None
        else:
            value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _is_chat(value: Any) -> bool:
    """Check if a value is a list of messages: {"role": "user", "content": "..."}."""
    return (
        bool(value)
        and isinstance(value, list)
        and all(
            isinstance(turn, Mapping) and isinstance(turn.get("role"), str) and isinstance(turn.get("content"), str)
            for turn in value
        )
    )


def _split_chat(turns: Sequence[Record]) -> dict[str, str]:
    """Return the texts of a chat by role: the answer is what follows the last message of the user.

    >>> _split_chat([{"role": "user", "content": "a b"}, {"role": "assistant", "content": "b"}])
    {'user': 'a b', 'assistant': 'b'}
    """
    texts: dict[str, str] = {}
    for turn in turns:
        if turn["role"] == "user":
            texts.pop("assistant", None)
        texts[turn["role"]] = turn["content"]
    return texts


def _is_one_choice(value: Any) -> bool:
    """Check if a value is the one answer of a model, as in the `choices` of an API."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping) and "message" in value[0]


def _sample(records: Records) -> dict[str, Holds]:
    """Return what each key holds in the first records; objects are opened, unless they hold a text per system."""
    kinds: dict[str, set[str]] = {}
    for _, record in islice(records(ReadProgress()), SAMPLE):
        _look(record, "", kinds)
    return {header: _value_kind(kinds_seen) for header, kinds_seen in kinds.items()}


def _look(record: Record, prefix: str, kinds: dict[str, set[str]]) -> None:
    for key, value in record.items():
        header = f"{prefix}{key}"
        if isinstance(value, Mapping) and value and not _is_systems(str(key), value):
            if len(prefix.split(".")) < 6:
                _look(value, f"{header}.", kinds)
        elif _is_chat(value):
            _look(_split_chat(value), f"{header}.", kinds)
        elif _is_one_choice(value):
            _look(value[0], f"{header}.0.", kinds)
        else:
            kinds.setdefault(header, set()).add(_kind_of(value))


def _is_systems(key: str, value: Record) -> bool:
    if not all(isinstance(text, str) or text is None for text in value.values()):
        return False
    if fold(key) in WEAK_TEXTS:  # {"summary": {"bart": ...}}, and not {"translation": {"de": ...}}
        return not LANGUAGES.issuperset(value) and not any(role_of_header(str(name)) for name in value)
    return fold(key) in SYSTEM_KEYS and not {"text", "content"} & {fold(str(name)) for name in value}


def _kind_of(value: Any) -> str:
    if value is None or _is_nan(value):
        return "empty"
    if isinstance(value, str):
        return "empty" if value.strip().lower() in NO_NUMBER else "digits" if _is_digits(value) else "text"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, Mapping):
        return "systems"
    if isinstance(value, date | time):
        return "date"
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        return "other"
    parts = {_kind_of(part) for part in value}
    for kind, name in (("systems", "records"), ("number", "numbers")):
        if parts == {kind}:
            return name
    return "texts" if parts <= {"text", "digits", "empty"} else "other"


def _value_kind(kinds_seen: set[str]) -> Holds:
    kinds_seen = kinds_seen - {"empty"}
    if not kinds_seen:
        return "empty"
    if (kinds_seen <= {"number", "date"} and "number" in kinds_seen) or kinds_seen == {"digits"}:
        return "number"  # a date among numbers is an error, with its place, when the row is read
    if kinds_seen <= {"text", "digits", "number", "date"}:
        return "text" if kinds_seen & {"text", "digits"} else "other"
    if kinds_seen <= {"texts", "text", "digits"}:
        return "texts"
    for kind in ("systems", "records", "numbers"):
        if kinds_seen == {kind}:
            return kind
    return "records" if "records" in kinds_seen else "other"


def _is_digits(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value


def _describe(value: Any) -> str:
    if isinstance(value, str):
        return repr(value[:40])
    if isinstance(value, bool):
        return f"{value!r}".lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, date | time):
        return f"the date {value} (a number that a spreadsheet took for a date?)"
    kind = (
        "an object" if isinstance(value, Mapping) else "a list" if isinstance(value, Sequence) else type(value).__name__
    )
    return f"{kind}, {str(value)[:40]}"


def _name(value: Any, header: str) -> str | None:
    if value is None or value == "" or _is_nan(value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    raise ValueError(f"{header!r} should be a name or a whole number; it is {_describe(value)}")


def _text(value: Any, header: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if _is_nan(value):
        return None
    if isinstance(value, Sequence) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    if isinstance(value, Sequence) and len(value) > 1:
        raise ValueError(f"{header!r} holds {len(value)} texts; expected 1; give a text per system, {{name: text}}")
    raise ValueError(f"{header!r} should be a text; it is {_describe(value)}")


def _lenient_text(value: Any, header: str) -> str | None:
    plain = isinstance(value, int | float) and not isinstance(value, bool) and not _is_nan(value)
    return f"{value:.15g}" if plain else _text(value, header)


def _passage(value: Any, header: str) -> str | None:
    return None if value is None or _is_nan(value) else _text(value, header)


def _texts(value: Any, header: str) -> list[str | None] | None:
    if value is None or isinstance(value, str) or _is_nan(value):
        return [value] if isinstance(value, str) else None
    if isinstance(value, Sequence):
        return [_text(text, header) for text in value]
    raise ValueError(f"{header!r} should be a text or a list of texts; it is {_describe(value)}")


def _mixed_texts(value: Any, header: str) -> Sequence[str | None] | None:
    return parse_texts(value) if isinstance(value, str) else _texts(value, header)


def _number(value: Any, header: str) -> float | None:
    if value is None or _is_nan(value) or (isinstance(value, str) and value.strip().lower() in NO_NUMBER):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{header!r} should be a number; it is {_describe(value)}")
    return number


def _numbers(value: Any, header: str) -> list[float | None] | None:
    if value is None or isinstance(value, int | float):
        return None if value is None else [_number(value, header)]
    return [_number(number, header) for number in value]


def _systems(value: Any, header: str) -> dict[str, str | None]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{header!r} should hold a text per system, {{name: text}}; it is {_describe(value)}")
    return {str(name): _text(text, f"{header}.{name}") for name, text in value.items()}


def _entries(value: Any, header: str) -> list[dict[str, Any]] | None:
    """Return the objects of a list; a text among references stands for itself."""
    if value is None:
        return None
    entries = [value] if isinstance(value, str | Mapping) else value
    if not isinstance(entries, Sequence) or not all(isinstance(entry, str | Mapping) for entry in entries):
        raise ValueError(f"{header!r} should be a list of objects; it is {_describe(value)}")
    return [{"text": entry} if isinstance(entry, str) else dict(entry) for entry in entries]


READ: dict[Kind, Callable[[Any, str], Any]] = {
    "name": _name,
    "text": _text,
    "passage": _passage,
    "texts": _texts,
    "mixed": _mixed_texts,
    "number": _number,
    "count": _number,
    "numbers": _numbers,
    "systems": _systems,
    "records": _entries,
}
