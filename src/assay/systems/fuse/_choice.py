"""Choice: of the ways to fuse a cluster, the one expected to say most of what a person would (training/systems/fuse).

(1) score = sum of weights x features, with expected overlap in words and in pairs of words first among them; the
weights are a ridge regression on the mean of ROUGE-1, 2 and L of candidates against human fusions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ...text.stems import stop_words
from .._parsed_text import ParsedText
from ._salience import PRONOUNS

Floats = NDArray[np.float64]
USUAL = 14.5  # words of a human fusion
FEATURES = (
    "expected words",
    "expected pairs",
    "words",
    "log words",
    "more than usual",
    "fewer than ten",
    "joined",
    "share of source",
    "headline",
    "conservative",
    "begins with pronoun",
    "expected content words",
)
_CONTENT = 9.0  # content words of a human fusion


@dataclass(frozen=True)
class Evidence:
    """What is known of each token of each sentence: p(said), p(said with the next), logits of the two taggers."""

    p_word: Sequence[Floats]
    p_pair: Sequence[Floats]
    headline: Sequence[Floats]
    conservative: Sequence[Floats]
    texts: Sequence[ParsedText]

    def count_words(self, n: int) -> int:
        """Count the words of a sentence."""
        return sum(not mark for mark in self.texts[n].punctuation)


def describe_candidate(evidence: Evidence, kept_tokens: Sequence[Sequence[int]], kind: str, text: str) -> list[float]:
    """Compute the features of a candidate that keeps these tokens of each sentence."""
    places = [(n, k) for n, tokens in enumerate(kept_tokens) for k in tokens]
    inside = set(places)
    size = max(1, len(places))
    words = sum(float(evidence.p_word[n][k]) for n, k in places)
    pairs = sum(float(evidence.p_pair[n][k]) for n, k in places if (n, k + 1) in inside)
    source = sum(evidence.count_words(n) for n, tokens in enumerate(kept_tokens) if tokens)
    forms = [evidence.texts[n].tokens[k].text.lower() for n, k in places]
    stop = stop_words()
    content = [float(evidence.p_word[n][k]) for (n, k), form in zip(places, forms, strict=True) if form not in stop]
    first = next((word.lower() for word in text.split() if word[0].isalnum()), "")
    return [
        2 * words / (size + USUAL),
        2 * pairs / (max(1, size - 1) + USUAL - 1),
        size,
        float(np.log(size)),
        max(0.0, size - USUAL),
        max(0.0, 10.0 - size),
        kind in ("joined", "coordinated"),
        size / max(1, source),
        sum(float(evidence.headline[n][k]) for n, k in places) / size,
        sum(float(evidence.conservative[n][k]) for n, k in places) / size,
        first in PRONOUNS,
        2 * sum(content) / (len(content) + _CONTENT),
    ]


@lru_cache(maxsize=1)
def load_choice() -> Floats:
    """Load the weights that come with Assay, in the order of FEATURES."""
    read = json.loads((files(__package__) / "models" / "choice.json").read_text("utf-8"))
    return np.array([read["weights"][name] for name in FEATURES])
