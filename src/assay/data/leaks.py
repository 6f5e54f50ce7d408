"""Which systems repeat references? Such a system is scored against its own texts: a leak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from .item import Item

NEAR = 0.95  # word overlap (F) above which two texts are the same text but for a slip
MIN_SHARE = 0.5  # share of a system's outputs from which it is the system, not chance, that meets the references
MIN_REPEATS = 5  # repeats; a few outputs that equal a reference are not a leak
SAMPLE = 24  # items looked at first; of a system that repeats half of them, a sixth of these are repeats almost surely
SHORT = 4  # words; shorter texts, such as answers to questions, are repeated because they are right


class RepeatFinder:
    """Finds the reference that an output repeats; keeps the words of references, which every system meets again."""

    def __init__(self, near: float = NEAR) -> None:
        self.near = near
        self._references: dict[str, Words] = {}

    def find(self, output: str, references: Sequence[str]) -> tuple[int, float] | None:
        """Return the place and the word overlap of the reference nearest to the output, or None if none is near.

        >>> RepeatFinder().find("The cat  sat.", ["A dog ran.", "the cat sat."])
        (1, 1.0)
        """
        words = output.lower().split()
        best, nearest = 0.0, 0
        for place, text in enumerate(references):
            overlap = overlap_words(words, self._references.get(text) or self._read(text), self.near)
            if overlap > best:
                best, nearest = overlap, place
        return (nearest, best) if best > self.near or best == 1.0 else None

    def _read(self, text: str) -> Words:
        """Return the words of a reference, counted once."""
        self._references[text] = reference = count_words(text)
        return reference


class Words(NamedTuple):
    """The words of a text: how often each occurs, how many there are, and all of them in alphabetical order."""

    bag: Counter[str]
    total: int
    in_order: list[str]


def count_words(text: str) -> Words:
    """Count the words of a text, without case."""
    words = text.lower().split()
    return Words(Counter(words), len(words), sorted(words))


def overlap_words(words: list[str], other: Words, near: float) -> float:
    """Return F of the words in common; 0 where lengths or missing words rule out a value above `near`.

    >>> overlap_words(["the", "cat", "sat"], count_words("The cat  sat"), 0.95)
    1.0
    """
    bag, nb, in_order = other
    na = len(words)
    least = near * (na + nb) / 2
    if not na or not nb or (na != nb and min(na, nb) <= least):
        return 0.0
    if na == nb and 2 * (na - 1) / (na + nb) <= near:  # one other word is too many
        return 1.0 if set(words) == bag.keys() and sorted(words) == in_order else 0.0
    if min(na - len(set(words).difference(bag)), nb) < least:
        return 0.0
    return 2 * (Counter(words) & bag).total() / (na + nb)


def find_leaked(
    items: Sequence[Item], people: Collection[str] = (), outputs: Mapping[str, int] | None = None
) -> dict[str, dict[str, int]]:
    """Return the systems that repeat a reference on at least half of their items: by system, item id and which one.

    Texts of fewer than 4 words do not count, and five repeats and a second system are needed. People's texts are their
    own references by right: they are left out. A system that repeats less than a sixth of 24 items spread over the set
    is not looked at further. `outputs` is how many each system has, where that is known without looking.

    >>> from assay.data.item import Reference
    >>> text = Reference("a b c d")
    >>> find_leaked([Item(str(i), references=(text,), outputs={"A": "a B c d", "B": "e"}) for i in range(5)])
    {'A': {'0': 0, '1': 0, '2': 0, '3': 0, '4': 0}}
    """
    outputs = _count_outputs(items) if outputs is None else outputs
    if len(outputs) < 2 or max(outputs.values()) < MIN_REPEATS:  # a set of one system: nothing is compared
        return {}
    finder, systems = RepeatFinder(), {s for s in outputs if s not in people}
    some = items[:: -(-len(items) // SAMPLE)]
    sample, first = _count_outputs(some), _find_repeats(some, finder, systems)
    suspects = {s for s in systems if sample[s] < 6 or len(first.get(s, ())) >= sample[s] / 6}
    if not suspects:
        return {}
    repeats = first if len(some) == len(items) else _find_repeats(items, finder, suspects)
    return {s: places for s, places in repeats.items() if len(places) >= max(MIN_REPEATS, MIN_SHARE * outputs[s])}


def _count_outputs(items: Sequence[Item]) -> Counter[str]:
    return Counter(chain.from_iterable(item.outputs for item in items))


def _find_repeats(items: Sequence[Item], finder: RepeatFinder, systems: Collection[str]) -> dict[str, dict[str, int]]:
    """Return, by system and item, the place of the reference that the output repeats."""
    repeats: dict[str, dict[str, int]] = {}
    for item in items:
        references = [r.text for r in item.references]
        for system, text in item.outputs.items():
            if system in systems:
                repeat = finder.find(text, references)
                if repeat is not None and len(text.split()) >= SHORT:
                    repeats.setdefault(system, {})[item.id] = repeat[0]
    return repeats
