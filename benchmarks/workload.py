"""Deterministic workloads: (a) short items with four references, (b) summary-length items with one to four."""

from __future__ import annotations

import random
from collections.abc import Iterator

_ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "st",
    "tr",
    "pl",
    "br",
    "ch",
    "sh",
]
_NUCLEI = ["a", "e", "i", "o", "u", "ea", "ou", "ai"]
_CODAS = ["", "", "n", "r", "l", "s", "t", "m", "ck", "nd", "st"]
_SUFFIXES = ["", "", "", "", "s", "ed", "ing", "ly", "er", "ation", "ness", "ment", "al", "ive", "ies"]
_WORDS = 20_000


def vocabulary(rng: random.Random) -> list[str]:
    """Pseudo-English words with the suffixes a stemmer works on, the frequent ones short."""
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        syllables = 1 if len(words) < 300 else rng.choice([1, 2, 2, 2, 3])
        stem = "".join(rng.choice(_ONSETS) + rng.choice(_NUCLEI) + rng.choice(_CODAS) for _ in range(syllables))
        words[stem if len(words) < 300 else stem + rng.choice(_SUFFIXES)] = None
    return list(words)


def items(n: int, low: int, high: int, references: tuple[int, int], seed: int = 7) -> Iterator[tuple[str, list[str]]]:
    """(output, references): word frequencies as in Zipf's law, references that share about half their words."""
    rng = random.Random(seed)
    words = vocabulary(rng)
    weights = [1 / (rank + 2.7) for rank in range(len(words))]
    draw = iter(())
    for _ in range(n):
        length = rng.randint(low, high)
        draw = rng.choices(words, weights, k=length * 3)
        base, other = draw[:length], draw[length:]
        texts = [_vary(base, other, rng) for _ in range(1 + rng.randint(*references))]
        yield texts[0], texts[1:]


def _vary(base: list[str], other: list[str], rng: random.Random) -> str:
    """The base with words dropped, replaced and moved, as a sentence with capital, commas and full stop."""
    text = [rng.choice(other) if rng.random() < 0.35 else word for word in base if rng.random() > 0.08] or base[:1]
    if len(text) > 6 and rng.random() < 0.4:
        cut = rng.randrange(2, len(text) - 2)
        text = text[cut:] + text[:cut]
    words = [word + "," if rng.random() < 0.06 else word for word in text]
    for i in range(14, len(words), 15):  # a new sentence now and then
        words[i] += "."
    sentence = " ".join(words)
    return sentence[0].upper() + sentence[1:] + "."


def workload(name: str, n: int | None = None) -> list[tuple[str, list[str]]]:
    """(a) 20,000 items of about 18 tokens with 4 references; (b) 5,000 of 60-100 tokens with 1-4."""
    if name == "a":
        return list(items(n or 20_000, 14, 24, (4, 4)))
    return list(items(n or 5_000, 66, 106, (1, 4)))
