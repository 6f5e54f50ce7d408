"""Plain text to work on: a line, a cluster of lines or a row of columns is an item with sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from ..data.evalset import EvalSet
from ..data.item import Item
from ._io.columns import ITEM
from ._io.markup import strip_markup
from ._io.text_file import ReadProgress, StrPath, read_texts


def text_lines(path: StrPath, *, progress: ReadProgress | None = None, strip_tags: bool = False) -> Iterator[str]:
    """Yield each line without its end; gzip or not, "-" for standard input."""
    lines = (text.rstrip("\r\n") for text in read_texts(path, progress or ReadProgress()))
    return (strip_markup(line, breaks=" ") for line in lines) if strip_tags else lines


def source_chunks(
    path: StrPath,
    *,
    of: str = "line",
    columns: int | None = None,
    batch: int = 64,
    progress: ReadProgress | None = None,
    strip_tags: bool = False,
) -> Iterator[EvalSet]:
    """Yield sets of at most `batch` items: a line, a cluster of lines up to an empty one, or a row is an item.

    A row is a line with a source in each column, tabs between; `columns` takes the first few of them. "-" is standard
    input. A file without lines gives no set.
    """
    texts = enumerate(text_lines(path, progress=progress, strip_tags=strip_tags), 1)
    sources: Iterable[tuple[int, tuple[str, ...]]]
    if of == "cluster":
        sources = _paragraphs(texts)
    elif of == "row":
        sources = ((number, tuple(text.split("\t")[:columns])) for number, text in texts)
    else:
        sources = ((number, (text,)) for number, text in texts)
    items = (
        Item(str(count), sources=some, where=f"{path}:{number}") for count, (number, some) in enumerate(sources, 1)
    )
    while chunk := list(islice(items, batch)):
        yield EvalSet(chunk)


def _paragraphs(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for filled, group in groupby(texts, key=lambda numbered: bool(numbered[1].strip())):
        if filled:
            lines_of = list(group)
            yield lines_of[0][0], tuple(text for _, text in lines_of)


def names_items(path: StrPath) -> bool:
    """Check if the first line of a tab-separated file names a column of items: else it is rows of texts."""
    first = next(text_lines(path), "")
    names = {name.strip().lower() for name in first.split("\t")}
    return not names.isdisjoint((ITEM.name, *ITEM.aliases))
