"""Pairs of texts, a line each: two columns with a tab between, perhaps links such as 0-0 1-2 in a third."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import FormatError
from ._io.markup import strip_markup
from ._io.text_file import ReadProgress, StrPath, decode_line, read_lines

_LINKS = re.compile(r"[0-9]+-[0-9]+(?: [0-9]+-[0-9]+)*")


class TextPair(NamedTuple):
    """Two texts; `links` are places (token of a, token of b), None where the file has no such column."""

    a: str
    b: str
    links: frozenset[tuple[int, int]] | None
    line: int


def text_pairs(path: StrPath, *, progress: ReadProgress | None = None, strip_tags: bool = False) -> Iterator[TextPair]:
    """Yield the pairs of a file: the columns that a header calls `a`, `b` (and `links`), else the first ones."""
    progress = progress or ReadProgress()
    columns: dict[str, int] | None = None
    count = 0
    for number, line in read_lines(path, progress):
        cells = decode_line(line, path, number, progress).rstrip("\r\n").split("\t")
        if columns is None:
            named = {cell.strip().lower(): place for place, cell in enumerate(cells)}
            columns = named if {"a", "b"} <= named.keys() else {"a": 0, "b": 1, "links": 2}
            if columns is named:
                continue
        if cells == [""]:
            continue
        count += 1
        pair = _pair(cells, columns, path, number)
        yield strip_pair(pair) if strip_tags else pair
    if not count:
        raise FormatError("holds no pairs; a line for each pair was expected: text, tab, text", path=path)


def strip_pair(pair: TextPair) -> TextPair:
    """Return a pair without markup in its texts."""
    return pair._replace(a=strip_markup(pair.a, breaks=" "), b=strip_markup(pair.b, breaks=" "))


def _pair(cells: list[str], columns: dict[str, int], path: StrPath, number: int) -> TextPair:
    if len(cells) <= max(columns["a"], columns["b"]):
        raise FormatError(f"{len(cells)} column(s); a pair is two texts with a tab between", path=path, line=number)
    place = columns.get("links", len(cells))
    links = cells[place].strip() if place < len(cells) else None
    if links and not _LINKS.fullmatch(links):
        raise FormatError(f"links are written 0-0 1-2 2-1; got {links[:40]!r}", path=path, line=number)
    places = None if links is None else frozenset(_place(link) for link in links.split())
    return TextPair(cells[columns["a"]], cells[columns["b"]], places, number)


def _place(link: str) -> tuple[int, int]:
    a, _, b = link.partition("-")
    return int(a), int(b)
