"""Read evaluation sets: whole or in chunks, with the judgments of another file, or judgments alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any

from ..data.evalset import EvalSet
from ..data.facets import state_facets, states_facets_only
from ..data.item import Item
from ..errors import UnknownName
from ._io.chunks import BATCH, Chunk, Stream
from ._io.format import Format
from ._io.pipes import is_pipe, rereadable
from ._io.text_file import ReadProgress, StrPath
from ._known import format_of, input_format, refuse_unknown

if TYPE_CHECKING:
    from ._io.judgment_rows import JudgmentRow

Readable = StrPath | Any  # a file, or an object: a DataFrame, a dict of lists, a list of dicts, a dataset, an EvalSet


def read(
    path: Readable,
    *,
    format: str | None = None,
    allow_missing: bool = False,
    strip_tags: bool = False,
    strict: bool = False,
    judgments: Readable | None = None,
    **options: Any,
) -> EvalSet:
    """Read the evaluation set in a file or folder; its name tells the format, unless `format` is given.

    An object is read too: a pandas or polars DataFrame, a dict of lists, a list of dicts, a Hugging Face dataset. A
    list of files (or of these objects) is a set with a system for each, joined by id; files of `references` and of
    `sources` may be given with them.

    `judgments` is a file of them next to this one. `strip_tags` takes sentence marks, HTML tags and entities out of the
    texts; without it a warning counts them. `strict` refuses files with faults that readers mend and note otherwise
    (`reading.notes`).
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
        path,
        format=format,
        allow_missing=allow_missing,
        strip_tags=strip_tags,
        strict=strict,
        judgments=judgments,
        **options,
    ).read()


def stream(
    path: Readable,
    *,
    format: str | None = None,
    batch: int = BATCH,
    allow_missing: bool = False,
    passes: int = 1,
    strip_tags: bool = False,
    strict: bool = False,
    judgments: Readable | None = None,
    **options: Any,
) -> Stream:
    """Read in chunks of at most `batch` items, for files that do not fit in memory. "-" is standard input.

    `judgments` is a file of them next to this one, of any format, with the ids of the items here.

    A pipe is read as it comes where one pass will do. It is kept in a temporary file where the format, or the caller
    (`passes` above 1), reads it more than once.
    """
    if isinstance(options.get("columns"), str):
        from ._io.layout import parse_columns

        options["columns"] = parse_columns(options["columns"])
    if _are_runs(path):
        chunks = _stream_runs(path, format, batch, allow_missing, strip_tags, options)
        return _finish(chunks, judgments, options.get("columns"))
    if not isinstance(path, str | os.PathLike):
        return _stream_object(
            path, batch=batch, allow_missing=allow_missing, strip_tags=strip_tags, judgments=judgments, options=options
        )
    file_format = input_format(path, format, stated=bool(options.get("columns")))
    if judgments is not None and _joins_on_disk(file_format, judgments):
        options, judgments = {**options, "judgments": judgments}, None
    facets: Mapping[str, Any] | None = None
    if states_facets_only(options.get("columns")) and "columns" not in signature(file_format.read_items).parameters:
        facets = options.pop("columns")
    refuse_unknown(options, file_format, file_format.read_items)
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
        chunks=_chunk_reader(file_format, path, batch, options),
        format=file_format.name,
        strict=strict,
    )
    if facets is not None:
        stated = facets
        chunks = chunks.through(lambda items, progress: state_facets(items, stated, path))
    return _finish(chunks, judgments, options.get("columns"))


def _are_runs(data: object) -> bool:
    """Check if this is a list of files, sets or data frames to be joined, and not one of texts or records."""
    if not isinstance(data, list | tuple) or not data:
        return False
    files = all(os.path.exists(entry) if isinstance(entry, str) else isinstance(entry, os.PathLike) for entry in data)
    return files or all(isinstance(entry, EvalSet) or hasattr(entry, "columns") for entry in data)


