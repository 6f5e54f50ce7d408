"""Rows of tab-separated files in which a quotation mark is a character, as machine translation data has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import FormatError
from .text_file import ReadProgress, StrPath, read_texts


def read_tsv(
    path: StrPath, progress: ReadProgress, columns: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and cells by column of every row; `columns` where the file has no header of its own."""
    heads = list(columns)
    for number, text in enumerate(read_texts(path, progress), 1):
        cells = text.split("\t")
        if not heads:
            heads = [cell.strip() for cell in cells]
            continue
        if not text:
            continue
        if len(cells) != len(heads):
            raise FormatError(f"{len(cells)} fields where there are {len(heads)} columns", path=path, line=number)
        yield number, dict(zip(heads, cells, strict=True))
