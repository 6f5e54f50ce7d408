"""What people see: tables, charts and the page.

Tables are loaded at once, as every command prints them; the rest when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .table import Column, table

if TYPE_CHECKING:
    from .chart import Chart
    from .charts import plot
    from .findings import Findings, find
    from .html import page

_HOMES = {"Chart": "chart", "Findings": "findings", "find": "findings", "page": "html", "plot": "charts"}

__all__ = ["Chart", "Column", "Findings", "find", "page", "plot", "table"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay.report' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
