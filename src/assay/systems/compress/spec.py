"""From the text of a system, `ilp(lambda=1.4)`, to the system."""

from __future__ import annotations

from functools import lru_cache

from ..folder import built, classes_in
from .base import System


@lru_cache(maxsize=1)
def families() -> tuple[type[System], ...]:
    """Every compressor in this folder: the folder is the list."""
    return classes_in(__package__, System)


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
    return built(text, families(), "compressor", "ilp(lambda=1.4)", "`assay compress --list` shows them")
