"""Score the probability of keeping words: on Google pairs kept back, and on what people kept of MSR's sources.

Only words with a letter or digit count, pooled over all texts. F1 is at the threshold that keeps 43 % of them. On MSR a
word is kept by a rewrite if the longest matching runs of both (difflib) hold it; the AUC is over words x rewrites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np

RATE = 0.43


class Judged(NamedTuple):
    """The tokens of a source, the spaces after them, and for each compression which of them it keeps."""

    forms: list[str]
    spaces: list[bool]
    kept: list[list[int]]


def matched(words: Sequence[str], shorter: Sequence[str]) -> list[int]:
    """Mark the words that are also in a rewrite, in order.

    >>> matched("the old man slept".split(), "that man slept".split())
    [0, 0, 1, 1]
    """
    bits = [0] * len(words)
    for block in SequenceMatcher(None, words, shorter, autojunk=False).get_matching_blocks():
        bits[block.a : block.a + block.size] = [1] * block.size
    return bits


def msr_rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Read the sources of MSR's file and their rewrites."""
    with path.open(encoding="utf-8-sig") as lines:
        for line in lines:
            source, *rewrites = line.rstrip("\n").split(" ||| ")
            yield source.split("\t")[2], [rewrite.split("\t")[0] for rewrite in rewrites]


def pool(texts: Sequence[Judged], p: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and bits of all words x compressions."""
    values, bits = [], []
    for text, own in zip(texts, p, strict=True):
        words = [i for i, form in enumerate(text.forms) if any(map(str.isalnum, form))]
        for kept in text.kept:
            values.append(own[words])
            bits.append(np.array(kept, bool)[words])
    return np.concatenate(values), np.concatenate(bits)


def f1_at_rate(p: np.ndarray, kept: np.ndarray, rate: float = RATE) -> float:
    """F1 of the words with the highest probabilities, a share `rate` of all.

    >>> f1_at_rate(np.array([0.9, 0.8, 0.3, 0.1]), np.array([True, False, True, False]), 0.5)
    0.5
    """
    chosen = p >= np.quantile(p, 1 - rate)
    return float(2 * (chosen & kept).sum() / (chosen.sum() + kept.sum()))


def auc(p: np.ndarray, kept: np.ndarray) -> float:
    """The probability that a kept word has a higher value than a deleted one; ties count half; NaN without either.

    >>> auc(np.array([0.9, 0.8, 0.3, 0.3]), np.array([True, False, True, False]))
    0.625
    """
    n, m = int(kept.sum()), int((~kept).sum())
    _, place, count = np.unique(p, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    return float((ranks[kept].sum() - n * (n + 1) / 2) / (n * m)) if n and m else float("nan")
