"""Links between the words of two texts, drawn for a terminal: two lines with numbers, or a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .terminal import display_width

_WIDTH = 100
MARKS = {"exact": "■", "stem": "s", "synonym": "y", "spelling": "p", "phrase": "h", "context": "c"}


def draw_link_lines(a: Sequence[str], b: Sequence[str], groups: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
    """Both texts, word by word, with the number of its group under each word of the first, over each of the second.

    >>> print(draw_link_lines(["He", "quit", "."], ["He", "stepped", "down"], [((0,), (0,)), ((1,), (1, 2))]))
    He quit .
    1  2
    <BLANKLINE>
    1  2       2
    He stepped down
    """
    first = {place: str(n) for n, (places, _) in enumerate(groups, 1) for place in places}
    second = {place: str(n) for n, (_, places) in enumerate(groups, 1) for place in places}
    above = [line for words, numbers in _fold_lines(a, first) for line in (words, numbers)]
    below = [line for words, numbers in _fold_lines(b, second) for line in (numbers, words)]
    return "\n".join([*above, "", *below])


def _fold_lines(words: Sequence[str], numbers: Mapping[int, str]) -> list[tuple[str, str]]:
    lines, top, bottom, used = [], "", "", 0
    for place, word in enumerate(words):
        number = numbers.get(place, "")
        width = max(display_width(word), len(number))
        if used and used + 1 + width > _WIDTH:
            lines.append((top.rstrip(), bottom.rstrip()))
            top, bottom, used = "", "", 0
        gap = " " if used else ""
        top += gap + word + " " * (width - display_width(word))
        bottom += gap + number.ljust(width)
        used += len(gap) + width
    return [*lines, (top.rstrip(), bottom.rstrip())]


def draw_link_matrix(a: Sequence[str], b: Sequence[str], kinds: Mapping[tuple[int, int], str]) -> str:
    """A row for each word of the first text, a column for each of the second, a mark where they are linked.

    >>> print(draw_link_matrix(["He", "quit"], ["he", "left"], {(0, 0): "exact", (1, 1): "context"}))
         h l
         e e
           f
           t
    He   ■ ·
    quit · c
    <BLANKLINE>
    ■ exact, c context
    """
    wide = max((display_width(word) for word in a), default=0)
    step = 2 if wide + 1 + 2 * len(b) <= _WIDTH else 1
    heads = [
        " " * (wide + 1) + "".join((word[k] if k < len(word) else " ").ljust(step) for word in b)
        for k in range(max((len(word) for word in b), default=0))
    ]
    rows = [
        word
        + " " * (wide - display_width(word) + 1)
        + "".join(MARKS.get(kinds.get((i, j), ""), "·").ljust(step) for j in range(len(b)))
        for i, word in enumerate(a)
    ]
    used = [f"{mark} {kind}" for kind, mark in MARKS.items() if kind in kinds.values()]
    return "\n".join([*(line.rstrip() for line in [*heads, *rows]), *(["", ", ".join(used)] if used else [])])
