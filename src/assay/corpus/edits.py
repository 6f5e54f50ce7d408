"""The edits of a whole evaluation set: how often each kind, and what became of the words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..data.evalset import EvalSet, Item
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
class Edits:
    """Every output's edit, in the order of items and systems."""

    found: tuple[Edit, ...]
    without_source: int  # outputs of items that have none

    def of(self, keep: Callable[[Edit], bool]) -> Edits:
        """Those that are asked for."""
        return Edits(tuple(edit for edit in self.found if keep(edit)), 0)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names in the order they first appear."""
        return tuple(dict.fromkeys(edit.system for edit in self.found))

    def kinds(self) -> dict[str, float]:
        """The share of outputs of each kind; NaN without outputs."""
        return {kind: _share(edit.kind == kind for edit in self.found) for kind in KINDS}

    def operations(self) -> dict[str, float]:
        """The share of outputs that use each operation; those on sentences only where sources have several.

        >>> data = EvalSet.from_texts({"A": ["The cat slept."]}, sources=["The old cat slept."])
        >>> edits(data).operations()["delete"], edits(data).operations()["merge"]
        (1.0, nan)
        """
        shares = {}
        for name in OPERATIONS:
            asked = self.found if name in OPERATIONS[:3] else [e for e in self.found if e.source_sentences > 1]
            shares[name] = _share(name in edit.operations for edit in asked)
        return shares

    def rates(self) -> Rates:
        """What became of the words, over all outputs together; NaN without words."""
        output, source = sum(e.words for e in self.found), sum(e.kept + e.deleted for e in self.found)
        counts = {name: sum(getattr(e, name) for e in self.found) for name in ("copied", "paraphrased", "inserted")}
        deleted = sum(e.deleted for e in self.found)
        shares = {name: count / output if output else float("nan") for name, count in counts.items()}
        return Rates(
            **shares,
            deleted=deleted / source if source else float("nan"),
            output_words=output,
            source_words=source,
        )

    def sentence(self) -> str:
        """Answer in words."""
        kinds, rates = self.kinds(), self.rates()
        if not self.found:
            return "There are no outputs to look at."
        return (
            f"Of {len(self.found)} outputs {kinds['delete']:.1%} only delete words, {kinds['reorder']:.1%} delete and "
            f"reorder, {kinds['rephrase']:.1%} rephrase; {rates.copied:.1%} of their words are copied and "
            f"{rates.deleted:.1%} of the sources' deleted."
        )


def edits(data: EvalSet | Iterable[Item], *, systems: Sequence[str] | None = None) -> Edits:
    """What was done to the source of each output; several sources of an item count as one text.

    Items without source are left out and counted. An InputError if none has any.

    >>> data = EvalSet.from_texts({"A": ["The cat slept.", "It slept, the cat."]}, sources=["The old cat slept."] * 2)
    >>> [edit.kind for edit in edits(data).found]
    ['delete', 'rephrase']
    """
    found: list[Edit] = []
    missing = 0
    for item in data:
        outputs = {name: text for name, text in item.outputs.items() if systems is None or name in systems}
        source = "\n".join(item.sources)
        if not source.strip():
            missing += len(outputs)
            continue
        read = analyse(source)
        found += [classify(align(read, analyse(text)), item.id, name) for name, text in outputs.items()]
    if not found:
        raise InputError("edits are read off outputs and their sources, and no item has both")
    return Edits(tuple(found), missing)


def _share(flags: Iterable[bool]) -> float:
    counted = list(flags)
    return sum(counted) / len(counted) if counted else float("nan")
