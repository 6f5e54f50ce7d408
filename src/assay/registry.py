"""Services that a room uses without importing the room that provides them, which stands above it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Service: the package that provides it. A Result is shown by `views`, which know every kind of Result.
PROVIDERS = {"display": "assay.views"}


def provider(service: str) -> Any:
    """Return the package that provides a service, imported when it is first asked for."""
    return import_module(PROVIDERS[service])
