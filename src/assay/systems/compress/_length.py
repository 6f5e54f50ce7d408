"""Fitting: the longest compression within a limit, and the note where even the shortest is beyond it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .._budget import Limit
from ._base import Compression, Source, build_compression
from ._tokens import Token, is_punctuation


def fit(
    source: Source, tokens: Sequence[Token], keep: Callable[[int], list[int]], most: int, limit: Limit
) -> Compression:
    """The compression with the most words that is within the limit: `keep(n)` gives the tokens of the best n words."""
    low, high = 1, most
    best = build_compression(source.text, tokens, keep(min(1, most)))
    while low <= high:
        middle = (low + high) // 2
        made = build_compression(source.text, tokens, keep(middle))
        if limit.holds(made.text):
            best, low = made, middle + 1
        else:
            high = middle - 1
    return replace(best, notes=too_long(best.text, limit))


def shorten(source: Source, tokens: Sequence[Token], within: Callable[[int], list[int]], limit: Limit) -> Compression:
    """What a search that keeps to a limit gives, asked for less until the text as it is written is within the limit."""
    most = limit.most
    while True:
        made = build_compression(source.text, tokens, within(most))
        over = limit.size(made.text) - limit.most
        if over <= 0 or most <= 1:
            return made
        most = max(1, most - over)


def shortened(source: Source, tokens: Sequence[Token], kept: Sequence[int], limit: Limit) -> Compression:
    """The first of the kept tokens, as many as the limit allows."""
    words = [i for i in kept if not is_punctuation(tokens[i].text)]
    marks = [i for i in kept if is_punctuation(tokens[i].text)]

    def first(n: int) -> list[int]:
        last = words[n - 1] if n else -1
        return sorted([*words[:n], *(i for i in marks if i <= last)])

    return fit(source, tokens, first, len(words), limit)


def too_long(text: str, limit: Limit | None, but: str = "the shortest lawful text has") -> tuple[str, ...]:
    """The note on a text that is longer than was asked; none if it is within the limit."""
    if limit is None or limit.holds(text):
        return ()
    return (f"{limit.most} {limit.unit} were asked; {but} {limit.size(text)}",)
