"""Reading and writing files: one file per format of evaluation sets, and the folder is the list of them.

Files of scores, content units, documents, pairs of texts and plain lines have readers of their own, which are imported
from here as well: every input comes in through this package.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..component import Folder
from ..data.evalset import EvalSet
from ..data.item import Item
from ..errors import FormatError, UnknownName
from ._io.chunks import Stream
from ._io.format import Format
from ._io.pipes import is_pipe, rereadable
from ._io.text_file import ReadProgress, StrPath, read_errors

Readable = StrPath | Any  # a file, or an object: a DataFrame, a dict of lists, a list of dicts, a dataset, an EvalSet
FORMATS = Folder(__name__, Format, kind="format", example="jsonl")

if TYPE_CHECKING:  # names that are loaded when they are first used
    from ._content_units import ItemUnits as ItemUnits
    from ._content_units import read_units as read_units
    from ._documents import Document as Document
    from ._documents import documents as documents
    from ._io.json_file import read_json_lines as read_json_lines
    from ._io.json_items import item_to_json as item_to_json
    from ._io.judgment_rows import JudgmentRow as JudgmentRow
    from ._io.layout import parse_columns as parse_columns
    from ._io.losses import PARTS as PARTS
    from ._io.losses import drop_parts as drop_parts
    from ._io.losses import drop_spellings as drop_spellings
    from ._io.losses import find_losses as find_losses
    from ._io.table_read import open_table as open_table
    from ._io.text_file import read_whole as read_whole
    from ._pairs import TextPair as TextPair
    from ._pairs import strip_pair as strip_pair
    from ._pairs import text_pairs as text_pairs
    from ._scores import ScoreRecord as ScoreRecord
    from ._scores import ScoreWriter as ScoreWriter
    from ._scores import read_scores as read_scores
    from ._scores import score_records as score_records
    from ._sources import names_items as names_items
    from ._sources import source_chunks as source_chunks
    from ._sources import text_lines as text_lines
    from .lines import from_lines as from_lines
    from .lines import name_systems as name_systems
    from .lines import stream_lines as stream_lines
else:
    from ..lazy import lazy_names

    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ["FORMATS", "Format", "ReadProgress", "Stream", "format_of", "names", "read", "stream", "write"]


def read(
    path: Readable,
    *,
    format: str | None = None,
    allow_missing: bool = False,
    strip_tags: bool = False,
    judgments: Readable | None = None,
    **options: Any,
) -> EvalSet:
    """Read the evaluation set in a file or folder; its name tells the format, unless `format` is given.

    An object is read too: a pandas or polars DataFrame, a dict of lists, a list of dicts, a Hugging Face dataset.

    `judgments` is a file of them beside this one. `strip_tags` takes sentence marks, HTML tags and entities out of the
    texts; without it a warning counts them.
    `options` are the format's own: tables take further files as `references` and `items`, and, as JSON, `columns`,
    which says what each column is: {"output": "prediction", "reference": ["ref0", "ref1"]}.

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
    return stream(
        path, format=format, allow_missing=allow_missing, strip_tags=strip_tags, judgments=judgments, **options
    ).read()


def stream(
    path: Readable,
    *,
    format: str | None = None,
    batch: int = 4096,
    allow_missing: bool = False,
    passes: int = 1,
    strip_tags: bool = False,
    judgments: Readable | None = None,
    **options: Any,
) -> Stream:
    """Read in chunks of at most `batch` items, for files that do not fit in memory. "-" is standard input.

    `judgments` is a file of them beside this one, of any format, whose ids are those of the items here.

    A pipe is read as it comes where one pass will do. It is kept in a temporary file where the format, or the caller
    (`passes` above 1), reads it more than once.
    """
    if not isinstance(path, str | os.PathLike):
        return _stream_object(
            path, batch=batch, allow_missing=allow_missing, strip_tags=strip_tags, judgments=judgments, options=options
        )
    file_format = _input_format(path, format)
    if judgments is not None and _joins_on_disk(file_format, judgments):
        options, judgments = {**options, "judgments": judgments}, None
    _refuse_unknown(options, file_format, file_format.read_items)
    if passes > 1 or not file_format.one_pass:
        path = rereadable(path)
    options = {name: _rereadable_option(value) for name, value in options.items()}
    chunks = Stream(
        lambda progress: file_format.read_items(path, progress=progress, **options),
        path=path,
        batch=batch,
        allow_missing=allow_missing,
        once=is_pipe(path),
        markup="strip" if strip_tags else "warn",
    )
    return _finish(chunks, judgments, options.get("columns"))


def _stream_object(
    data: Any,
    *,
    batch: int,
    allow_missing: bool,
    strip_tags: bool,
    judgments: Readable | None,
    options: Mapping[str, Any],
) -> Stream:
    """Stream the items of an object in memory, by the names of its columns."""
    from ._io.table_read import read_rows
    from ._objects import object_rows

    if unknown := next((name for name in options if name != "columns"), None):
        raise UnknownName("option of an object in memory", unknown, ["columns"], hint="(it takes columns, judgments)")
    if isinstance(data, EvalSet):
        whole = Stream(lambda progress: iter(data), path="the EvalSet", batch=batch, allow_missing=data.allow_missing)
        return _finish(whole, judgments)
    rows = object_rows(data)
    chunks = Stream(
        lambda progress: read_rows(rows, progress=progress, columns=options.get("columns")),
        path=rows.path,
        batch=batch,
        allow_missing=allow_missing,
        markup="strip" if strip_tags else "warn",
    )
    return _finish(chunks, judgments, options.get("columns"))


