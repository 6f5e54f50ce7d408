"""Say what was converted, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.view import View
from ._format import format_count

if TYPE_CHECKING:
    from ..data.conversion import Conversion


def view_conversion(result: Conversion) -> View:
    """Say how much was written where, and list the losses."""
    counts = f"{format_count(result.items, 'item')}, {format_count(result.systems, 'system')}"
    if result.judgments:
        counts += f", {format_count(result.judgments, 'judgment')}"
    lines = [f"Wrote {result.target} ({result.target_format}) from {result.source} ({result.source_format}): {counts}."]
    lost = "; ".join(f"{loss.part} ({loss.count:,})" for loss in result.losses)
    return View(lines, notes=[f"left out, with the number of items or systems: {lost}"] if lost else [])
