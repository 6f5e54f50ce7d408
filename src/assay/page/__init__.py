"""The HTML report: which views go on it, in what order; templates and assets."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .findings import Findings, find
    from .html import draw_page

_HOMES = {"Findings": "findings", "find": "findings", "draw_page": "html"}

__all__ = ["Findings", "draw_page", "find"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay.page' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
