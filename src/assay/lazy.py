"""Names of a package that are imported when they are first used, and are listed once: in its TYPE_CHECKING block."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any


def lazy_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names are imported under `if TYPE_CHECKING:`.

    Type checkers and editors read the block `from .module import name as name` as it stands; here its source is parsed
    when a name is first asked for, so that importing the package costs nothing. `__all__` is the same names.
    """

    @cache
    def homes() -> dict[str, str]:
        return _read_homes(package)

    def get(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(homes()[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes()})

    return get, names


def _read_homes(package: str) -> dict[str, str]:
    """Read name -> module from the TYPE_CHECKING block of a package."""
    import ast
    from inspect import getsource

    homes: dict[str, str] = {}
    for block in ast.parse(getsource(sys.modules[package])).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for node in block.body:
                if isinstance(node, ast.ImportFrom):
                    module = "." * node.level + (node.module or "")
                    homes |= {alias.name: module for alias in node.names if alias.asname == alias.name}
    return homes
