"""Batch: the texts of some items, and the counts worked out about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.evalset import EvalSet, Item
from ..text import Lexicon, TextReading, Texts
from .bags import Counts, Layout
from .unit import CountRequest, OverlapUnit

MAX_WORDS = 5000  # of a text, for metrics with a time that grows with words of the output times words of the reference


class Batch:
    """Outputs, references and sources of some items in item order, with every count made once.

    `system` and `item` say for each output where its score goes; `start` and `stop` take a part of the items.
    `threads` is how many cores metrics that parse or encode may use (None: all).
    """

    def __init__(
        self,
        data: EvalSet,
        lexicon: Lexicon | None = None,
        *,
        start: int = 0,
        stop: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.threads = threads
        lexicon = lexicon or Lexicon()
        stop = len(data) if stop is None else min(stop, len(data))
        outputs, references, output_ends, reference_ends = data.flat
        self._data, self._start, self._stop = data, start, stop
        self._outputs = _offsets(output_ends[start : stop + 1])
        self._references = _offsets(reference_ends[start : stop + 1])
        first, last = int(output_ends[start]), int(output_ends[stop])
        self.outputs = Texts(outputs, lexicon, start=first, stop=last, processes=threads)
        first, last = int(reference_ends[start]), int(reference_ends[stop])
        self.references = Texts(references, lexicon, start=first, stop=last, processes=threads, beside=self.outputs)
        self._alternatives = None
        if data.has_alternatives:
            from .lattice import Alternatives

            flat = [reference for entry in self.entries for reference in entry.references]
            self._alternatives = Alternatives(flat, lexicon)
        self.item = np.repeat(np.arange(stop - start), np.diff(self._outputs))
        self.system = self._systems(data.systems, len(self.outputs))
        self._own = np.full(len(self.outputs), -1, dtype=np.int64)
        if data.people or data.skipped:
            self._own = _own_references(self.entries, frozenset(data.people), data.skipped, len(self.outputs))
        self._layouts = {
            False: Layout(self._outputs, self._references, self._own),
            True: Layout(self._outputs, self._references, np.full_like(self._own, -1)),
        }
        self._counts: dict[tuple[OverlapUnit, bool], Counts] = {}

    def _systems(self, systems: Sequence[str], n_outputs: int) -> NDArray[np.int64]:
        if self._data.columns is not None or len(systems) == 1:
            return np.tile(np.arange(len(systems)), n_outputs // len(systems))
        place = {name: i for i, name in enumerate(systems)}
        names = chain.from_iterable([entry.outputs for entry in self.entries])
        return np.fromiter(map(place.__getitem__, names), np.int64, n_outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    @cached_property
    def entries(self) -> tuple[Item, ...]:
        """The items themselves; made now where the set has them as columns."""
        return self._data.entries[self._start : self._stop]

    @property
    def items(self) -> int:
        """How many items there are."""
        return self._stop - self._start

    @property
    def reference_item(self) -> NDArray[np.int64]:
        """The item of each reference, as `item` is that of each output."""
        return np.repeat(np.arange(self.items), np.diff(self._references))

    def references_of(self, keep_own: bool = False) -> list[list[int]]:
        """Return the places of the references that each output meets; its author's own only with `keep_own`."""
        ends = self._references.tolist()
        own = self._own.tolist() if not keep_own else [-1] * len(self.item)
        return [
            [k for k in range(ends[item], ends[item + 1]) if k - ends[item] != own_place]
            for item, own_place in zip(self.item.tolist(), own, strict=True)
        ]

    def first_tokens(self, reading: TextReading) -> tuple[_core.Tokens, _core.Tokens]:
        """Return the first MAX_WORDS words of each output and of each reference."""
        outputs, references = (self._first_tokens(texts, reading) for texts in (self.outputs, self.references))
        return outputs, references

    @staticmethod
    def _first_tokens(texts: Texts, reading: TextReading) -> _core.Tokens:
        tokens = texts.tokens(reading)
        return tokens.first(MAX_WORDS) if (tokens.lengths() > MAX_WORDS).any() else tokens

    def clipped_notes(self, name: str, reading: TextReading) -> dict[str, int]:
        """Return the note of a metric that compares first words only, and the number of outputs that it concerns."""
        outputs, references = (texts.tokens(reading).lengths() > MAX_WORDS for texts in (self.outputs, self.references))
        items = np.bincount(self.reference_item[references], minlength=self.items) > 0
        n = int((outputs | items[self.item]).sum())
        note = f"{name}: texts of more than {MAX_WORDS:,} words were compared by their first {MAX_WORDS:,}"
        return {note: n} if n else {}

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The item id and the system's name of each output."""
        return [(entry.id, name) for entry in self.entries for name in entry.outputs]

    @property
    def own(self) -> NDArray[np.int64]:
        """For each output the place among its item's references of the one that is its own text, or -1."""
        return self._own

    @property
    def sources(self) -> list[tuple[str, ...]]:
        """The source texts of each output's item."""
        per_item = self.item_sources
        return [per_item[i] for i in self.item]

    @property
    def item_sources(self) -> list[tuple[str, ...]]:
        """The source texts of each item."""
        return [entry.sources for entry in self.entries]

    @cached_property
    def source_texts(self) -> Texts:
        """The sources of each item that has any, taken together."""
        return Texts(
            ["\n".join(texts) for texts in self.item_sources if texts], self.outputs.lexicon, processes=self.threads
        )

    @cached_property
    def source_layout(self) -> Layout:
        """Outputs against `source_texts`, as `layout` is against references."""
        ends = np.cumsum([0, *(bool(texts) for texts in self.item_sources)], dtype=np.int64)
        return Layout(self._outputs, ends, np.full_like(self._own, -1))

    def layout(self, keep_own: bool) -> Layout:
        """Return which outputs meet which references."""
        return self._layouts[keep_own]

    def counts(self, unit: OverlapUnit, *, keep_own: bool = False) -> Counts:
        """Return matches and totals of a unit, for every pair of output and reference; equal units are counted once."""
        key = unit, keep_own
        if key not in self._counts:
            self._counts[key] = unit.count(self, keep_own=keep_own)
        return self._counts[key]

    def prefetch(self, requests: Iterable[CountRequest]) -> None:
        """Count several units of words in one pass over the items, where they read texts alike."""
        new = [r for r in dict.fromkeys(requests) if r not in self._counts and r.unit.shape.spec is not None]
        for (unit, keep_own), counts in self.count_together(new).items():
            self._counts[unit, keep_own] = counts

    def count_together(self, requests: Iterable[CountRequest]) -> dict[CountRequest, Counts]:
        """Count units of words, with one call of the kernel for all that read texts alike."""
        groups: dict[tuple[TextReading, bool], list[CountRequest]] = {}
        for request in requests:
            groups.setdefault((request.unit.reading, request.keep_own), []).append(request)
        counts: dict[CountRequest, Counts] = {}
        for (reading, keep_own), group in groups.items():
            outputs, references = self.outputs.tokens(reading), self.references.tokens(reading)
            lattices = None if self._alternatives is None else self._alternatives.read(references, reading)
            specs = [r.unit.shape.spec for r in group if r.unit.shape.spec is not None]
            parts = _core.overlap(outputs, references, self.layout(keep_own), specs, [], lattices)
            counts.update(zip(group, parts, strict=True))
        return counts


def _offsets(ends: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(ends, dtype=np.int64) - ends[0]


def _own_references(
    entries: Sequence[Item], people: frozenset[str], repeats: Mapping[str, Mapping[str, int]], n_outputs: int
) -> NDArray[np.int64]:
    """Return for each output the place of the reference that is its own text, or -1.

    A person's text, and that of a system with repeated references that are skipped, where there is another.

    People's by id; and by text for people with a reference that has another id here (ids get lost on the way from file
    to file).
    """
    own = np.full(n_outputs, -1, dtype=np.int64)
    at = 0
    for entry in entries:
        by_id = {r.id: k for k, r in enumerate(entry.references) if r.id is not None}
        by_text = {r.text: k for k, r in enumerate(entry.references)}
        for name, text in entry.outputs.items():
            if name in people:
                own[at] = by_id.get(name, by_text.get(text, -1))
            elif name in repeats and len(entry.references) > 1:
                own[at] = repeats[name].get(entry.id, -1)
            at += 1
    return own
