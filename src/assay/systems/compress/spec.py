"""From the text of a system, `ilp(lambda=1.4)`, to the system."""

from __future__ import annotations

from ...component import Folder
from ._base import System

COMPRESSORS = Folder(
    __package__, System, kind="compressor", example="ilp(lambda=1.4)", hint="`assay compress --list` shows them"
)


def families() -> tuple[type[System], ...]:
    """List every compressor in this folder: the folder is the list."""
    return COMPRESSORS.classes


def system(text: str | System) -> System:
    """The system that a text stands for.

    >>> system("lead").signature()
    'lead(ratio=0.5)'
    >>> system("led")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown compressor 'led'; did you mean 'lead'? `assay compress --list` shows them
    """
    return COMPRESSORS.build(text)
