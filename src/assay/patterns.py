"""Regular expressions from users and files: what may take forever is refused, the rest is stopped in time."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from .errors import InputError

# Python's own parser of expressions, which type checkers do not know.
ops: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
MAX_CHARS = 10_000  # characters of a pattern
SECONDS = 2.0  # of processor time for one pattern on one text
_REPEATS = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT})
_MAX_REPEATS = 10  # repeats of a group up to which choices inside it do no harm


def check_pattern(pattern: object) -> None:
    """Refuse what is not a regular expression, and repeats inside repeats, as their matches can take exponential time.

    >>> check_pattern("#[0-9]+|ACME")
    >>> check_pattern("(a+)+$")
    Traceback (most recent call last):
    assay.errors.InputError: '(a+)+$' repeats a part that itself repeats or has a choice, which can take forever on \
a long text: write it without one of the two
    """
    if not isinstance(pattern, str):
        raise InputError(f"a pattern must be a text; got {type(pattern).__name__}")
    if len(pattern) > MAX_CHARS:
        raise InputError(f"a pattern of {len(pattern):,} characters is too long: {MAX_CHARS:,} is the most")
    try:
        re.compile(pattern)
        tree = parser.parse(pattern)
    except RecursionError:
        raise InputError(f"{_cut(pattern)!r} is nested too deeply: use fewer parentheses") from None
    except (re.error, OverflowError) as error:
        raise InputError(f"{_cut(pattern)!r} is not a regular expression: {error}") from None
    if _is_nested(tree, inside=False):
        raise InputError(
            f"{_cut(pattern)!r} repeats a part that itself repeats or has a choice, which can take forever on a long "
            "text: write it without one of the two"
        )


def find_spans(pattern: str, text: str) -> list[tuple[int, int]]:
    """Find where a pattern matches; an error if that takes too long.

    The time is only bounded in the main thread of a program; `check_pattern` bounds the worst everywhere.

    >>> find_spans("a+", "caab")
    [(1, 3)]
    """
    with _stopped_in_time(pattern, text):
        return [match.span() for match in re.finditer(pattern, text)]


def _is_nested(tree: Any, *, inside: bool) -> bool:
    """Check if a part that can match in several ways is inside one that is repeated many times."""
    for code, value in tree:
        if code in _REPEATS:
            least, most, part = value
            if inside and least != most:
                return True
            if _is_nested(part, inside=inside or most > _MAX_REPEATS):
                return True
        elif code is ops.BRANCH:
            if inside and not _is_plain_choice(value[1]):
                return True
            if any(_is_nested(part, inside=inside) for part in value[1]):
                return True
        elif code is ops.SUBPATTERN:
            if _is_nested(value[-1], inside=inside):
                return True
        elif code in (ops.ASSERT, ops.ASSERT_NOT):
            if _is_nested(value[1], inside=inside):
                return True
        elif code is ops.ATOMIC_GROUP:
            if _is_nested(value, inside=inside):
                return True
        elif code is ops.GROUPREF_EXISTS and any(
            part is not None and _is_nested(part, inside=inside) for part in value[1:]
        ):
            return True
    return False


def _is_plain_choice(branches: Any) -> bool:
    """Check if all branches begin with different letters, so that at most one of them can match."""
    firsts = [branch[0] if len(branch) else None for branch in branches]
    letters = [first[1] for first in firsts if first is not None and first[0] is ops.LITERAL]
    return len(letters) == len(firsts) == len({chr(letter).lower() for letter in letters})


@contextmanager
def _stopped_in_time(pattern: str, text: str) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise InputError(
            f"{_cut(pattern)!r} took more than {SECONDS:g} s on a text of {len(text):,} characters: write a simpler "
            "pattern, with fewer * and +"
        )

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _cut(pattern: str, most: int = 60) -> str:
    return pattern if len(pattern) <= most else f"{pattern[: most - 1]}…"
