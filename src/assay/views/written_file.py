"""Say which file was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import View
from ._format import format_size

if TYPE_CHECKING:
    from ..data.written_file import WrittenFile


def view_file(result: WrittenFile) -> View:
    """Say where it is, how large, and what to do with it."""
    use = " Open it in a browser for tables, charts and all texts." if result.what == "report" else ""
    return View([f"Wrote {result.path} ({format_size(result.bytes)}).{use}"])
