"""Batch: the texts of some items, and the counts worked out about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.evalset import EvalSet, Item
from ..text import Lexicon, Reading, Texts
from ..units.surface import Ngram, Subsequence, SurfaceUnit
from .lattice import Alternatives

Counts = _core.Counts
Floats = NDArray[np.float64]
_ALONE = Ngram(1)


class Request(NamedTuple):
    """Counts that a metric will ask for; `own` keeps people's own references in."""

    unit: SurfaceUnit | Subsequence
    reading: Reading
    keep_own: bool = False


class Batch:
    """Outputs, references and sources of some items in item order, with every count made once.

    `system` and `item` say for each output where its score goes; `start` and `stop` take a part of the items.
    """

    def __init__(
        self, data: EvalSet, lexicon: Lexicon | None = None, *, start: int = 0, stop: int | None = None
    ) -> None:
        lexicon = lexicon or Lexicon()
        stop = len(data) if stop is None else min(stop, len(data))
        outputs, references, output_ends, reference_ends = data.flat
        self._entries = data.entries[start:stop]
        self._outputs = _offsets(output_ends[start : stop + 1])
        self._references = _offsets(reference_ends[start : stop + 1])
        outputs = outputs[output_ends[start] : output_ends[stop]]
        references = references[reference_ends[start] : reference_ends[stop]]
        self.outputs = Texts(outputs, lexicon)
        self.references = Texts(references, lexicon)
        self._alternatives = None
        if data.has_alternatives:
            flat = [reference for entry in self._entries for reference in entry.references]
            self._alternatives = Alternatives(flat, lexicon)
        self.item = np.repeat(np.arange(stop - start), np.diff(self._outputs))
        self.system = self._systems(data.systems, len(outputs))
        self._own = _own_references(self._entries, frozenset(data.people), len(outputs))
        self._layouts = {
            False: _core.Layout(self._outputs, self._references, self._own),
            True: _core.Layout(self._outputs, self._references, np.full_like(self._own, -1)),
        }
        self._counts: dict[Request, Counts] = {}

    def _systems(self, systems: Sequence[str], n_outputs: int) -> NDArray[np.int64]:
        if len(systems) == 1:
            return np.zeros(n_outputs, dtype=np.int64)
        place = {name: i for i, name in enumerate(systems)}
        names = chain.from_iterable([entry.outputs for entry in self._entries])
        return np.fromiter(map(place.__getitem__, names), np.int64, n_outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self._entries)

    @property
    def reference_item(self) -> NDArray[np.int64]:
        """The item of each reference, as `item` is that of each output."""
        return np.repeat(np.arange(self.items), np.diff(self._references))

    def references_of(self, keep_own: bool = False) -> list[list[int]]:
        """The places of the references that each output meets; without its author's own, unless that is kept."""
        ends = self._references.tolist()
        own = self._own.tolist() if not keep_own else [-1] * len(self.item)
        return [
            [k for k in range(ends[item], ends[item + 1]) if k - ends[item] != mine]
            for item, mine in zip(self.item.tolist(), own, strict=True)
        ]

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The item id and the system's name of each output."""
        return [(entry.id, name) for entry in self._entries for name in entry.outputs]

    @property
    def own(self) -> NDArray[np.int64]:
        """For each output the place among its item's references of the same person's text, or -1."""
        return self._own

    @property
    def sources(self) -> list[tuple[str, ...]]:
        """The source texts of each output's item."""
        per_item = self.item_sources
        return [per_item[i] for i in self.item]

    @property
    def item_sources(self) -> list[tuple[str, ...]]:
        """The source texts of each item."""
        return [entry.sources for entry in self._entries]

    @cached_property
    def source_texts(self) -> Texts:
        """The sources of each item that has any, taken together."""
        return Texts(["\n".join(texts) for texts in self.item_sources if texts], self.outputs.lexicon)

    @cached_property
    def source_layout(self) -> _core.Layout:
        """Outputs against `source_texts`, as `layout` is against references."""
        ends = np.cumsum([0, *(bool(texts) for texts in self.item_sources)], dtype=np.int64)
        return _core.Layout(self._outputs, ends, np.full_like(self._own, -1))

    def layout(self, keep_own: bool) -> _core.Layout:
        """Which outputs meet which references."""
        return self._layouts[keep_own]

    def prefetch(self, requests: Iterable[Request]) -> None:
        """Makes the counts of several units in one pass over the items, where they read texts alike."""
        groups: dict[tuple[Reading, bool], list[Request]] = {}
        for request in dict.fromkeys(requests):
            if request not in self._counts and request.unit.spec is not None:
                groups.setdefault((request.reading, request.keep_own), []).append(request)
        for (reading, keep_own), group in groups.items():
            specs = [r.unit.spec for r in group if r.unit.spec is not None]
            outputs, references = self.outputs.tokens(reading), self.references.tokens(reading)
            lattices = None if self._alternatives is None else self._alternatives.read(references, reading)
            counts = _core.overlap(outputs, references, self.layout(keep_own), specs, [], lattices)
            self._counts.update(zip(group, counts, strict=True))

    def counts(self, unit: SurfaceUnit | Subsequence, reading: Reading, *, keep_own: bool = False) -> Counts:
        """Matches and totals of a unit, for every pair of output and reference."""
        request = Request(unit, reading, keep_own)
        if request not in self._counts:
            if isinstance(unit, Subsequence) and unit.union:
                outputs, references = self.outputs.tokens(reading), self.references.tokens(reading)
                self._counts[request] = _core.union_lcs(outputs, references, self.layout(keep_own), unit.weight)
            else:
                self.prefetch([request])
        return self._counts[request]

    def bag_counts(
        self,
        outputs: _core.Tokens,
        references: _core.Tokens,
        *,
        unit: SurfaceUnit = _ALONE,
        weights: Sequence[float] = (),
        keep_own: bool = False,
    ) -> Counts:
        """The same kernel for bags made elsewhere (dependency triples, frames), each with its weight or n in a row."""
        return _core.overlap(outputs, references, self.layout(keep_own), [unit.spec], list(weights))[0]


def _offsets(ends: list[int]) -> NDArray[np.int64]:
    return np.array(ends, dtype=np.int64) - ends[0]


def _own_references(entries: Sequence[Item], people: frozenset[str], n_outputs: int) -> NDArray[np.int64]:
    """For each output the place of the reference that is the same person's text, or -1.

    By id; and by text for people whose reference goes by another id here (ids get lost on the way from file to file).
    """
    own = np.full(n_outputs, -1, dtype=np.int64)
    if not people:
        return own
    at = 0
    for entry in entries:
        by_id = {r.id: k for k, r in enumerate(entry.references) if r.id is not None}
        by_text = {r.text: k for k, r in enumerate(entry.references)}
        for name, text in entry.outputs.items():
            if name in people:
                own[at] = by_id.get(name, by_text.get(text, -1))
            at += 1
    return own
