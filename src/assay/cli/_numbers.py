"""Numbers on the command line: each option says what it takes, and everything else is refused in one line."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable

MAX_RESAMPLES = 1_000_000
MAX_THREADS = 1024
MAX_SEED = 2**63 - 1
MAX_WORDS = 1_000_000_000
MAX_ROWS = 1_000_000_000


def whole_number(least: int = 1, most: int = MAX_WORDS) -> Callable[[str], int]:
    """A whole number in a range.

    >>> whole_number(1, 10)("3")
    3
    >>> whole_number(1, 10)("1e9")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: must be a whole number from 1 to 10; got '1e9'
    """

    def read(text: str) -> int:
        try:
            value = int(text) if len(text) < 100 else most + 1
        except ValueError:
            raise _error(f"a whole number {_span(least, most)}", text) from None
        if value < least:
            raise _error(f"{least:,} or more", text)
        if value > most:
            raise _error(f"{most:,} or less", text)
        return value

    return read


def real_number(
    least: float = -math.inf, most: float = math.inf, *, above: bool = False, below: bool = False
) -> Callable[[str], float]:
    """A number in a range, never NaN or infinite; `above` and `below` leave the ends of the range out.

    >>> real_number(0, 1, above=True)("nan")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: must be a number above 0 and at most 1; got 'nan'
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        inside = (least < value if above else least <= value) and (value < most if below else value <= most)
        if not (math.isfinite(value) and inside):
            limits = _limits(least, most, above, below)
            raise _error(limits.strip() if math.isfinite(value) else f"a number{limits}", text)
        return value

    return read


threads = whole_number(1, MAX_THREADS)
resamples = whole_number(1, MAX_RESAMPLES)
resamples_or_none = whole_number(0, MAX_RESAMPLES)
seed = whole_number(0, MAX_SEED)
rows = whole_number(0, MAX_ROWS)
words = whole_number(1, MAX_WORDS)
ratio = real_number(0, 1, above=True)
share = real_number(0, 1)
level = real_number(0, 1, above=True, below=True)


def coefficient(text: str) -> str:
    """Return the name of a correlation coefficient, with its number where it has one: ndcg@5.

    >>> coefficient("ndcg@5")
    'ndcg@5'
    """
    from ..errors import InputError
    from ..stats.vectorized_correlation import split_method

    try:
        split_method(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _span(least: int, most: int) -> str:
    return f"from {least:,} to {most:,}"


def _limits(least: float, most: float, above: bool, below: bool) -> str:
    low = "" if least == -math.inf else f"above {least:g}" if above else f"{least:g} or more"
    high = "" if most == math.inf else f"below {most:g}" if below else f"at most {most:g}"
    return "".join(f" {part}" for part in (" and ".join(filter(None, (low, high))),) if part)


def _error(wanted: str, text: str) -> argparse.ArgumentTypeError:
    short = text if len(text) <= 40 else f"{text[:39]}…"
    plain = re.fullmatch(r"[-+]?[\d.]+", short)
    return argparse.ArgumentTypeError(f"must be {wanted}; got {short if plain else repr(short)}")
