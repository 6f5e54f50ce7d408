"""Progress bar with the time left, on standard error, for anything longer than a second; on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ..printable import escape_hidden
from ._screen import bar_stream

T = TypeVar("T")


def make_follower(quiet: bool, what: str) -> Callable[[Sequence[T]], Iterator[T]]:
    """Return a function that passes on parts, with a progress bar.

    >>> list(make_follower(True, "topics")([1, 2]))
    [1, 2]
    """

    def follow(parts: Sequence[T]) -> Iterator[T]:
        with Progress(parts, quiet=quiet, total=len(parts), what=what) as tracked:
            yield from tracked

    return follow


class Progress:
    """Parts to go through, with a progress bar on a terminal.

    `fraction` says how much is done, between 0 and 1 (None: not known), after each part; without it `total` counts
    parts. `detail` is shown at the end of the bar. The bar goes away when the block ends, also by an error or Ctrl-C.

    >>> with Progress([1, 2, 3], quiet=True) as parts:
    ...     list(parts)
    [1, 2, 3]
    """

    def __init__(
        self,
        parts: Iterable[T],
        *,
        quiet: bool = False,
        fraction: Callable[[], float | None] | None = None,
        total: int | None = None,
        what: str = "",
        detail: Callable[[], str] | None = None,
    ) -> None:
        self._parts = parts
        self._shown = not quiet and sys.stderr.isatty()
        self._fraction, self._total, self._what = fraction, total, escape_hidden(what, breaks=True)
        self._detail = detail
        self._bar: Any = None

    def __enter__(self) -> Iterable[Any]:
        if not self._shown:
            return self._parts
        from tqdm import tqdm

        if self._fraction is not None:
            shape = "{desc}{percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
            self._bar = tqdm(total=100, delay=1, desc=self._what, leave=False, bar_format=shape, file=bar_stream())
        else:
            self._bar = tqdm(total=self._total, delay=1, desc=self._what or None, leave=False, file=bar_stream())
        return self._follow()

    def _follow(self) -> Iterator[Any]:
        for part in self._parts:
            yield part
            if self._detail is not None:
                self._bar.set_postfix_str(escape_hidden(self._detail(), breaks=True), refresh=False)
            self._bar.update(1 if self._fraction is None else 100 * (self._fraction() or 0.0) - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
