"""Packages that only some parts need: import one, or say in one line how to install it."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingExtra


def import_extra(module: str, extra: str, purpose: str) -> Any:
    """Import a module that comes with one of Assay's extras.

    >>> import_extra("no_such_package", "report", "the report")
    Traceback (most recent call last):
    assay.errors.MissingExtra: the report needs no_such_package, which is not installed: pip install 'assay[report]'
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = (error.name or module).partition(".")[0]
        message = f"{purpose} needs {package}, which is not installed: pip install 'assay[{extra}]'"
        raise MissingExtra(message) from error
