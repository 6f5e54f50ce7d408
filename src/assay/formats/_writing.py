"""Write evaluation sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..data.evalset import EvalSet
from ..data.item import Item
from ._io.chunks import Stream
from ._io.text_file import StrPath
from ._known import FORMATS, format_by_ending, refuse_unknown, unknown_format


def write(data: EvalSet | Stream, path: StrPath, *, format: str | None = None, **options: Any) -> None:
    """Write an evaluation set; the file or folder appears whole or not at all.

    `options` are the format's own: CSV takes `escape_formulas` (True), against texts that spreadsheets would run.

    >>> import pathlib, tempfile
    >>> from assay.formats import read
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
    file_format = FORMATS.build(format) if format is not None else format_by_ending(path)
    if file_format is None:
        raise unknown_format(path)
    refuse_unknown(options, file_format, file_format.write_items)
    file_format.write_items(_StreamItems(data) if isinstance(data, Stream) else data, path, **options)


class _StreamItems(Iterable[Item]):
    """The items of a stream, as often as they are asked for."""

    def __init__(self, chunks: Stream) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[Item]:
        return self._chunks.entries()
