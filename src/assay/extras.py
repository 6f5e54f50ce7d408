"""What only some parts need: packages of an extra, models, files of Assay itself; or how to install them."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .errors import MissingExtra

DISTRIBUTION = "assay-eval"  # what pip calls the package; import and command are `assay`
BRINGS_MODELS = frozenset({"parse", "text", "all"})  # extras that require assay-eval-models


class ModelPackage(NamedTuple):
    """A package of models: how it is imported, what pip calls it, and its folder in a checkout."""

    module: str
    distribution: str
    folder: str


MODELS = ModelPackage("assay_models", f"{DISTRIBUTION}-models", "models/base")
RESEARCH = ModelPackage("assay_research", f"{DISTRIBUTION}-research", "models/research")  # never used unless named


def import_extra(module: str, extra: str, purpose: str) -> Any:
    """Import a module that comes with one of Assay's extras; the error says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = (error.name or module).partition(".")[0]
        message = f"{purpose} needs {package}, which is not installed: {install_line(extra)}"
        raise MissingExtra(message) from error


def find_model(name: str, purpose: str, *, package: ModelPackage = MODELS, extra: str = "") -> Path:
    """Return a file or folder of a package of models, without importing it.

    `extra` is the extra that brings the package and what else the purpose needs; without it the package is enough.
    """
    folders = _locate(package.module)
    path = next((folder / name for folder in folders if (folder / name).exists()), None)
    if path is None:
        state = f"but the one installed has no {name}" if folders else "which is not installed"
        raise MissingExtra(f"{purpose} needs {package.distribution}, {state}: {install_line(extra, package)}")
    return path


def find_data(name: str) -> Path:
    """Return a file of Assay itself; where the package is in a zip file, a copy that lasts as long as the process.

    >>> find_data("text/data/smart.txt").name
    'smart.txt'
    """
    path = Path(__file__).parent / name
    return path if path.exists() else _unpack(name)


def install_line(extra: str = "", package: ModelPackage = MODELS) -> str:
    """Return the command that installs an extra, or only a package of models.

    In a checkout, or where Assay was installed from one that is still there, the command takes the packages from it.
    """
    root = _find_checkout()
    if root is None:
        return f"pip install '{DISTRIBUTION}[{extra}]'" if extra else f"pip install {package.distribution}"
    at = "." if root == Path.cwd() else str(root)
    models = [f"{at}/{package.folder}"] if not extra or extra in BRINGS_MODELS else []
    return " ".join(["pip install", *models, *([f"'{at}[{extra}]'"] if extra else [])])


def list_model_folders() -> list[Path]:
    """Return the folders of the packages of models that are installed."""
    return [folder for package in (MODELS, RESEARCH) for folder in _locate(package.module)]


def _locate(module: str) -> list[Path]:
    spec = importlib.util.find_spec(module)
    return [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []


@cache
def _find_checkout() -> Path | None:
    """Return the checkout that this package is part of, or was installed from by `pip install .`, if it is there."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    root = Path(__file__).parents[2]
    try:
        origin = distribution(DISTRIBUTION).read_text("direct_url.json") or "{}"  # PEP 610
        url = urlsplit(json.loads(origin).get("url", ""))
    except (PackageNotFoundError, ValueError):
        url = urlsplit("")
    roots = [root, *([Path(url2pathname(url.path))] if url.scheme == "file" else [])]
    return next((root for root in roots if (root / MODELS.folder / "pyproject.toml").is_file()), None)


@cache
def _unpack(name: str) -> Path:
    import atexit
    from contextlib import ExitStack
    from importlib.resources import as_file, files

    copies = ExitStack()
    atexit.register(copies.close)
    return copies.enter_context(as_file(files(__package__).joinpath(*name.split("/"))))