def _stream_runs(
    runs: Any, format: str | None, batch: int, allow_missing: bool, strip_tags: bool, options: Mapping[str, Any]
) -> Stream:
    """Stream the items of several files, joined."""
    from ._join import stream_joined

    known = ("columns", "references", "sources")
    if unknown := next((name for name in options if name not in known), None):
        raise UnknownName("option of several files", unknown, known, hint=f"(they take {', '.join(known)})")
    references = options.get("references") or ()
    return stream_joined(
        runs,
        [references] if isinstance(references, str | os.PathLike) else references,
        options.get("sources"),
        format=format,
        columns=options.get("columns"),
        batch=batch,
        allow_missing=allow_missing,
        strip_tags=strip_tags,
    )


def _chunk_reader(
    file_format: Format, path: StrPath, batch: int, options: Mapping[str, Any]
) -> Callable[[ReadProgress], Iterator[Chunk]] | None:
    """Return the function that reads many items at a time, where the format has one; it takes no options."""
    read_chunks = file_format.read_chunks
    if read_chunks is None or any(value is not None for value in options.values()):
        return None
    return lambda progress: read_chunks(path, batch=batch, progress=progress)


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
    from ..data.reading import Reading
    from ._io.judgment_rows import merge_judgments

    read_rows, name = _judgment_reader(judgments, columns)

    def add_judgments(items: Iterator[Item], progress: ReadProgress) -> Iterator[Item]:
        beside = progress.companion()
        yield from merge_judgments(items, read_rows(beside), name, chunks.path)
        own = progress.reading or Reading((str(chunks.path),), chunks.format)
        progress.reading = own.join(beside.reading or Reading((name,), ""))

    return chunks.through(add_judgments)


def read_judged(path: StrPath, *, format: str | None = None, columns: Mapping[str, Any] | None = None) -> EvalSet:
    """Read a file of judgments alone; the name of a system stands for its texts.

    For questions about raters, which look at texts only to see which were judged twice.
    """
    from ..data.reading import Reading
    from ._io.judgment_rows import judged_items

    progress = ReadProgress()
    path = rereadable(path)
    file_format = input_format(path, format, stated=bool(columns))
    items = judged_items(file_format.read_judgments(path, columns=columns, progress=progress), path)
    return EvalSet(items, allow_missing=True, reading=progress.reading or Reading((str(path),), file_format.name))


def _judgment_reader(
    judgments: Readable, columns: Mapping[str, Any] | None
) -> tuple[Callable[[ReadProgress], Iterator[JudgmentRow]], str]:
    """Return the function that reads judgments of a file or an object, and its name."""
    if isinstance(judgments, str | os.PathLike):
        path = rereadable(judgments)
        file_format = input_format(path, None, stated=bool(columns))
        return lambda progress: file_format.read_judgments(path, columns=columns, progress=progress), str(path)
    from ._io.judgment_rows import item_judgments, table_judgments
    from ._objects import object_rows

    if isinstance(judgments, EvalSet):
        return lambda progress: item_judgments(judgments), "the EvalSet"
    rows = object_rows(judgments)
    return lambda progress: table_judgments(rows, progress=progress, columns=columns), str(rows.path)


def _joins_on_disk(file_format: Format, judgments: Readable) -> bool:
    """Check if this is a table of judgments as we write it, which tables join without holding it in memory."""
    from ._io.columns import has_own_headers
    from ._io.format import TableFormat
    from ._io.table_read import open_table

    if not isinstance(file_format, TableFormat) or not isinstance(judgments, str | os.PathLike):
        return False
    if not os.path.isfile(judgments) or format_of(judgments) not in ("csv", "parquet"):
        return False
    return has_own_headers(open_table(judgments).headers)


def _rereadable_option(value: Any) -> Any:
    """Return an option with pipes in it kept in files; other values as they are."""
    if isinstance(value, list | tuple):
        return [_rereadable_option(each) for each in value]
    return rereadable(value) if is_pipe(value) else value
