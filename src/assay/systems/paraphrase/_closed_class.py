"""Words with their places in a text, and which of them are closed-class."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...extras import find_data

# An entity (&quot;), a number with its marks, a character of a script without spaces, a word, or any other mark.
_WORD = re.compile(
    r"&\w+;|\d+(?:[.,:]\d+)*|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|"
    r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]\w*(?:['’\-]\w+)*|\S"
)

# Words that differ without meaning the same: Owczarzak et al. (2006), 3.4, exclude prepositions and think of the rest.
CLOSED = frozenset(find_data("systems/paraphrase/closed-en.txt").read_text("utf-8").split())


class WordSpan(NamedTuple):
    """A word in lower case, and where it stands in the text."""

    text: str
    start: int
    end: int


def split_words(text: str) -> list[WordSpan]:
    """Split a text into words and marks.

    >>> [word.text for word in split_words("It's 3.5 %, isn't it?")]
    ["it's", '3.5', '%', ',', "isn't", 'it', '?']
    """
    return [WordSpan(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text)]


def is_word(text: str) -> bool:
    """Check if a token is a word of letters: no number, no mark.

    >>> is_word("low-key"), is_word("3.5"), is_word(","), is_word("&quot;")
    (True, False, False, False)
    """
    return text[0].isalpha() and not any(c.isdigit() for c in text)
