"""Lines of a text file or of standard input, with a bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from ..formats._io.textfile import Progress as Read
from ..formats._io.textfile import decoded, lines
from ._progress import Progress


def text_lines(path: str, *, quiet: bool = False) -> Iterator[str]:
    """Each line without its end; gzip or not, "-" for standard input. One clear error where it is no text."""
    read = Read()
    with Progress(lines(path, read), quiet=quiet, fraction=read.fraction) as parts:
        for number, raw in parts:
            yield decoded(raw, path, number, read).rstrip("\r\n")
