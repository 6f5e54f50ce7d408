"""Names of a package that are imported when they are first used, from a table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def lazy_names(
    package: str, table: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package; the table has the names in each of its modules.

    Where a module has the name of a function in it (meta/correlate.py: correlate), the name stands for the function, no
    matter which was imported first. Type checkers and editors read the same names in a block under
    `if TYPE_CHECKING:`; a test compares the two.
    """
    homes = {name: module for module, names in table.items() for name in names.split()}

    class LazyPackage(ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            """Set a name, except to the module of that name: importing a module binds it in its package."""
            if name not in homes or not isinstance(value, ModuleType):
                super().__setattr__(name, value)

    sys.modules[package].__class__ = LazyPackage

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, list_names, sorted(homes)
