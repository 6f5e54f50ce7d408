"""Length: the longest compression within a limit, and the note where even the shortest exceeds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....text.tokens.offsets import Token, is_punctuation
from ...budget import Limit
from .._base import Compression, Source, build_compression


def fit(
    source: Source, tokens: Sequence[Token], keep: Callable[[int], list[int]], most: int, limit: Limit
) -> Compression:
    """Find the compression with the most words within the limit: `keep(n)` gives the tokens of the best n words."""
    low, high = 1, most
    best = build_compression(source.text, tokens, keep(min(1, most)))
    while low <= high:
        middle = (low + high) // 2
        candidate = build_compression(source.text, tokens, keep(middle))
        if limit.holds(candidate.text):
            best, low = candidate, middle + 1
        else:
            high = middle - 1
    return replace(best, notes=note_excess(best.text, limit))


def shorten(source: Source, tokens: Sequence[Token], within: Callable[[int], list[int]], limit: Limit) -> Compression:
    """Run a search that keeps to a limit, with lower and lower limits until the text as written is within it."""
    most = limit.most
    while True:
        candidate = build_compression(source.text, tokens, within(most))
        over = limit.size(candidate.text) - limit.most
        if over <= 0 or most <= 1:
            return candidate
        most = max(1, most - over)


def cut_to_limit(source: Source, tokens: Sequence[Token], tokens_kept: Sequence[int], limit: Limit) -> Compression:
    """Keep the first of these tokens, as many as the limit allows."""
    words = [i for i in tokens_kept if not is_punctuation(tokens[i].text)]
    marks = [i for i in tokens_kept if is_punctuation(tokens[i].text)]

    def first(n: int) -> list[int]:
        last = words[n - 1] if n else -1
        return sorted([*words[:n], *(i for i in marks if i <= last)])

    return fit(source, tokens, first, len(words), limit)


def note_excess(text: str, limit: Limit | None, reason: str = "the shortest possible text has") -> tuple[str, ...]:
    """Return the note on a text that is longer than the limit; none if it is within it."""
    if limit is None or limit.holds(text):
        return ()
    return (f"longer than the limit of {limit}: {reason} {limit.size(text):,}",)
