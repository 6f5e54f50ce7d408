"""The truth suite: sentences in data/truth*.tsv, each with the words that a shorter text must not separate.

A row has a category, a sentence and requirements joined by `; `. `killer > alleged`: a text that keeps all words on the
left must keep all words on the right. `= Bank of England`: all of these words are kept or none. A hash of the sentence
puts it into one of two halves of its file. The rules were developed on `open` (truth.tsv) and `fresh` (truth_fresh.tsv,
longer sentences that were written later); `closed` and `sealed` are held back.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent / "data"
HALVES = ("open", "closed", "fresh", "sealed")
FILES = {"truth.tsv": HALVES[:2], "truth_fresh.tsv": HALVES[2:]}


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
    half: str

    @property
    def words(self) -> list[str]:
        """The words between white space."""
        return self.sentence.split()


def cases(half: str = "") -> list[Case]:
    """Read the suite, or one half of a file."""
    suite = [case for name, halves in FILES.items() for case in _read(FOLDER / name, halves)]
    return [case for case in suite if half in ("", case.half)]


def _read(path: Path, halves: tuple[str, ...]) -> list[Case]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [
        Case(category, sentence, _requirements(sentence, text), halves[_hash(sentence) % 2])
        for category, sentence, text in rows
    ]


def _hash(sentence: str) -> int:
    return blake2b(sentence.encode(), digest_size=1).digest()[0]


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
