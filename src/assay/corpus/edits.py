"""Classify the edits of a whole evaluation set: how often each type, and what became of the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ..data.evalset import EvalSet, Item
from ..data.result import Result
from ..errors import InputError
from ..text.align.monolingual import align, analyse
from .edit_operations import OPERATIONS, TYPES, Edit, classify_edit


@dataclass(frozen=True)
class WordShares:
    """Shares of words: copied, paraphrased and inserted of the outputs' words, deleted of the sources'."""

    copied: float
    paraphrased: float
    inserted: float
    deleted: float
    output_words: int
    source_words: int


@dataclass(frozen=True)
class SystemEdits:
    """The edits of one system, or of all (`system` is None): shares of outputs by type and operation, of words."""

    kind: ClassVar[str] = "system_edits"
    system: str | None
    outputs: int
    types: Mapping[str, float]
    operations: Mapping[str, float]
    words: WordShares


@dataclass(frozen=True)
class EditSummary(Result, question="edits", kind="edit_summary"):
    """How outputs were made from their sources: all together first, then each system if there are several."""

    outputs: int
    without_source: int
    systems: tuple[SystemEdits, ...]


@dataclass(frozen=True)
class Edits(Result, question="edits", kind="edits"):
    """The edit of every output, in the order of items and systems."""

    outputs: tuple[Edit, ...]
    without_source: int  # outputs of items that have no source

    def select(self, keep: Callable[[Edit], bool]) -> Edits:
        """Return the edits that a function accepts."""
        return Edits(tuple(edit for edit in self.outputs if keep(edit)), 0)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names in the order they first appear."""
        return tuple(dict.fromkeys(edit.system for edit in self.outputs))

    def types(self) -> dict[str, float]:
        """Return the share of outputs of each type; NaN without outputs."""
        return {name: _share(edit.type == name for edit in self.outputs) for name in TYPES}

    def operations(self) -> dict[str, float]:
        """Return the share of outputs that use each operation; those on sentences only where sources have several.

        >>> data = EvalSet.from_texts({"A": ["The cat slept."]}, sources=["The old cat slept."])
        >>> edits(data).operations()["delete"], edits(data).operations()["merge"]
        (1.0, nan)
        """
        several = [edit for edit in self.outputs if edit.source_sentences > 1]
        return {
            name: _share(name in edit.operations for edit in (self.outputs if name in OPERATIONS[:3] else several))
            for name in OPERATIONS
        }

    def word_shares(self) -> WordShares:
        """Return what became of the words, over all outputs together; NaN without words."""
        output, source = sum(e.words for e in self.outputs), sum(e.linked + e.deleted for e in self.outputs)
        counts = {name: sum(getattr(e, name) for e in self.outputs) for name in ("copied", "paraphrased", "inserted")}
        deleted = sum(e.deleted for e in self.outputs)
        shares = {name: count / output if output else float("nan") for name, count in counts.items()}
        return WordShares(
            **shares,
            deleted=deleted / source if source else float("nan"),
            output_words=output,
            source_words=source,
        )

    def summary(self) -> EditSummary:
        """Summarize the edits of all systems, and of each if there are several."""
        rows = [self._summarize(None)]
        if len(self.systems) > 1:
            by_system: dict[str, list[Edit]] = {}
            for edit in self.outputs:
                by_system.setdefault(edit.system, []).append(edit)
            rows += [Edits(tuple(own), 0)._summarize(name) for name, own in by_system.items()]
        return EditSummary(len(self.outputs), self.without_source, tuple(rows))

    def _summarize(self, system: str | None) -> SystemEdits:
        return SystemEdits(system, len(self.outputs), self.types(), self.operations(), self.word_shares())


def edits(data: EvalSet | Iterable[Item], *, systems: Sequence[str] | None = None) -> Edits:
    """Classify how each output was made from its source; several sources of an item count as one text.

    Outputs of items without a source are left out and counted. If no item has outputs and a source: InputError.

    >>> data = EvalSet.from_texts({"A": ["The cat slept.", "It slept, the cat."]}, sources=["The old cat slept."] * 2)
    >>> [edit.type for edit in edits(data).outputs]
    ['delete', 'rephrase']
    """
    classified: list[Edit] = []
    missing = 0
    for item in data:
        outputs = {name: text for name, text in item.outputs.items() if systems is None or name in systems}
        source = "\n".join(item.sources)
        if not source.strip():
            missing += len(outputs)
            continue
        analysed = analyse(source)
        classified += [classify_edit(align(analysed, analyse(text)), item.id, name) for name, text in outputs.items()]
    if not classified:
        raise InputError("edits need outputs and their sources, and no item has both")
    return Edits(tuple(classified), missing)


def _share(flags: Iterable[bool]) -> float:
    counted = list(flags)
    return sum(counted) / len(counted) if counted else float("nan")
