"""Must-keep: tokens that a compression should not lose, by default and by the user's own patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....errors import UnknownName
from ....patterns import find_spans
from ....text.parse.flat import ParsedText
from ....text.tokens.offsets import Token
from .._base import Source
from .._rendering import pairs
from .constraints import base, is_negation

KINDS = ("negation", "numbers", "names", "code", "quotes")
_NEGATIVE = frozenset(
    {"no", "not", "n't", "n’t", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"}
)
_CODE = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+|--?[a-zA-Z][\w-]+|[\w.-]*/[\w./-]+|\\\w+|"  # addresses, options, paths
    r"(?=[^\Wa-z]*[a-z][^\WA-Z]*[A-Z])\w+|\w+_\w+|\w+\(\)?|\w+(?:\.\w+)*\.(?:py|c|h|js|ts|go|rs|java|json|txt|md|html|xml|csv|sh|exe)|"
    r"`[^`]+`|\$\w+|<[^<>\s]+>|(?=\w*\d)(?=\w*[A-Za-z])\w{3,}(?:-\w+)*|[A-Z]+-\d+"  # names in code, plates
)
_CODE_START = re.compile(r"(?<!\S)[(\"'“‘\[]?(" + _CODE.pattern + r")(?=[\s.,;:!?)\]\"'”’]|$)")


def parse_kinds(text: str) -> frozenset[str]:
    """Parse a setting of kinds joined by +: all, none, or some of negation, numbers, names, code, quotes.

    >>> sorted(parse_kinds("negation+numbers")), len(parse_kinds("all"))
    (['negation', 'numbers'], 5)
    """
    if text in ("all", "none"):
        return frozenset(KINDS if text == "all" else ())
    protected = [part.strip() for part in text.split("+")]
    for part in protected:
        if part not in KINDS:
            raise UnknownName("kind of word to keep", part, KINDS, hint=f"(all, none, or of {', '.join(KINDS)} with +)")
    return frozenset(protected)


def find_protected(a: ParsedText, kinds: frozenset[str]) -> set[int]:
    """Find the tokens of these kinds.

    negation: not, n't, never, no, without and their like; numbers: anything with a digit, and number words that count
    something; names: proper nouns; code: addresses, paths, options, identifiers, numbers of parts; quotes: everything
    between quotation marks.
    """
    protected: set[int] = set()
    for i, word in enumerate(a.words):
        form = a.tokens[i].text
        if "negation" in kinds and (is_negation(a, i) or form.lower() in _NEGATIVE):
            protected.add(i)
        if "numbers" in kinds and (any(c.isdigit() for c in form) or _counts(a, i) or form in ("$", "£", "€", "%")):
            protected.add(i)
        if "names" in kinds and word.pos == "PROPN":
            protected.add(i)
    if "code" in kinds:
        for match in _CODE_START.finditer(a.text):
            protected |= _overlapping_tokens(a.tokens, match.start(1), match.end(1))
    if "quotes" in kinds:
        for opened, closed in pairs(a.text, a.tokens).items():
            if opened < closed and a.tokens[opened].text not in ("(", "[", "{"):
                protected.update(range(opened, closed + 1))
    return protected


def _counts(a: ParsedText, i: int) -> bool:
    return a.words[i].pos == "NUM" and base(a.words[i].relation) == "nummod"


def _overlapping_tokens(tokens: Sequence[Token], start: int, end: int) -> set[int]:
    return {i for i, token in enumerate(tokens) if token.start < end and start < token.end}


def match_patterns(source: Source, tokens: Sequence[Token]) -> dict[int, bool]:
    """Apply a source's own patterns to its tokens: True to keep, False to drop; if both match, it is kept."""
    protected: dict[int, bool] = {}
    for patterns, keep in ((source.drop, False), (source.keep, True)):
        for pattern in patterns:
            for start, end in find_spans(pattern, source.text):
                protected |= dict.fromkeys(_overlapping_tokens(tokens, start, end), keep)
    return protected
