"""Segments: the sentences of a text, long ones in parts, and how many words of a limit each may have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from ....text.sentences import sentence_spans
from ....text.tokens.offsets import Token
from ..word_based import parts

SHORT = {"words": 3, "chars": 20}  # a sentence of that length is left as it is, or left out


def split_segments(text: str, tokens: Sequence[Token], longest: int) -> list[tuple[int, int]]:
    """Return the first token and the end of each sentence; one of more than `longest` tokens is cut into parts.

    >>> from assay.text.tokens.offsets import split_lexical_tokens
    >>> text = "It rained. Nobody came to the match."
    >>> split_segments(text, split_lexical_tokens(text), 5)
    [(0, 3), (3, 8), (8, 9)]
    """
    segments: list[tuple[int, int]] = []
    at = 0
    for _, end in sentence_spans(text):
        start = at
        while at < len(tokens) and tokens[at].start < end:
            at += 1
        segments += [(start + first, start + last) for first, last in parts(tokens[start:at], longest)]
    if at < len(tokens):  # never so far; no token may be lost
        segments += [(at + first, at + last) for first, last in parts(tokens[at:], longest)]
    return segments


def share_limit(costs: Sequence[int], most: int, whole: int = 0) -> list[int]:
    """Divide a limit among segments in proportion to what they cost.

    Segments that cost at most `whole` (in words, a sentence such as "It rained.") get all that they cost or nothing.

    >>> share_limit([10, 20, 4], 17), share_limit([3, 4], 9), share_limit([20, 2], 16, whole=3)
    ([5, 10, 2], [3, 4], [14, 2])
    """
    shares = _share(costs, most)
    small = {i: cost if 2 * shares[i] >= cost else 0 for i, cost in enumerate(costs) if cost <= whole}
    if not small or sum(small.values()) >= most:
        return shares
    others = [i for i in range(len(costs)) if i not in small]
    rest = _share([costs[i] for i in others], most - sum(small.values()))
    small |= dict(zip(others, rest, strict=True))
    return [small[i] for i in range(len(costs))]


def _share(costs: Sequence[int], most: int) -> list[int]:
    total, most = sum(costs), min(most, sum(costs))
    shares: list[int] = []
    before = 0
    for cost in costs:
        before += cost
        shares.append(round(Fraction(most * before, max(1, total))) - sum(shares))
    return shares


def length_band(cost: int, least: float, most: float) -> tuple[int, int]:
    """Return the fewest and the most words of a sentence of n words; a short one is left as it is.

    >>> length_band(20, 0.5, 0.75), length_band(2, 0.5, 0.75)
    ((10, 15), (2, 2))
    """
    if cost <= SHORT["words"]:
        return cost, cost
    low = max(1, ceil(least * cost))
    return low, max(low, floor(most * cost))
