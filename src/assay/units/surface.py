"""Units on the surface of a text: n-grams, skip-bigrams, subsequences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import InputError, UnknownName


@dataclass(frozen=True)
class Ngram:
    """n words in a row."""

    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.n <= 1000:
            raise InputError(f"n-grams need n between 1 and 1000; got {self.n}")

    @property
    def spec(self) -> tuple[int, int, int, int]:
        """(n, skip, gap, unigrams) for the core."""
        return (self.n, 0, 0, 0)


@dataclass(frozen=True)
class SkipBigram:
    """Two words in order with at most `gap` between them (-1: any number), and with `unigrams` also single words.

    Single words are counted as ROUGE-1.5.5 counts them: all but the last of a text.
    """

    gap: int = 4
    unigrams: bool = False

    @property
    def spec(self) -> tuple[int, int, int, int]:
        """(n, skip, gap, unigrams) for the core."""
        return (2, 1, self.gap, int(self.unigrams))


@dataclass(frozen=True)
class Subsequence:
    """The longest common subsequence: of the whole text, or united over sentences (`weight` > 1: runs count more)."""

    union: bool = False
    weight: float = 1.0

    @property
    def spec(self) -> tuple[int, int, int, int] | None:
        """As for the others where whole texts are compared; sentences go their own way."""
        return None if self.union else (0, 0, 0, 0)


SurfaceUnit = Ngram | SkipBigram


def parse_unit(name: str) -> SurfaceUnit:
    """Return a unit by the name Toutanova et al. (2016) give it (LR-2, SKIP-2) or by ours (skip9, su4).

    >>> parse_unit("LR-3"), parse_unit("SKIP-2"), parse_unit("su4")
    (Ngram(n=3), SkipBigram(gap=4, unigrams=False), SkipBigram(gap=4, unigrams=True))
    """
    text = name.lower()
    if match := re.fullmatch(r"lr-?(\d+)", text):
        return Ngram(int(match[1]))
    if text in ("skip-2", "skip2"):
        return SkipBigram(gap=4)  # footnote to 4.1: four intervening words at most, as ROUGE-S4
    if match := re.fullmatch(r"(skip|su)(\d+|\*)", text):
        return SkipBigram(gap=-1 if match[2] == "*" else int(match[2]), unigrams=match[1] == "su")
    raise UnknownName("unit", name, ["LR-1", "LR-2", "LR-3", "LR-4", "SKIP-2", "skip4", "su4", "PARSE-2"])
