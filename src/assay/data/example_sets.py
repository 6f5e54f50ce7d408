"""ExampleSets: the example sets that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .result import Result


@dataclass(frozen=True)
class ExampleSet:
    """One set: its name, the file or folder that it is, what it holds, and a command to try on it."""

    kind: ClassVar[str] = "example"
    name: str
    file: str
    content: str
    command: str


@dataclass(frozen=True)
class ExampleSets(Result, question="examples", kind="examples"):
    """All example sets."""

    sets: tuple[ExampleSet, ...]
