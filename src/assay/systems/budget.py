"""Budget: how long a shortened text may be, as a share of its source, in words, in characters, or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ..errors import InputError
from ..text.tokens.offsets import UNSPACED

MAX_LENGTH = 2**31 - 1  # words or characters: what the core counts with


@cache
def _word_pattern() -> re.Pattern[str]:
    """Compile the pattern when it is first used: its large character classes take milliseconds."""
    # From the start of a run, never back: a run of signs alone would be read again from each of its characters.
    return re.compile(rf"[{UNSPACED}]|(?<![^\s{UNSPACED}])[^\s\w{UNSPACED}]*+[^\W{UNSPACED}][^\s{UNSPACED}]*")


def count_words(text: str) -> int:
    """Count words: runs of characters without white space that contain a letter or digit.

    >>> count_words("It isn't far , is it ?"), count_words("well-known (and loved)"), count_words("東京へ")
    (5, 3, 3)
    """
    return sum(1 for _ in _word_pattern().finditer(text))


class Limit(NamedTuple):
    """The largest number of words or characters that a text may have."""

    most: int
    unit: str  # "words" or "chars"

    def size(self, text: str) -> int:
        """Measure a text in the unit of the limit."""
        return count_words(text) if self.unit == "words" else len(text)

    def holds(self, text: str) -> bool:
        """Check if a text is within it."""
        return self.size(text) <= self.most

    def __str__(self) -> str:
        unit = "word" if self.unit == "words" else "character"
        return f"{self.most:,} {unit}" if self.most == 1 else f"{self.most:,} {unit}s"


@dataclass(frozen=True)
class Budget:
    """A ratio of the source's words (rounded down, at least one), a number of words, or of characters; or none.

    >>> Budget(ratio=0.43).limit("Ten words are just enough for this very short example.")
    Limit(most=4, unit='words')
    >>> Budget(ratio=1.2)
    Traceback (most recent call last):
    assay.errors.InputError: ratio must be above 0 and at most 1 (a share of the source's words); got 1.2
    """

    ratio: float | None = None
    words: int | None = None
    chars: int | None = None

    def __post_init__(self) -> None:
        names = [name for name in ("ratio", "words", "chars") if getattr(self, name) is not None]
        if len(names) > 1:
            raise InputError(f"give one of ratio, words and chars, not {' and '.join(names)}")
        if self.ratio is not None and not (isinstance(self.ratio, (int, float)) and 0 < self.ratio <= 1):
            value_text = f"{self.ratio:g}" if isinstance(self.ratio, (int, float)) else repr(self.ratio)
            raise InputError(f"ratio must be above 0 and at most 1 (a share of the source's words); got {value_text}")
        for name in ("words", "chars"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise InputError(f"{name} must be a whole number above 0; got {value!r}")
            if value is not None and value > MAX_LENGTH:
                raise InputError(f"{name} must be at most {MAX_LENGTH:,}; got {value!r}")

    def __bool__(self) -> bool:
        return self.ratio is not None or self.words is not None or self.chars is not None

    def limit(self, source: str) -> Limit | None:
        """Return the limit for a text made from this source; None if there is no budget."""
        if self.words is not None:
            return Limit(self.words, "words")
        if self.chars is not None:
            return Limit(self.chars, "chars")
        if self.ratio is None:
            return None
        share = Fraction(str(float(self.ratio)))  # as it was typed: .29 of 100 words is 29, not 28
        return Limit(max(1, int(share * count_words(source))), "words")
