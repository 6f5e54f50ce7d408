"""Lines of a text file or of standard input, with a bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ..formats.textfile import Progress, decoded, lines


def text_lines(path: str, *, quiet: bool = False) -> Iterator[str]:
    """Each line without its end; gzip or not, "-" for standard input. One clear error where it is no text."""
    progress = Progress()
    shown = not quiet and sys.stderr.isatty()
    bar = _bar() if shown else None
    try:
        for number, raw in lines(path, progress):
            yield decoded(raw, path, number, progress).rstrip("\r\n")
            if bar is not None and number % 100 == 0:
                bar.update(100 * (progress.fraction() or 0.0) - bar.n)
    finally:
        if bar is not None:
            bar.close()


def _bar() -> Any:
    from tqdm import tqdm

    style = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    return tqdm(total=100, delay=1, unit="%", leave=False, bar_format=style)