def _finish(chunks: Stream, judgments: Readable | None, columns: Mapping[str, Any] | None = None) -> Stream:
    return chunks if judgments is None else with_judgments(chunks, judgments, columns=columns)


def with_judgments(chunks: Stream, judgments: Readable, *, columns: Mapping[str, Any] | None = None) -> Stream:
    """Return the stream with the judgments of another file added; ids that do not meet are an error with examples."""
    from ._io.judgment_rows import merge_judgments

    read_rows, name = _judgment_reader(judgments, columns)

    def add_judgments(items: Iterator[Item], progress: ReadProgress) -> Iterator[Item]:
        beside = progress.companion()
        yield from merge_judgments(items, read_rows(beside), name, chunks.path)
        of_both = (progress.recognized, beside.recognized and f"{name}: {beside.recognized}")
        progress.recognized = "; ".join(filter(None, of_both))

    return chunks.through(add_judgments)


def _judgment_reader(
    judgments: Readable, columns: Mapping[str, Any] | None
) -> tuple[Callable[[ReadProgress], Iterator[JudgmentRow]], str]:
    """Return the function that reads judgments of a file or an object, and its name."""
    if isinstance(judgments, str | os.PathLike):
        path = rereadable(judgments)
        file_format = _input_format(path, None)
        return lambda progress: file_format.read_judgments(path, columns=columns, progress=progress), str(path)
    from ._io.judgment_rows import item_judgments, table_judgments
    from ._objects import object_rows

    if isinstance(judgments, EvalSet):
        return lambda progress: item_judgments(judgments), "the EvalSet"
    rows = object_rows(judgments)
    return lambda progress: table_judgments(rows, progress=progress, columns=columns), str(rows.path)


def _joins_on_disk(file_format: Format, judgments: Readable) -> bool:
    """Tell whether this is a table of judgments as we write it, which tables join without holding it in memory."""
    from ._io.columns import has_own_headers
    from ._io.format import TableFormat
    from ._io.table_read import open_table

    if not isinstance(file_format, TableFormat) or not isinstance(judgments, str | os.PathLike):
        return False
    if not os.path.isfile(judgments) or format_of(judgments) not in ("csv", "parquet"):
        return False
    return has_own_headers(open_table(judgments).headers)


def write(data: EvalSet | Stream, path: StrPath, *, format: str | None = None, **options: Any) -> None:
    """Write an evaluation set; the file or folder appears whole or not at all.

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
    file_format = FORMATS.build(format) if format is not None else _format_by_ending(path)
    if file_format is None:
        raise _unknown_format(path)
    _refuse_unknown(options, file_format, file_format.write_items)
    file_format.write_items(_StreamItems(data) if isinstance(data, Stream) else data, path, **options)


def format_of(path: StrPath, *, look: bool = True) -> str | None:
    """Return the name of the format that a file's name or (with `look`) its beginning tells; None if neither does.

    >>> format_of("set.csv.gz"), format_of("notes.md")
    ('csv', None)
    """
    if look:
        from ._io.own_format import own_format  # reads JSON, for which the import of the package does not pay

        if own := own_format(Path(path)):
            return own
    formats = (cls() for cls in FORMATS.classes) if look else ()
    file_format = next((each for each in formats if each.recognizes(Path(path))), None) or _format_by_ending(path)
    return None if file_format is None else file_format.name


def names() -> list[str]:
    """List the names of the formats."""
    return sorted(name for name, _ in FORMATS.examples())


def _refuse_unknown(options: Mapping[str, Any], file_format: Format, function: Callable[..., Any]) -> None:
    """Raise where the format's function does not take an option; the error lists those it takes."""
    parameters = inspect.signature(function).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "progress"]
    for option in options:
        if option not in known:
            hint = f"(this format takes {', '.join(known) or 'none'})"
            raise UnknownName(f"option of format {file_format.name}", option, known, hint=hint)


class _StreamItems(Iterable[Item]):
    """The items of a stream, as often as they are asked for."""

    def __init__(self, chunks: Stream) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[Item]:
        return self._chunks.entries()


def _rereadable_option(value: Any) -> Any:
    """Return an option with pipes in it kept in files; other values as they are."""
    if isinstance(value, list | tuple):
        return [_rereadable_option(each) for each in value]
    return rereadable(value) if is_pipe(value) else value


def _input_format(path: StrPath, format: str | None) -> Format:
    if os.fspath(path) == "-":
        return FORMATS.build(format or "jsonl")
    with read_errors(path):
        os.stat(path)  # raises what is wrong with it
        if format is not None:
            return FORMATS.build(format)
        name = format_of(path)
    if name is None:
        raise _unknown_format(path)
    return FORMATS.build(name)


def _format_by_ending(path: StrPath) -> Format | None:
    ending = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    return next((cls() for cls in FORMATS.classes if ending and ending in cls.endings), None)


def _unknown_format(path: StrPath) -> FormatError:
    if Path(path).is_dir():
        return FormatError("is a folder that holds no tables (outputs.csv, outputs.parquet) and no out/", path=path)
    known = ", ".join(ending for cls in FORMATS.classes for ending in cls.endings)
    message = f"the name does not tell the format; use one of {known} or give format= ({', '.join(names())})"
    return FormatError(message, path=path)
