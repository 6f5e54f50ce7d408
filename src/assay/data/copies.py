"""Which systems have the same texts as another one? They are one system, and count once in tests and correlations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import ClassVar, NamedTuple

from .item import Item
from .leaks import MIN_REPEATS, NEAR, SAMPLE, SHORT, Words, count_words, overlap_words

MIN_SHARE = 0.9  # share of the items in common from which two systems with the same texts are one system
_KEPT = 0.8  # word overlap with a source or reference from which outputs differ in few words anyway
_MOST_OTHER = 8  # other texts on 24 items that drop a pair; one with .9 of the same has them 1 time in 1,000

Pair = tuple[str, str]


@dataclass(frozen=True)
class SystemCopy:
    """A system with the same texts as another: on `same` of the `items` on which their texts can tell.

    Texts are the same if they differ in case, white space and punctuation, or in less than a twentieth of their words.
    Texts of fewer than 4 words, and those that equal a source or reference, tell nothing: they are the same because
    they are right. Where a source or reference is near (four fifths of the words), as in correcting grammar, a
    twentieth of the words is what systems differ by, and only equal texts are the same.
    """

    kind: ClassVar[str] = "system_copy"
    system: str
    original: str
    same: int
    items: int


def find_copies(items: Sequence[Item], apart: Collection[str] = ()) -> tuple[SystemCopy, ...]:
    """Find systems whose texts are the same as another's on nine tenths of their items in common, five at least.

    Of systems with the same texts, that with the most judgments, then outputs, is the original. `apart` are not looked
    at: people, and systems that repeat references.

    >>> texts = {"A": "a b c d", "B": "A b  c d", "C": "e f g h"}
    >>> find_copies([Item(str(i), outputs=texts) for i in range(5)])
    (SystemCopy(system='B', original='A', same=5, items=5),)
    """
    outputs, judgments = _count(items, apart)
    if len(outputs) < 2 or sorted(outputs.values())[-2] < MIN_REPEATS:
        return ()
    finder = _PairFinder(apart)
    sample = items[:: -(-len(items) // SAMPLE)]
    finder.look(sample, _MOST_OTHER)
    if len(sample) < len(items):
        finder.restrict(len(outputs))
        if finder.some_left:
            finder.look(items, len(items))
    order = {name: (-judgments.get(name, 0), -count, place) for place, (name, count) in enumerate(outputs.items())}
    copies: dict[str, SystemCopy] = {}
    for (a, b), (same, compared) in finder.counts.items():
        original, copy = sorted((a, b), key=order.__getitem__)
        if same >= max(MIN_REPEATS, MIN_SHARE * compared) and 2 * compared >= outputs[copy]:
            known = copies.get(copy)
            if known is None or order[original] < order[known.original]:
                copies[copy] = SystemCopy(copy, original, same, compared)
    return tuple(copies[name] for name in outputs if name in copies)


def _count(items: Iterable[Item], apart: Collection[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Count the outputs and the judgments of each system."""
    outputs: dict[str, int] = {}
    judgments: dict[str, int] = {}
    for item in items:
        for system in item.outputs:
            if system not in apart:
                outputs[system] = outputs.get(system, 0) + 1
        for system in chain.from_iterable(map(item.judged_systems, item.judgments)):
            judgments[system] = judgments.get(system, 0) + 1
    return outputs, judgments


class _PairFinder:
    """Counts, by pair of systems, on how many items their texts are the same."""

    def __init__(self, apart: Collection[str]) -> None:
        self.apart = apart
        self.counts: dict[Pair, tuple[int, int]] = {}  # the same, compared
        self.only: frozenset[Pair] | None = None
        self.dropped: set[Pair] = set()

    def look(self, items: Iterable[Item], most_other: int) -> None:
        """Compare the texts of the pairs left on these items; drop those with so many that are not the same."""
        self.counts = {}
        for item in items:
            texts = _ItemTexts(item)
            for pair in self._pairs({s for s in item.outputs if s not in self.apart}):
                alike = texts.compare(*pair)
                if alike is not None:
                    same, compared = self.counts.get(pair, (0, 0))
                    same, compared = same + alike, compared + 1
                    self.counts[pair] = same, compared
                    if compared - same >= most_other:
                        self.dropped.add(pair)

    def restrict(self, systems: int) -> None:
        """Go on with the pairs that were compared and not dropped, where all were compared."""
        if len(self.counts) == systems * (systems - 1) // 2:
            self.only = frozenset(self.counts) - self.dropped

    @property
    def some_left(self) -> bool:
        """Whether there are pairs to look at further."""
        return self.only is None or bool(self.only)

    def _pairs(self, systems: Collection[str]) -> Iterator[Pair]:
        if self.only is not None:
            return (pair for pair in self.only if pair[0] in systems and pair[1] in systems)
        return (pair for pair in combinations(sorted(systems), 2) if pair not in self.dropped)


class _Text(NamedTuple):
    """A text: its words, its letters, and whether it equals a source or reference."""

    words: Words
    letters: str
    right: bool


class _ItemTexts:
    """The outputs of an item, each read when it is first compared."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self._texts: dict[str, _Text] = {}
        self._near: dict[str, bool] = {}

    def compare(self, one: str, other: str) -> bool | None:
        """Say whether the texts of two systems are the same; None if they cannot tell."""
        a, b = self._texts.get(one) or self._read(one), self._texts.get(other) or self._read(other)
        if a.right or b.right or a.words.total < SHORT or b.words.total < SHORT:
            return None
        if a.letters == b.letters:
            return True
        near = overlap_words(a.words.in_order, b.words, NEAR) > NEAR
        return near and not (self._is_near(one) or self._is_near(other))

    def _read(self, system: str) -> _Text:
        text = self.item.outputs[system]
        letters = _letters(text)
        self._texts[system] = read = _Text(count_words(text), letters, letters in self._right)
        return read

    @cached_property
    def _others(self) -> list[str]:
        return [*self.item.sources, *(reference.text for reference in self.item.references)]

    @cached_property
    def _right(self) -> frozenset[str]:
        return frozenset(map(_letters, self._others))

    def _is_near(self, system: str) -> bool:
        if system not in self._near:
            words = self._read(system).words.in_order
            self._near[system] = any(overlap_words(words, count_words(text), _KEPT) > 0 for text in self._others)
        return self._near[system]


def _letters(text: str) -> str:
    """Return the letters and digits of a text, without case.

    >>> _letters("The cat - sat .")
    'thecatsat'
    """
    return "".join(filter(str.isalnum, text.lower()))
