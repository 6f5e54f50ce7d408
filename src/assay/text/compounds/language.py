"""Languages that compounds are split in: each is one file of linking elements, patterns, limits and sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnknownName

FOLDER = files(__package__) / "languages"
# Parts of speech, as in the patterns: noun, verb, adjective, adverb, particle, number, other closed class, unknown.
TAGS = "NVARPCFX"


@dataclass(frozen=True)
class SplitLimits:
    """What a split may look like, as in Owczarzak et al. 2014, Tables 1 and 4; lengths in characters.

    `unknown` and `cover` are for the guesser: the shortest part that the lexicon does not have, and the share of the
    word that known parts must cover.
    """

    parts: int = 8
    word: int = 5
    part: int = 2
    linked_part: int = 3
    unknown: int = 3
    cover: float = 0.0

    def array(self) -> NDArray[np.float64]:
        """Return them in the order of the compiled core."""
        return np.array([self.parts, self.word, self.part, self.linked_part, self.unknown, self.cover], dtype=float)


@dataclass(frozen=True)
class Language:
    """One language: what its file says."""

    code: str
    name: str
    links: tuple[str, ...]
    endings: tuple[str, ...]
    patterns: tuple[str, ...]
    stems: tuple[tuple[str, str, str], ...]
    capital_nouns: bool
    tagged: bool  # whether the weights were fitted with parts of speech
    hyphens: bool  # whether a hyphen between letters is a boundary like any other
    limits: SplitLimits
    guesser: SplitLimits
    model: str  # the language of the weights
    shift: float  # added to the score of every split, where the weights are another language's
    guess_shift: float  # the same for splits of the guesser
    sources: Mapping[str, Any] = field(default_factory=dict)
    closed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lexicalized: Mapping[str, str] = field(default_factory=dict)

    def pairs(self) -> NDArray[np.uint8]:
        """Return which part of speech may follow which; an unknown one goes with any, and so does all without patterns.

        >>> load_language("de").pairs().reshape(8, 8)[TAGS.index("N"), TAGS.index("P")]
        np.uint8(0)
        """
        table = np.zeros((8, 8), np.uint8)
        table[TAGS.index("X"), :] = table[:, TAGS.index("X")] = 1
        if not self.patterns:
            table[:] = 1
        for pattern in self.patterns:
            left, _, right = pattern.partition("+")
            table[TAGS.index(left), TAGS.index(right)] = 1
        return table.reshape(-1)


def list_languages() -> list[str]:
    """List the codes of the languages there are."""
    return sorted(path.name.removesuffix(".toml") for path in FOLDER.iterdir())


@cache
def load_language(code: str) -> Language:
    """Read a language by its code.

    >>> load_language("de").name
    'German'
    """
    if code not in list_languages():
        names = {c: tomllib.loads((FOLDER / f"{c}.toml").read_text("utf-8"))["name"] for c in list_languages()}
        hint = f"(there are {', '.join(f'{c} {name}' for c, name in names.items())})"
        raise UnknownName("language", code, list_languages(), hint=hint)
    content = tomllib.loads((FOLDER / f"{code}.toml").read_text("utf-8"))
    return Language(
        code,
        content["name"],
        links=tuple(content.get("links", ())),
        endings=tuple(content.get("endings", ())),
        patterns=tuple(content.get("patterns", ())),
        stems=tuple(tuple(rule) for rule in content.get("stems", ())),
        capital_nouns=content.get("capital_nouns", False),
        tagged=content.get("tagged", False),
        hyphens=content.get("hyphens", False),
        limits=SplitLimits(**content.get("limits", {})),
        guesser=SplitLimits(**{"parts": 4, "word": 7, "part": 3, **content.get("guesser", {})}),
        model=content.get("model", code),
        shift=content.get("shift", 0.0),
        guess_shift=content.get("guess_shift", 0.0),
        sources=content.get("sources", {}),
        closed={tag: tuple(words) for tag, words in content.get("closed", {}).items()},
        lexicalized=content.get("lexicalized", {}),
    )
