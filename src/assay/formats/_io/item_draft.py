"""ItemDrafts: items that grow row by row, as files of other tools hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...data.item import Item, Judgment, Reference
from ...errors import AlignmentError


@dataclass
class ItemDraft:
    """An item that is not complete yet."""

    id: str
    where: str = ""
    group: str | None = None
    cluster: str | None = None
    run: str | None = None
    sources: tuple[str, ...] = ()
    references: list[Reference] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    judgments: list[Judgment] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def add_output(self, system: str, text: str, where: str) -> None:
        """Add an output; another text of the same system is an error. Spaces do not count."""
        known = self.outputs.setdefault(system, text)
        if known != text and known.split() != text.split():
            raise AlignmentError(f"{where}: item {self.id!r} has another output of system {system!r} here than before")

    def add_source(self, text: str, where: str) -> None:
        """Set the source; another one is an error."""
        if self.sources and self.sources[0].split() != text.split():
            raise AlignmentError(f"{where}: item {self.id!r} has another source here than before")
        self.sources = self.sources or (text,)

    def add_reference(self, text: str, name: str | None = None) -> None:
        """Add a reference, once."""
        if Reference(text, name) not in self.references:
            self.references.append(Reference(text, name))

    def finish(self) -> Item:
        """Return the item; a second judgment of one output by one rater is of another occasion."""
        times: Counter[tuple[str, str, str]] = Counter()
        judgments = []
        for j in self.judgments:
            times[j[:3]] += 1
            judgments.append(j._replace(occasion=times[j[:3]]))
        references = tuple(self.references)
        return Item(
            *(self.id, references, self.outputs, self.sources, self.group, tuple(judgments), self.extra, self.where),
            *(self.cluster, self.run),
        )


class ItemDrafts:
    """Drafts by id, in the order in which they came."""

    def __init__(self) -> None:
        self._drafts: dict[str, ItemDraft] = {}

    def of(self, item: str, where: str) -> ItemDraft:
        """Return the draft of an item, a new one if there is none."""
        return self._drafts.setdefault(item, ItemDraft(item, where))

    def place(self, item: str, system: str, text: str, where: str) -> ItemDraft:
        """Return a draft of the item in which the system has this output; a further text is an item `id@2`, ..."""
        for number in range(1, len(self._drafts) + 2):
            draft = self.of(item if number == 1 else f"{item}@{number}", where)
            if draft.outputs.setdefault(system, text) == text:
                return draft
        raise AssertionError("a new draft has no output yet")

    def __iter__(self) -> Iterator[Item]:
        return (draft.finish() for draft in self._drafts.values())
