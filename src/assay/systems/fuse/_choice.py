"""Choice: of the ways to fuse a cluster, the one expected to say most that a person would say.

(1) score = 100 x (share x pairs + (1 - share) x words): the expected overlap with a human fusion of usual length, in
words and in pairs of neighbouring words, each as an F measure. `SHARE` was set on four folds of the training pairs: .8
scored higher than most other shares there, by less than the noise; weights fitted to ROUGE were not better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...text.parse.flat import ParsedText
from ._word_context import find_next

Floats = NDArray[np.float64]
USUAL = 14.5  # words of a human fusion
SHARE = 0.8


@dataclass(frozen=True)
class TokenEvidence:
    """What is known of each token of each sentence: p(said), and p(said with the next word)."""

    p_word: Sequence[Floats]
    p_pair: Sequence[Floats]
    texts: Sequence[ParsedText]


def expect_overlap(evidence: TokenEvidence, kept_tokens: Sequence[Sequence[int]]) -> float:
    """Compute the score of a candidate that keeps these tokens of each sentence, in points."""
    words = pairs = 0.0
    for n, tokens in enumerate(kept_tokens):
        inside, following = set(tokens), find_next(evidence.texts[n])
        words += sum(float(evidence.p_word[n][k]) for k in tokens)
        pairs += sum(float(evidence.p_pair[n][k]) for k in tokens if following[k] in inside)
    size = max(1, sum(map(len, kept_tokens)))
    in_words = 2 * words / (size + USUAL)
    in_pairs = 2 * pairs / (max(1, size - 1) + USUAL - 1)
    return 100 * (SHARE * in_pairs + (1 - SHARE) * in_words)
