"""Print results: their views, or their records as JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..printable import escape_hidden
from ..views import draw_text
from ._style import say

if TYPE_CHECKING:
    from ..data.result import Result


def show(results: Iterable[Result], *, as_json: bool, rows: int | None = None) -> None:
    """Print every result: its records with --json, its view without; `rows` are the most of a printed table."""
    if as_json:
        sys.stdout.writelines(json_line(record) for result in results for record in result.records())
    else:
        say("\n\n\n".join(draw_text(result.view(), rows=rows) for result in results))


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
    return escape_hidden(json.dumps(_finite(record), ensure_ascii=False)) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    if isinstance(value, Mapping):
        return {key: _finite(v) for key, v in value.items()}
    return value
