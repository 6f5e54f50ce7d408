"""Blocks: the lines of a text, none longer than a parser should be given at once."""

from __future__ import annotations

import re

MAX_WORDS = 1000  # between white space
MAX_CHARACTERS = 8000
MAX_WORD = 400  # spaCy's tokenizer takes quadratic time on one long run of brackets or quotes

_LONG_WORD = re.compile(rf"\S{{{MAX_WORD}}}(?=\S)")
_CUTS = [re.compile(pattern) for pattern in (r"[.!?…][\"'”’)\]»]* ", r"[;:,—–)] ?", r" ")]


def blocks(text: str) -> list[str]:
    """Return the lines of a text with single spaces, none empty; a newline always ends a sentence.

    A line of more than 1,000 words or 8,000 characters is cut after the last sentence that fits, else after a comma or
    the like, else at a space; a word of more than 400 characters is cut too.

    >>> blocks("One  line. \\n\\nAnother\\tline")
    ['One line.', 'Another line']
    >>> [len(block) for block in blocks("word " * 5000)]
    [4999, 4999, 4999, 4999, 4999]
    """
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [block for line in lines if line for block in _cut_line(line)]


def _cut_line(line: str) -> list[str]:
    if len(line) <= MAX_WORD:
        return [line]
    line = _LONG_WORD.sub(r"\g<0> ", line)
    parts: list[str] = []
    start = 0
    while (window := _window(line, start)) < len(line):
        end = _last_cut(line, start, window)
        parts.append(line[start:end].rstrip())
        start = end
    return [*parts, line[start:]]


def _window(line: str, start: int) -> int:
    """Return where the longest block that may begin at `start` ends."""
    end = min(start + MAX_CHARACTERS, len(line))
    if line.count(" ", start, end) < MAX_WORDS:
        return end
    for _ in range(MAX_WORDS):
        start = line.index(" ", start) + 1
    return start


def _last_cut(line: str, start: int, end: int) -> int:
    middle = (start + end) // 2  # a cut before it would leave a stub
    for pattern in _CUTS:
        places = [match.end() for match in pattern.finditer(line, middle, end)]
        if places:
            return places[-1]
    return end
