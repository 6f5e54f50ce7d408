"""Print results: their views, or their records as JSON Lines."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..printable import escape_hidden
from ._screen import say

if TYPE_CHECKING:
    from ..data.result import Result
    from ..data.view import View


_NARROWEST = 40  # columns of a terminal; a narrower one wraps

# --format of the command that runs: set for every command in one place, so that none can forget it.
_FORM: ContextVar[str] = ContextVar("form", default="text")


@contextmanager
def print_tables_as(form: str | None) -> Iterator[None]:
    """Print what is shown inside in this form: text, markdown or latex."""
    token = _FORM.set(form or "text")
    try:
        yield
    finally:
        _FORM.reset(token)


def show(results: Iterable[Result], *, as_json: bool, rows: int | None = None) -> None:
    """Print every result: its records with --json, its view without; `rows` are the most of a printed table."""
    if as_json:
        sys.stdout.writelines(json_line(record) for result in results for record in result.records())
        return
    from ..views import draw_text  # not of use to commands that print texts

    form = _FORM.get()
    views = drop_repeated_notes(result.view() for result in results)
    width = terminal_width()
    say("\n\n\n".join(draw_text(view, rows=rows, form=form, width=width) for view in views))


def terminal_width() -> int | None:
    """Return how many columns a terminal has, or COLUMNS says; None for a file or pipe."""
    if not (os.environ.get("COLUMNS", "").isdigit() or sys.stdout.isatty()):
        return None
    return max(_NARROWEST, shutil.get_terminal_size().columns)


def drop_repeated_notes(views: Iterable[View]) -> Iterator[View]:
    """Leave out notes that stand under an earlier view: settings and explanations are read once."""
    printed: set[str] = set()
    for view in views:
        yield replace(view, notes=[note for note in view.notes if note not in printed])
        printed.update(view.notes)


def show_stream(results: Iterable[Result], *, as_json: bool) -> None:
    """Print results one by one, as they are made."""
    for number, result in enumerate(results):
        if not as_json and number:
            say("\n")
        show([result], as_json=as_json)


def json_line(record: Mapping[str, Any]) -> str:
    """Return a record as one line of JSON; NaN and infinity are null, hidden characters are escaped.

    >>> json_line({"value": float("nan"), "n": 3})
    '{"value": null, "n": 3}\\n'
    """
    import json

    return escape_hidden(json.dumps(_finite(record), ensure_ascii=False)) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    if isinstance(value, Mapping):
        return {key: _finite(v) for key, v in value.items()}
    return value
