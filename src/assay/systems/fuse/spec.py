"""From the text of a fuser, `wordgraph(language=fr)`, to the fuser."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from ...calls import plain_name, split_call, typed_arguments
from ...errors import UnknownName
from .base import Fuser


@lru_cache(maxsize=1)
def families() -> tuple[type[Fuser], ...]:
    """Every fuser in this folder: the folder is the list."""
    package = importlib.import_module(__package__)
    found: dict[type[Fuser], None] = {}
    for module in pkgutil.iter_modules(package.__path__):
        for value in vars(importlib.import_module(f"{__package__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Fuser) and "name" in vars(value):
                found[value] = None
    return tuple(sorted(found, key=lambda cls: cls.name))


def fuser(text: str | Fuser) -> Fuser:
    """The fuser that a text stands for.

    >>> fuser("drop-stop(seed=3)").signature()
    'drop-stop(share=0.5, seed=3)'
    >>> fuser("shortest")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown fuser 'shortest'; did you mean 'shorter'? `assay fuse --list` shows them
    """
    if isinstance(text, Fuser):
        return text
    name, given = split_call(text, "fuser", "wordgraph(language=fr)")
    for cls in families():
        if plain_name(cls.name) == plain_name(name):
            return cls(**typed_arguments(cls, name, given))
    raise UnknownName("fuser", name, [cls.name for cls in families()], hint="`assay fuse --list` shows them")
