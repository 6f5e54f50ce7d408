"""Segments: the sentences of a text, long ones in parts, and how many words of a limit each may have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...text.sentences import sentence_spans
from ...text.tokens.offsets import Token
from .word_based import parts


def split_segments(text: str, tokens: Sequence[Token], longest: int) -> list[tuple[int, int]]:
    """Return the first token and the end of each sentence; one of more than `longest` tokens is cut into parts.

    >>> from assay.text.tokens.offsets import split_lexical_tokens
    >>> text = "It rained. Nobody came to the match."
    >>> split_segments(text, split_lexical_tokens(text), 5)
    [(0, 3), (3, 8), (8, 10)]
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


def share_limit(costs: Sequence[int], most: int) -> list[int]:
    """Divide a limit among segments in proportion to what they cost whole.

    >>> share_limit([10, 20, 4], 17), share_limit([3, 4], 9)
    ([5, 10, 2], [3, 4])
    """
    total, most = sum(costs), min(most, sum(costs))
    if not total:
        return [0] * len(costs)
    shares: list[int] = []
    before = 0
    for cost in costs:
        before += cost
        share = round(Fraction(most * before, total)) - sum(shares)
        shares.append(share)
    return shares
