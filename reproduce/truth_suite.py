"""The truth suite: sentences in data/truth.tsv, each with the words that a shorter text must not separate.

A row has a category, a sentence and requirements joined by `; `. `killer > alleged`: a text that keeps all words on the
left must keep all words on the right. `= Bank of England`: all of these words are kept or none. Two halves, told apart
by a hash of the sentence: `open`, on which the lexicons were developed, and `closed`, which was scored once.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

FILE = Path(__file__).parent / "data" / "truth.tsv"
HALVES = ("open", "closed")


@dataclass(frozen=True)
class Requirement:
    """Places of words that are kept together: all of `kept` require all of `needed`, or, if `whole`, each other."""

    kept: frozenset[int]
    needed: frozenset[int]
    whole: bool = False

    def lost(self, places: frozenset[int]) -> frozenset[int]:
        """Return the needed words that a text with the words at these places lacks; none if it says nothing false."""
        if self.whole:
            return self.needed - places if self.needed & places else frozenset()
        return self.needed - places if self.kept <= places else frozenset()


@dataclass(frozen=True)
class Case:
    """A sentence and what must survive of it."""

    category: str
    sentence: str
    requirements: tuple[Requirement, ...]

    @property
    def words(self) -> list[str]:
        """The words between white space."""
        return self.sentence.split()

    @property
    def half(self) -> str:
        """Return the half of the suite that the sentence is in."""
        return HALVES[blake2b(self.sentence.encode(), digest_size=1).digest()[0] % 2]


def cases(half: str = "") -> list[Case]:
    """Read the suite, or one half of it."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    suite = [Case(category, sentence, _requirements(sentence, text)) for category, sentence, text in rows]
    return [case for case in suite if half in ("", case.half)]


def _requirements(sentence: str, text: str) -> tuple[Requirement, ...]:
    bare = [re.sub(r"^\W+|\W+$", "", word) for word in sentence.split()]

    def places(words: str) -> frozenset[int]:
        return frozenset(_place(bare, word) for word in words.split())

    requirements = []
    for part in text.split("; "):
        if part.startswith("= "):
            requirements.append(Requirement(frozenset(), _run(bare, part[2:].split()), whole=True))
        else:
            left, right = part.split(" > ")
            requirements.append(Requirement(places(left), places(right)))
    return tuple(requirements)


def _place(bare: list[str], word: str) -> int:
    if bare.count(word) != 1:
        raise ValueError(f"{word!r} must be once in {' '.join(bare)!r}")
    return bare.index(word)


def _run(bare: list[str], words: list[str]) -> frozenset[int]:
    starts = [i for i in range(len(bare)) if bare[i : i + len(words)] == words]
    if len(starts) != 1:
        raise ValueError(f"{' '.join(words)!r} must be once in {' '.join(bare)!r}")
    return frozenset(range(starts[0], starts[0] + len(words)))
