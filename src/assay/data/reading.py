"""Reading: how files were understood: what each column is, by which evidence, and what is not used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from .result import Result

# The order in which the roles are printed. Columns with another role (metadata) are not used.
ROLES = (
    *("output", "reference", "source", "id", "system", "cluster", "run", "group", "rater", "dimension", "judgment"),
    *("kind", "occasion", "best"),
)
METADATA = "metadata"
OPTION = {"judgment": "score"}  # what a role is called in --columns


@dataclass(frozen=True)
class ReadColumn:
    """A column of a file: its role, why it has this role, and its first values.

    Of a judgment: `dimension` is what was judged, `rater` and `system` are what the header names, `judge` is the kind
    of rater (human, llm or metric), "" where nothing shows it. `candidate` is the role that it may have all the same,
    if the user says so.
    """

    kind: ClassVar[str] = "read_column"
    file: str
    column: str
    role: str
    evidence: str
    sample: tuple[str, ...] = ()
    dimension: str = ""
    system: str = ""
    rater: str = ""
    judge: str = ""
    candidate: str = ""


@dataclass(frozen=True)
class Answerable:
    """A question that the data can answer, and the command that asks it."""

    kind: ClassVar[str] = "answerable"
    question: str
    command: str


@dataclass(frozen=True)
class Reading(Result, question="reading", kind="reading", shared=()):
    """How files were read. Sets have it as `data.reading`.

    `raters` counts those of each kind; those of unknown kind are under "unknown". A format that has its own columns
    lists none here. `part` says which part of the file was read (a sheet); `notes` count what looks odd.

    >>> column = ReadColumn("a.csv", "prediction", "output", "named as an output")
    >>> Reading(("a.csv",), "csv", columns=(column,)).line()
    'output = prediction'
    """

    files: tuple[str, ...]
    format: str
    items: int = 0
    systems: tuple[str, ...] = ()
    references: int = 0
    dimensions: tuple[str, ...] = ()
    raters: dict[str, int] | None = None
    clusters: int = 0
    runs: int = 0
    part: str = ""
    notes: tuple[str, ...] = ()
    columns: tuple[ReadColumn, ...] = ()
    questions: tuple[Answerable, ...] = ()

    def of(self, role: str, file: str | None = None) -> tuple[ReadColumn, ...]:
        """Return the columns of a role."""
        return tuple(c for c in self.columns if c.role == role and file in (None, c.file))

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that are not used."""
        return tuple(column.column for column in self.of(METADATA))

    def join(self, other: Reading | None) -> Reading:
        """Return the reading of both files."""
        if other is None:
            return self
        files = tuple(dict.fromkeys((*self.files, *other.files)))
        notes, columns = (*self.notes, *other.notes), (*self.columns, *other.columns)
        return replace(self, files=files, notes=notes, columns=columns)

    def line(self) -> str:
        """Say in a line which column was taken for what; "" where the format says it."""
        files = list(dict.fromkeys(column.file for column in self.columns))
        named: dict[str, list[str]] = {}  # files with the same columns together
        for file in files:
            named.setdefault(self._describe(file), []).append(file)
        lines = [f"{', '.join(own)}: {text}" if n or own[1:] else text for n, (text, own) in enumerate(named.items())]
        return (f"{self.part}: " if self.part else "") + "; ".join([*lines, *self.notes])

    def _describe(self, file: str) -> str:
        parts = [f"{role} = {' + '.join(c.column for c in own)}" for role, own in self._roles(file)]
        judged = self.of("judgment", file)
        for words, kinds in (("ratings", ("", "human")), ("LLM ratings", ("llm",)), ("metrics", ("metric",))):
            if some := [c for c in judged if c.judge in kinds]:
                parts.append(f"{words} = {', '.join(map(_describe_judgment, some))}")
        text = ", ".join(parts)
        if unused := self.of(METADATA, file):
            text += f"; not used: {', '.join(c.column for c in unused)}"
        if numbers := [c.column for c in unused if c.candidate == "score"]:
            text += f" (if a number among these is a rating: --columns score={numbers[0]})"
        if texts := [c.column for c in unused if c.candidate == "output"]:
            outputs = "+".join([*(c.column for c in self.of("output", file)), *texts])
            text += f" (if these are outputs too: --columns output={outputs})"
        return text

    def _roles(self, file: str) -> Iterator[tuple[str, tuple[ReadColumn, ...]]]:
        for role in ROLES:
            if role != "judgment" and (own := self.of(role, file)):
                yield role, own

    def to_columns(self) -> dict[str, list[str]]:
        """Return the columns by role, as `columns=` takes them.

        >>> column = ReadColumn("a.csv", "fluency", "judgment", "named as a rating")
        >>> Reading(("a.csv",), "csv", columns=(column,)).to_columns()
        {'score': ['fluency']}
        """
        roles = {role: self.of(role) for role in ROLES}
        return {OPTION.get(role, role): [c.column for c in own] for role, own in roles.items() if own}


def _describe_judgment(column: ReadColumn) -> str:
    return f"{column.column} (raters by position)" if column.rater == BY_POSITION else column.column


BY_POSITION = "by position"  # the rater of ratings that stand in a list without names
