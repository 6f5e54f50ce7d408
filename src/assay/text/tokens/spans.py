"""Words and marks of a text with their places in it, for what points back into the original."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?![^\W\d_])  # 3.5, 5,000, 13th, 1990s
      | (?:[^\W\d_]\.){2,}                   # U.S., e.g.
      | [\u3040-\u30ff\u3400-\u9fff]         # scripts without spaces: a character each
      | [^\W_]+?(?=n['’]t\b) | n['’]t\b      # do n't
      | ['’](?:s|re|ve|ll|d|m)\b             # it 's
      | [^\W_]+
      | ([^\w\s]|_)\1*                       # a mark, or a run of the same one""",
    re.VERBOSE | re.IGNORECASE,
)


class Token(NamedTuple):
    """A word or mark; `text[start:end]` is what stands there."""

    form: str
    start: int
    end: int


def tokens(text: str) -> tuple[Token, ...]:
    """Words, numbers and marks. Hyphens stand alone, contractions are cut: all-cash is three tokens, don't is two.

    Cutting what was joined with spaces gives the same again.

    >>> [token.form for token in tokens("Don't pay $3.50 for all-cash U.S. deals...")]
    ['Do', "n't", 'pay', '$', '3.50', 'for', 'all', '-', 'cash', 'U.S.', 'deals', '...']
    >>> tokens("Hm, yes")[-1]
    Token(form='yes', start=4, end=7)
    """
    return tuple(Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text))
