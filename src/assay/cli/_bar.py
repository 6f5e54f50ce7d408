"""A bar on a terminal's standard error for anything longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def followed(things: Iterable[T], fraction: Callable[[], float | None]) -> Iterator[T]:
    """The same things; `fraction` says how much of the input has been read."""
    if not sys.stderr.isatty():
        yield from things
        return
    from tqdm import tqdm

    form = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    with tqdm(total=100, delay=1, unit="%", leave=False, bar_format=form) as bar:
        for thing in things:
            yield thing
            bar.update(100 * (fraction() or 0.0) - bar.n)
