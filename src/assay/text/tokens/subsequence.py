"""Which words of a source a shortened text kept: an alignment by the longest common subsequence."""

from __future__ import annotations

from collections.abc import Sequence

_APART = 1 << 20  # one kept word outweighs any number of words that stay neighbours
_NEVER = 1 << 60


def kept_places(source: Sequence[str], text: Sequence[str]) -> list[int]:
    """Return the places in the source of the words that the text kept, in order.

    As many as can be matched in order (a longest common subsequence). A word that occurs twice can leave open which was
    kept; of the ways to match as many, the one in which most words keep their neighbour is taken, then the leftmost.

    >>> kept_places("the cat saw the dog".split(), "saw the dog".split())
    [2, 3, 4]
    >>> kept_places("the cat saw the dog".split(), "the dog sleeps".split())
    [3, 4]
    """
    first = _leftmost(source, text)
    if first is not None and first == _rightmost(source, text):
        return first  # only one way: no need to search
    return _best(source, text)


def deleted_places(source: Sequence[str], text: Sequence[str]) -> list[int]:
    """Return the places of the other words.

    >>> deleted_places("the cat saw the dog".split(), "the dog".split())
    [0, 1, 2]
    """
    places = set(kept_places(source, text))
    return [i for i in range(len(source)) if i not in places]


def _leftmost(source: Sequence[str], text: Sequence[str]) -> list[int] | None:
    """Return each word at its first possible place; None if the text is not a subsequence."""
    places, at = [], 0
    n = len(source)
    for word in text:
        while at < n and source[at] != word:
            at += 1
        if at == n:
            return None
        places.append(at)
        at += 1
    return places


def _rightmost(source: Sequence[str], text: Sequence[str]) -> list[int] | None:
    places = _leftmost(source[::-1], text[::-1])
    return None if places is None else [len(source) - 1 - i for i in reversed(places)]


def _best(source: Sequence[str], text: Sequence[str]) -> list[int]:
    """Search by suffixes: the best from (i, j) on, and the best that begins by matching i with j."""
    n, m = len(source), len(text)
    rest = [[0] * (m + 1) for _ in range(n + 2)]
    match = [[-_NEVER] * (m + 1) for _ in range(n + 2)]
    for i in range(n - 1, -1, -1):
        row, below, matched, next_matched = rest[i], rest[i + 1], match[i], match[i + 1]
        word = source[i]
        for j in range(m - 1, -1, -1):
            best = below[j] if below[j] > row[j + 1] else row[j + 1]
            if text[j] == word:
                here = _APART + max(below[j + 1], next_matched[j + 1] + 1)
                matched[j] = here
                best = max(best, here)
            row[j] = best
    places: list[int] = []
    i = j = 0
    while i < n and j < m and rest[i][j]:
        if match[i][j] == rest[i][j]:
            places.append(i)
            while match[i][j] == _APART + match[i + 1][j + 1] + 1:  # the next word is the neighbour
                i, j = i + 1, j + 1
                places.append(i)
            i, j = i + 1, j + 1
        elif rest[i][j + 1] == rest[i][j]:  # this word of the text is not matched: look on at the same place
            j += 1
        else:
            i += 1
    return places
