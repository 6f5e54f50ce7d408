"""The edits of a whole evaluation set: how often each kind, and what became of the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..data.evalset import EvalSet, Item
from ..data.result import Result
from ..errors import InputError
from ..text.align.monolingual import align, analyse
from .edit_operations import KINDS, OPERATIONS, Edit, classify


@dataclass(frozen=True)
class Rates:
    """Shares of words: copied, paraphrased and inserted of the outputs' words, deleted of the sources'."""

    copied: float
    paraphrased: float
    inserted: float
    deleted: float
    output_words: int
    source_words: int


@dataclass(frozen=True)
class Edits(Result, question="edits", kind="edits"):
    """Every output's edit, in the order of items and systems."""

    edits: tuple[Edit, ...]
    without_source: int  # outputs of items that have none

    def records(self) -> list[dict[str, Any]]:
        """List shares of kinds, operations and words: of all outputs (system null), then of each system."""
        return [
            {
                "kind": "edits",
                "system": system,
                "n": len(part.edits),
                **{f"kind_{name}": share for name, share in part.kinds().items()},
                **{f"operation_{name.replace(' ', '_')}": share for name, share in part.operations().items()},
                **{name: getattr(part.rates(), name) for name in ("copied", "paraphrased", "inserted", "deleted")},
            }
            for system, part in self.by_system().items()
        ]

    def by_system(self) -> dict[str | None, Edits]:
        """Return all edits (None: a system may be called "all"), then those of each system if there are several."""
        parts: dict[str | None, Edits] = {None: self}
        if len(self.systems) > 1:
            parts |= {name: self.of(lambda e, name=name: e.system == name) for name in self.systems}  # type: ignore[misc]
        return parts

    def of(self, keep: Callable[[Edit], bool]) -> Edits:
        """Return the edits that `keep` is true for."""
        return Edits(tuple(edit for edit in self.edits if keep(edit)), 0)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names in the order they first appear."""
        return tuple(dict.fromkeys(edit.system for edit in self.edits))

    def kinds(self) -> dict[str, float]:
        """The share of outputs of each kind; NaN without outputs."""
        return {kind: _share(edit.kind == kind for edit in self.edits) for kind in KINDS}

    def operations(self) -> dict[str, float]:
        """The share of outputs that use each operation; those on sentences only where sources have several.

        >>> data = EvalSet.from_texts({"A": ["The cat slept."]}, sources=["The old cat slept."])
        >>> edits(data).operations()["delete"], edits(data).operations()["merge"]
        (1.0, nan)
        """
        shares = {}
        for name in OPERATIONS:
            own = self.edits if name in OPERATIONS[:3] else [e for e in self.edits if e.source_sentences > 1]
            shares[name] = _share(name in edit.operations for edit in own)
        return shares

    def rates(self) -> Rates:
        """What became of the words, over all outputs together; NaN without words."""
        output, source = sum(e.words for e in self.edits), sum(e.kept + e.deleted for e in self.edits)
        counts = {name: sum(getattr(e, name) for e in self.edits) for name in ("copied", "paraphrased", "inserted")}
        deleted = sum(e.deleted for e in self.edits)
        shares = {name: count / output if output else float("nan") for name, count in counts.items()}
        return Rates(
            **shares,
            deleted=deleted / source if source else float("nan"),
            output_words=output,
            source_words=source,
        )


@dataclass(frozen=True)
class OutputEdits(Result, question="edits", kind="output_edits"):
    """The edit of every output."""

    edits: tuple[Edit, ...]

    def records(self) -> list[dict[str, Any]]:
        """List what was done to each output's source; `type` is the kind of edit."""
        return [
            {
                "kind": "edit",
                "item": e.item,
                "system": e.system,
                "type": e.kind,
                "operations": sorted(e.operations),
                **{name: getattr(e, name) for name in ("copied", "paraphrased", "inserted", "kept", "deleted")},
                "source_sentences": e.source_sentences,
                "output_sentences": e.output_sentences,
            }
            for e in self.edits
        ]


def edits(data: EvalSet | Iterable[Item], *, systems: Sequence[str] | None = None) -> Edits:
    """Classify what was done to the source of each output; several sources of an item count as one text.

    Items without source are left out and counted. An InputError if none has any.

    >>> data = EvalSet.from_texts({"A": ["The cat slept.", "It slept, the cat."]}, sources=["The old cat slept."] * 2)
    >>> [edit.kind for edit in edits(data).edits]
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
        read = analyse(source)
        classified += [classify(align(read, analyse(text)), item.id, name) for name, text in outputs.items()]
    if not classified:
        raise InputError("edits are read off outputs and their sources, and no item has both")
    return Edits(tuple(classified), missing)


def _share(flags: Iterable[bool]) -> float:
    counted = list(flags)
    return sum(counted) / len(counted) if counted else float("nan")
