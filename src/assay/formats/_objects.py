"""Objects in Python as evaluation sets: data frames, dicts of lists, lists of dicts, Hugging Face datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..data.sequences import is_table, preview
from ..errors import FormatError, InputError
from ._io.json_records import list_records
from ._io.record_rows import Record, RecordReader

ACCEPTED = (
    "a file name, a pandas or polars DataFrame, a dict of lists, a list of dicts, a Hugging Face dataset or an EvalSet"
)


def object_rows(data: Any) -> RecordReader:
    """Return the rows of an object in memory, to be read as those of a file are.

    >>> object_rows({"prediction": ["a b"], "reference": ["a"]}).headers
    ['prediction', 'reference']
    """
    name = f"the {type(data).__name__}"
    rows = _find_rows(data, name)
    if next(rows(), None) is None:
        raise FormatError("there are no items in it", path=name)
    return RecordReader(name, lambda progress: enumerate(rows(), 1), system="system")


def _find_rows(data: Any, name: str) -> Callable[[], Iterator[Record]]:
    if isinstance(data, Mapping):
        return _mapping_rows(data, name)
    if hasattr(data, "collect") and hasattr(data, "lazy"):
        raise InputError(f"{name} is not computed yet; give data.collect()")
    if hasattr(data, "column_names") and hasattr(data, "to_pylist"):  # an Arrow table
        return lambda: iter(data.to_pylist())
    if is_table(data):
        return _frame_rows(data)
    if hasattr(data, "column_names") and hasattr(data, "__iter__"):  # a Hugging Face dataset: iterates over its rows
        return lambda: ({key: _plain(value) for key, value in row.items()} for row in data)
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _list_rows(data, name)
    raise InputError(f"cannot read {preview(data)} as an evaluation set: give {ACCEPTED}")


def _list_rows(data: Sequence[Any], name: str) -> Callable[[], Iterator[Record]]:
    if data and all(isinstance(entry, str) for entry in data):
        raise InputError(
            "a list of texts does not say what they are; give assay.score(outputs, references, metric), "
            "EvalSet.from_texts(outputs, references), or a dict: {'output': [...], 'reference': [...]}"
        )
    records = [{k: _plain(v) for k, v in record.items()} for record in list_records(data, name)]
    return lambda: iter(records)


def _mapping_rows(data: Mapping[Any, Any], name: str) -> Callable[[], Iterator[Record]]:
    splits = [str(key) for key, value in data.items() if hasattr(value, "column_names")]
    if splits:
        raise InputError(f"{name} holds several datasets ({', '.join(splits)}); give one of them: data[{splits[0]!r}]")
    records = list_records({str(key): _plain(value) for key, value in data.items()}, name)
    return lambda: iter(records)


def _frame_rows(data: Any) -> Callable[[], Iterator[Record]]:
    """Return the rows of a data frame; an index that has a name is a column too."""
    levels = getattr(getattr(data, "index", None), "names", None) or ()
    if any(level is not None for level in levels) and hasattr(data, "reset_index"):
        data = data.reset_index()
    names = [str(name) for name in data.columns]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FormatError(f"two columns are called {twice!r}", path=f"the {type(data).__name__}")

    def rows() -> Iterator[Record]:
        columns = [_plain(data[name]) for name in data.columns]
        return (dict(zip(names, map(_plain, row), strict=True)) for row in zip(*columns, strict=True))

    return rows


def _plain(value: Any) -> Any:
    """Return arrays, Series and scalars of NumPy, pandas and polars as Python values; a missing value as None."""
    if value is None or isinstance(value, str | int | float):
        return None if value != value else value
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    for method in ("tolist", "to_list"):
        if hasattr(value, method):
            return _plain(getattr(value, method)())
    return None if type(value).__name__ in ("NAType", "NaTType") else value
