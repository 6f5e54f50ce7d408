"""Colour: on a terminal only, and only to tell heads from numbers. Nothing is said by colour alone."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

from ..printable import escape_hidden
from ._screen import write_control

_BOLD, _DIM, _GREEN, _END = "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[0m"
_STARRED = re.compile(r"(?<=\d)\*(?= |$)")


def uses_colour(stream: TextIO) -> bool:
    """Return whether to colour: never with NO_COLOR (no-color.org), always with FORCE_COLOR, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a text of sentences and tables, coloured if the stream is a terminal."""
    stream = stream or sys.stdout
    text = escape_hidden(text)
    write_control((paint(text) if uses_colour(stream) else text) + "\n", stream)


def paint(text: str) -> str:
    r"""Make heads of tables bold, their rules dim, significance marks green.

    >>> paint("system  rouge1\n──────────────\nA       0.5*")
    '\x1b[1msystem  rouge1\x1b[0m\n\x1b[2m──────────────\x1b[0m\nA       0.5\x1b[32m*\x1b[0m'
    """
    lines = text.split("\n")
    rules = [at for at, line in enumerate(lines) if line and not line.strip("─")]
    for at in rules:
        lines[at - 1], lines[at] = f"{_BOLD}{lines[at - 1]}{_END}", f"{_DIM}{lines[at]}{_END}"
        for row in range(at + 1, len(lines)):
            if not lines[row]:
                break
            lines[row] = _STARRED.sub(f"{_GREEN}*{_END}", lines[row])
    return "\n".join(lines)
