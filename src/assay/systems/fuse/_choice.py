"""Choice: of the ways to fuse a cluster, the one expected to say most of what a person would (training/systems/fuse).

(1) score = sum of weights x features: the expected overlap with a human fusion in words, in pairs of neighbouring words
and in content words, each as an F measure. The weights are a ridge regression on the mean of ROUGE-1, 2 and L of
candidates against human fusions. More features (length, kind, taggers) chose no better on other stories.
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

Floats = NDArray[np.float64]
USUAL, USUAL_CONTENT = 14.5, 9.0  # words and content words of a human fusion
FEATURES = ("expected words", "expected pairs", "expected content words")


@dataclass(frozen=True)
class TokenEvidence:
    """What is known of each token of each sentence: p(said), and p(said with the next)."""

    p_word: Sequence[Floats]
    p_pair: Sequence[Floats]
    texts: Sequence[ParsedText]


def describe_candidate(evidence: TokenEvidence, kept_tokens: Sequence[Sequence[int]]) -> list[float]:
    """Compute the features of a candidate that keeps these tokens of each sentence."""
    places = [(n, k) for n, tokens in enumerate(kept_tokens) for k in tokens]
    inside, stop = set(places), stop_words()
    words = [float(evidence.p_word[n][k]) for n, k in places]
    pairs = [float(evidence.p_pair[n][k]) for n, k in places if (n, k + 1) in inside]
    forms = [evidence.texts[n].tokens[k].text.lower() for n, k in places]
    content = [p for p, form in zip(words, forms, strict=True) if form not in stop]
    return [
        2 * sum(words) / (max(1, len(words)) + USUAL),
        2 * sum(pairs) / (max(1, len(words) - 1) + USUAL - 1),
        2 * sum(content) / (len(content) + USUAL_CONTENT),
    ]


@lru_cache(maxsize=1)
def load_choice() -> Floats:
    """Load the weights that come with Assay, in the order of FEATURES."""
    read = json.loads((files(__package__) / "models" / "choice.json").read_text("utf-8"))
    return np.array([read["weights"][name] for name in FEATURES])
