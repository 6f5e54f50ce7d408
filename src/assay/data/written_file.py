"""WrittenFile: a file that a command wrote."""

from __future__ import annotations

from dataclasses import dataclass

from .result import Result


@dataclass(frozen=True)
class WrittenFile(Result, question="written_file", kind="file"):
    """Where the file is and how large; `what` it is, as `report`."""

    what: str
    path: str
    bytes: int
