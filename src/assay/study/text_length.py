"""How long a text is, by one rule for server and browser: code points after NFC, white space collapsed.

White space is what Unicode calls so (property White_Space), written out here because Python and browsers each have
their own idea of it. Outer white space is removed, and inner runs count as one.
"""

from __future__ import annotations

import re
import unicodedata

# The same class stands in the browser's module; a test compares the two.
WHITE_SPACE = "\t-\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_RUN = re.compile(f"[{WHITE_SPACE}]+")


def collapse(text: str) -> str:
    r"""Return the text in NFC, without outer white space and with inner runs as one space.

    >>> collapse("  e\u0301 \u3000 b\n")
    'é b'
    """
    return _RUN.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def count_characters(text: str) -> int:
    r"""Count code points.

    >>> count_characters(" \U0001f600  e\u0301 ")
    3
    """
    return len(collapse(text))


def count_words(text: str) -> int:
    """Count what stands between white space.

    >>> count_words("a  b c ")
    3
    """
    return len(collapse(text).split(" ")) if collapse(text) else 0
