"""Reading and writing evaluation sets: one small file per format, and the folder is the list of them.

A format is a module here with `NAMES`, `SUFFIXES`, `items(path, ...)` and `write(items, path)`, and perhaps
`recognises(path)` where the name of a file does not tell, and `ONE_PASS` where a pipe need not be kept to be read.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ..data.evalset import EvalSet, Item
from ..errors import FormatError, UnknownName
from ._io.chunks import Stream
from ._io.spool import is_pipe, rereadable
from ._io.textfile import StrPath, read_errors

__all__ = ["Stream", "format_of", "from_lines", "names", "read", "stream", "stream_lines", "write"]


def read(path: StrPath, *, format: str | None = None, allow_missing: bool = False, **options: Any) -> EvalSet:
    """The evaluation set in a file or folder; the format is told by the name, or given.

    `options` are the format's own: tables take further files as `references`, `judgments` and `items`.

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "set.jsonl")
    >>> _ = file.write_text('{"id": "1", "references": ["a b"], "outputs": {"A": "a"}}')
    >>> read(file)
    EvalSet(1 items, 1 systems)
    >>> [len(chunk) for chunk in stream(file, batch=4096)]
    [1]
    >>> folder.cleanup()
    """
    return stream(path, format=format, allow_missing=allow_missing, **options).read()


def stream(
    path: StrPath,
    *,
    format: str | None = None,
    batch: int = 4096,
    allow_missing: bool = False,
    passes: int = 1,
    **options: Any,
) -> Stream:
    """The same in chunks of at most `batch` items, for files that do not fit in memory. "-" is standard input.

    A pipe is read as it comes where one pass will do. It is kept in a temporary file where the format, or the caller
    (`passes` above 1), goes through it more than once.
    """
    module = _of_input(path, format)
    _refuse_unknown(options, module, module.items)
    if passes > 1 or not getattr(module, "ONE_PASS", False):
        path = rereadable(path)
    options = {name: _rereadable_option(value) for name, value in options.items()}
    return Stream(
        lambda progress: module.items(path, progress=progress, **options),
        path=path,
        batch=batch,
        allow_missing=allow_missing,
        once=is_pipe(path),
    )


def write(data: EvalSet | Stream, path: StrPath, *, format: str | None = None, **options: Any) -> None:
    """Writes an evaluation set; the file or folder appears whole or not at all.

    `options` are the format's own: CSV takes `escape_formulas` (True), against texts that spreadsheets would run.

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> data = EvalSet.from_texts({"A": ["a b", "c"]}, ["a", "c d"])
    >>> file = pathlib.Path(folder.name, "set.csv")
    >>> write(data, file)
    >>> print(file.read_text())
    item,system,text,reference
    1,A,a b,a
    2,A,c,c d
    <BLANKLINE>
    >>> read(file) == data
    True
    >>> folder.cleanup()
    """
    module = _named(format) if format is not None else _by_suffix(path)
    if module is None:
        raise _untold(path)
    _refuse_unknown(options, module, module.write)
    module.write(_Each(data) if isinstance(data, Stream) else data, path, **options)


def format_of(path: StrPath, *, look: bool = True) -> str | None:
    """The name of the format that a file's name tells, or (with `look`) its beginning; None if neither does.

    >>> format_of("set.csv.gz"), format_of("notes.md")
    ('csv', None)
    """
    able = (module for module in _modules() if look and hasattr(module, "recognises"))
    module = next((module for module in able if module.recognises(Path(path))), None) or _by_suffix(path)
    return None if module is None else str(module.NAMES[0])


def names() -> list[str]:
    """The formats there are."""
    return sorted(name for module in _modules() for name in module.NAMES)


def _refuse_unknown(options: Mapping[str, Any], module: ModuleType, function: Callable[..., Any]) -> None:
    """The format's function must take every option; the error lists those it takes."""
    parameters = inspect.signature(function).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "progress"]
    for option in options:
        if option not in known:
            hint = f"(this format takes {', '.join(known) or 'none'})"
            raise UnknownName(f"option of format {module.NAMES[0]}", option, known, hint=hint)


class _Each(Iterable[Item]):
    """The items of a stream, as often as they are asked for."""

    def __init__(self, chunks: Stream) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[Item]:
        return self._chunks.items()


def _rereadable_option(value: Any) -> Any:
    """An option with pipes in it kept in files; other values as they are."""
    if isinstance(value, list | tuple):
        return [_rereadable_option(each) for each in value]
    return rereadable(value) if is_pipe(value) else value


@cache
def _modules() -> tuple[ModuleType, ...]:
    found = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return tuple(module for module in found if hasattr(module, "NAMES"))


def _named(format: str) -> ModuleType:
    for module in _modules():
        if format in module.NAMES:
            return module
    raise UnknownName("format", format, names(), hint=f"(known: {', '.join(names())})")


def _of_input(path: StrPath, format: str | None) -> ModuleType:
    if os.fspath(path) == "-":
        return _named(format or "jsonl")
    with read_errors(path):
        os.stat(path)  # raises what is wrong with it
        if format is not None:
            return _named(format)
        name = format_of(path)
    if name is None:
        raise _untold(path)
    return _named(name)


def _by_suffix(path: StrPath) -> ModuleType | None:
    suffix = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    return next((module for module in _modules() if suffix and suffix in module.SUFFIXES), None)


def _untold(path: StrPath) -> FormatError:
    if Path(path).is_dir():
        return FormatError("is a folder that holds no tables (outputs.csv, outputs.parquet) and no out/", path=path)
    known = ", ".join(suffix for module in _modules() for suffix in module.SUFFIXES)
    message = f"the name does not tell the format; use one of {known} or give format= ({', '.join(names())})"
    return FormatError(message, path=path)


def __getattr__(name: str) -> Any:
    if name in ("from_lines", "stream_lines"):  # the same names as in the module `lines`, without loading it yet
        return getattr(importlib.import_module(f"{__name__}.lines"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
