"""Must-keep: tokens that a compression should not lose, by default and by the user's own patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...errors import UnknownName
from .._patterns import find_spans
from ._analysis import Analysis
from ._base import Source
from ._constraints import base, is_negation
from ._rendering import pairs
from ._tokens import Token

KINDS = ("negation", "numbers", "names", "code", "quotes")
_NEGATIVE = frozenset({"no", "not", "n't", "n’t", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor",
                       "without", "cannot"})  # fmt: skip
_CODE = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+|--?[a-zA-Z][\w-]+|[\w.-]*/[\w./-]+|\\\w+|"  # addresses, options, paths
    r"\w*[a-z]\w*[A-Z]\w*|\w+_\w+|\w+\(\)?|\w+(?:\.\w+)*\.(?:py|c|h|js|ts|go|rs|java|json|txt|md|html|xml|csv|sh|exe)|"
    r"`[^`]+`|\$\w+|<[^<>\s]+>|(?=\w*\d)(?=\w*[A-Za-z])\w{3,}(?:-\w+)*|[A-Z]+-\d+"  # names in code, plates
)
_CODE_START = re.compile(r"(?<!\S)[(\"'“‘\[]?(" + _CODE.pattern + r")(?=[\s.,;:!?)\]\"'”’]|$)")


def kinds(text: str) -> frozenset[str]:
    """The kinds that a setting names, joined by +: all, none, or of negation, numbers, names, code, quotes.

    >>> sorted(kinds("negation+numbers")), len(kinds("all"))
    (['negation', 'numbers'], 5)
    """
    if text in ("all", "none"):
        return frozenset(KINDS if text == "all" else ())
    found = [part.strip() for part in text.split("+")]
    for part in found:
        if part not in KINDS:
            raise UnknownName("kind of word to keep", part, KINDS, hint=f"(all, none, or of {', '.join(KINDS)} with +)")
    return frozenset(found)


def must_keep(a: Analysis, chosen: frozenset[str]) -> set[int]:
    """The tokens of these kinds.

    negation: not, n't, never, no, without and their like; numbers: anything with a digit, and number words that count
    something; names: proper nouns; code: addresses, paths, options, identifiers, numbers of parts; quotes: everything
    between quotation marks.
    """
    found: set[int] = set()
    for i, word in enumerate(a.words):
        form = a.tokens[i].text
        if "negation" in chosen and (is_negation(a, i) or form.lower() in _NEGATIVE):
            found.add(i)
        if "numbers" in chosen and (any(c.isdigit() for c in form) or _counts(a, i) or form in ("$", "£", "€", "%")):
            found.add(i)
        if "names" in chosen and word.pos == "PROPN":
            found.add(i)
    if "code" in chosen:
        for match in _CODE_START.finditer(a.text):
            found |= _touched(a.tokens, match.start(1), match.end(1))
    if "quotes" in chosen:
        for opened, closed in pairs(a.text, a.tokens).items():
            if opened < closed and a.tokens[opened].text not in ("(", "[", "{"):
                found.update(range(opened, closed + 1))
    return found


def _counts(a: Analysis, i: int) -> bool:
    return a.words[i].pos == "NUM" and base(a.words[i].relation) == "nummod"


def _touched(tokens: Sequence[Token], start: int, end: int) -> set[int]:
    return {i for i, token in enumerate(tokens) if token.start < end and start < token.end}


def wanted(source: Source, tokens: Sequence[Token]) -> dict[int, bool]:
    """What a source's own patterns say of its tokens: True to keep, False to drop; keeping wins."""
    found: dict[int, bool] = {}
    for patterns, keep in ((source.drop, False), (source.keep, True)):
        for pattern in patterns:
            for start, end in find_spans(pattern, source.text):
                found |= dict.fromkeys(_touched(tokens, start, end), keep)
    return found
