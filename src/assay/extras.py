"""Packages that only some parts need: import one, or say in one line how to install it."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from .errors import MissingExtra

MODELS = "assay_models"  # the package of models that are too large for the base install


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


def find_model(name: str, purpose: str, *, package: str = MODELS) -> Path:
    """Return a file or folder of the package of models, without importing it.

    >>> find_model("words.npz", "the summarizer", package="no_such_models")
    Traceback (most recent call last):
    assay.errors.MissingExtra: the summarizer needs assay-models, which is not installed: pip install ./models (in a \
checkout of Assay)
    """
    spec = importlib.util.find_spec(package)
    folders = [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []
    path = next((folder / name for folder in folders if (folder / name).exists()), None)
    if path is None:
        state = f"but the one installed has no {name}" if spec else "which is not installed"
        message = f"{purpose} needs assay-models, {state}: pip install ./models (in a checkout of Assay)"
        raise MissingExtra(message)
    return path
