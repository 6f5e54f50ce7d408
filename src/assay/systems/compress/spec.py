"""From the text of a system, `ilp(lambda=1.4)`, to the system."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from ...calls import plain_name, split_call, typed_arguments
from ...errors import UnknownName
from .base import System


@lru_cache(maxsize=1)
def families() -> tuple[type[System], ...]:
    """Every compressor in this folder: the folder is the list."""
    package = importlib.import_module(__package__)
    found: dict[type[System], None] = {}
    for module in pkgutil.iter_modules(package.__path__):
        for value in vars(importlib.import_module(f"{__package__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, System) and "name" in vars(value):
                found[value] = None
    return tuple(sorted(found, key=lambda cls: cls.name))


def system(text: str | System) -> System:
    """The system that a text stands for.

    >>> system("lead").signature()
    'lead(ratio=0.5)'
    >>> system("led")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown compressor 'led'; did you mean 'lead'? `assay compress --list` shows them
    """
    if isinstance(text, System):
        return text
    name, given = split_call(text, "compressor", "ilp(lambda=1.4)")
    for cls in families():
        if plain_name(cls.name) == plain_name(name):
            return cls(**typed_arguments(cls, name, given))
    known = [cls.name for cls in families()]
    raise UnknownName("compressor", name, known, hint="`assay compress --list` shows them")
