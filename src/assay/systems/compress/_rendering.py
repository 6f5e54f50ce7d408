"""Rendering: from kept tokens to natural text, with punctuation repaired where words were deleted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ...text.tokens.offsets import UNSPACED, Token, is_punctuation

_OPENS = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", "``": "''", "„": "“"}
_CLOSES = set(_OPENS.values())
_STRAIGHT = {'"', "'"}  # opening and closing look the same
_FINAL = frozenset(".!?…。！？")
_STRENGTH = {",": 1, "、": 1, "，": 1, "-": 2, "–": 2, "—": 2, "--": 2, ":": 3, ";": 3}
_UNSPACED = re.compile(rf"[{UNSPACED}]")
_CLITICS = frozenset({"n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "'"})


def is_final(token: str) -> bool:
    """Check if a token ends a sentence: . ? ! ... and the like."""
    return bool(token) and all(c in _FINAL for c in token)


def is_clitic(token: str) -> bool:
    """Check if a token is the second half of a contraction or a possessive: n't, 's."""
    return token.lower().replace("’", "'") in _CLITICS


def pairs(text: str, tokens: Sequence[Token]) -> dict[int, int]:
    """Find brackets and quotation marks that belong together; each is mapped to its partner."""
    partners: dict[int, int] = {}
    stack: list[int] = []
    for i, token in enumerate(tokens):
        mark = token.text
        opened = next((k for k in reversed(stack) if _partner(tokens[k].text) == mark), None)
        if opened is not None and (mark in _CLOSES or mark in _STRAIGHT):
            del stack[stack.index(opened) :]
            partners[opened], partners[i] = i, opened
        elif mark in _OPENS or (mark in _STRAIGHT and not (mark == "'" and _is_apostrophe(text, token))):
            stack.append(i)
    return partners


def _partner(mark: str) -> str:
    return mark if mark in _STRAIGHT else _OPENS.get(mark, "")


def _is_apostrophe(text: str, token: Token) -> bool:
    """Tell an apostrophe from an opening quotation mark: it follows a letter (the boys' room), or an s and a space.

    >>> [_is_apostrophe(t, Token("'", t.index("'"), t.index("'") + 1)) for t in ("boys' room", "boys ' room", "a 'b'")]
    [True, True, False]
    """
    before, after = text[: token.start], text[token.end : token.end + 1]
    return before[-1:].isalnum() or (before[-2:].lower() == "s " and after == " ")


def tidy(text: str, tokens: Sequence[Token], kept_tokens: Sequence[int]) -> list[int]:
    """Repair the punctuation of kept tokens: no half pair, nothing doubled or dangling, an end as in the source.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> source = "Ann (34), a baker, won; Bob lost!"
    >>> tokens = split_tokens(source)
    >>> [tokens[i].text for i in tidy(source, tokens, [0, 1, 8, 9])]
    ['Ann', 'won', '!']
    """
    selected = {i for i in kept_tokens if 0 <= i < len(tokens)}
    words = sorted(i for i in selected if not is_punctuation(tokens[i].text))
    if not words:
        return []
    partner = pairs(text, tokens)
    selected -= {i for i in selected if _stray(tokens, i, partner, selected)}
    _mend_pairs(tokens, selected, words, partner)
    _mend_hyphens(tokens, selected)
    _mend_ends(tokens, selected, words)
    return _without_doubles(tokens, sorted(selected), partner)


def _stray(tokens: Sequence[Token], i: int, partner: dict[int, int], selected: set[int]) -> bool:
    """Check if a mark lacks its partner in the source; an apostrophe (the boys') does if its word is deleted."""
    mark = tokens[i].text
    if i in partner or not (mark in _STRAIGHT or mark in _OPENS or mark in _CLOSES or mark == "`"):
        return False
    apostrophe = mark in ("'", "’") and i > 0 and i - 1 in selected
    return not (apostrophe and (_is_glued(tokens[i - 1], tokens[i]) or tokens[i - 1].text[-1:].lower() == "s"))


def _mend_pairs(tokens: Sequence[Token], selected: set[int], words: list[int], partner: dict[int, int]) -> None:
    """Keep a pair with words in it if both marks were kept, or one was and nothing inside was deleted."""
    inside = set(words)
    for opened, closed in partner.items():
        if opened > closed:
            continue
        between = [i for i in range(opened + 1, closed) if not is_punctuation(tokens[i].text)]
        left = [i for i in between if i in inside]
        marks = (opened in selected) + (closed in selected)
        if left and (marks == 2 or (marks == 1 and len(left) == len(between))):
            selected |= {opened, closed}
        else:
            selected -= {opened, closed}


def _is_glued(a: Token, b: Token) -> bool:
    return a.end == b.start


def _mend_hyphens(tokens: Sequence[Token], selected: set[int]) -> None:
    """Keep a hyphen or slash between two words without spaces if and only if both words are kept."""
    for i in range(1, len(tokens) - 1):
        before, mark, after = tokens[i - 1 : i + 2]
        joins = mark.text in ("-", "–", "/", "—") and _is_glued(before, mark) and _is_glued(mark, after)
        if joins and not is_punctuation(before.text) and not is_punctuation(after.text):
            if i - 1 in selected and i + 1 in selected:
                selected.add(i)
            else:
                selected.discard(i)


def _mend_ends(tokens: Sequence[Token], selected: set[int], words: list[int]) -> None:
    """Keep final marks between sentences that have words left, and at the end; delete the others."""
    ends = [i for i, token in enumerate(tokens) if is_final(token.text)]
    bounds = [*words, len(tokens)]
    selected.difference_update(i for i in ends if i < words[0])
    for word, following in pairwise(bounds):
        here = [i for i in ends if word < i < following]
        if here:
            selected.difference_update(here)
            run = [here[0]]
            run += [i for k, i in enumerate(here[1:], 1) if i == here[0] + k]  # ?! or ...
            selected.update(run)


def _without_doubles(tokens: Sequence[Token], selected: list[int], partner: dict[int, int]) -> list[int]:
    """Delete separators at the start, after an opening mark and before an end; keep one between words."""
    out: list[int] = []
    for i in selected:
        mark = tokens[i].text
        opener = partner.get(i, i) > i
        closer = partner.get(i, i) < i
        final = is_final(mark)
        if is_punctuation(mark) and not opener and not (closer or (is_clitic(mark) and i not in partner)):
            while out and _separates(tokens, out[-1], partner) and (final or _weaker(tokens[out[-1]].text, mark)):
                out.pop()
            before = out[-1] if out else None
            if before is None or (partner.get(before, before) > before):
                continue
            if not final and (_separates(tokens, before, partner) or is_final(tokens[before].text)):
                continue
        if closer and mark in (")", "]", "}"):
            while out and _separates(tokens, out[-1], partner):
                out.pop()
        out.append(i)
    while out and _separates(tokens, out[-1], partner):
        out.pop()
    return _without_comma_in_end(tokens, out, partner)


def _without_comma_in_end(tokens: Sequence[Token], kept_tokens: list[int], partner: dict[int, int]) -> list[int]:
    """Delete a comma before a closing quotation mark that now ends the text."""
    at = len(kept_tokens)
    while at and (
        is_final(tokens[kept_tokens[at - 1]].text)
        or partner.get(kept_tokens[at - 1], kept_tokens[at - 1]) < kept_tokens[at - 1]
    ):
        at -= 1
    if 0 < at < len(kept_tokens) and _separates(tokens, kept_tokens[at - 1], partner):
        return kept_tokens[: at - 1] + kept_tokens[at:]
    return kept_tokens


def _separates(tokens: Sequence[Token], i: int, partner: dict[int, int]) -> bool:
    mark = tokens[i].text
    return is_punctuation(mark) and i not in partner and not is_final(mark) and not is_clitic(mark)


def _weaker(old: str, new: str) -> bool:
    return _STRENGTH.get(old, 1) < _STRENGTH.get(new, 1)


def render(text: str, tokens: Sequence[Token], kept_tokens: Sequence[int]) -> str:
    """Write the kept tokens as text: spacing as in the source, capitals at sentence starts if the source has them.

    >>> from assay.text.tokens.offsets import split_tokens
    >>> source = "On Monday, the council's (new) plan didn't pass."
    >>> tokens = split_tokens(source)
    >>> render(source, tokens, [3, 4, 8, 9, 10, 11])
    "The council's plan didn't pass."
    """
    capital = _begins_upper(tokens)
    openers = {i for i, other in pairs(text, tokens).items() if other > i}
    out: list[str] = []
    starts = True
    for n, i in enumerate(kept_tokens):
        piece = _mend_article(tokens, i, kept_tokens[n + 1] if n + 1 < len(kept_tokens) else -1)
        if n:
            out.append(_gap(tokens, kept_tokens[n - 1], i, openers))
        if starts and not is_punctuation(piece):
            out.append(_capitalize(piece) if capital and i else piece)
            starts = False
        else:
            out.append(piece)
        starts = starts or (is_final(piece) and piece not in ("...", "…"))
    return "".join(out)


def _mend_article(tokens: Sequence[Token], i: int, following: int) -> str:
    """Return a token, a or an as the word after it asks for where words between them were deleted."""
    piece = tokens[i].text
    if piece.lower() not in ("a", "an") or following <= i + 1 or is_punctuation(tokens[following].text):
        return piece
    article = "an" if begins_with_vowel(tokens[following].text) else "a"
    return article if piece[0] == "a" else article.upper() if piece == "AN" else article.capitalize()


def begins_with_vowel(word: str) -> bool:
    """Check if a word is spoken with a vowel first: hour, FBI, 8, but not one, union, US.

    >>> [begins_with_vowel(w) for w in ("hour", "FBI", "8", "apple", "one", "union", "US", "1", "house")]
    [True, True, True, True, False, False, False, False, False]
    """
    lower = word.lower()
    if word[0].isdigit():
        return lower.startswith("8") or re.match(r"1[18](?!\d)", lower) is not None
    if len(word) > 1 and word.isupper() and (len(word) <= 3 or not re.search("[AEIOU]", word[1:])):
        return word[0] in "AEFHILMNORSX"
    if lower.startswith(("hour", "honest", "honour", "honor", "heir")):
        return True
    return lower[0] in "aeiou" and not re.match(r"(?:one(?!ro)|once|uni(?!n|m)|us[aeiu]|eu|ubi|uk|ut[ei])", lower)


def _begins_upper(tokens: Sequence[Token]) -> bool:
    first = next((t.text for t in tokens if any(c.isalnum() for c in t.text)), "")
    return first[:1].isupper()


def _capitalize(piece: str) -> str:
    """Capitalize a word, unless it is a name with its own case (iPhone, e.g.), a path or code."""
    plain = piece.isalpha() or piece.replace("-", "").replace("'", "").replace("’", "").isalpha()
    if not plain or not piece[0].islower() or piece[1:] != piece[1:].lower() or len(piece[0].upper()) != 1:
        return piece
    return piece[0].upper() + piece[1:]


def _gap(tokens: Sequence[Token], a: int, b: int, openers: set[int]) -> str:
    """Return the space between two kept tokens: as in the source next to a mark that clings to a word, else a space."""
    own = " " if tokens[b].start > tokens[b - 1].end else ""  # on the left of b in the source
    if b == a + 1 or (b not in openers and (is_punctuation(tokens[b].text) or is_clitic(tokens[b].text))):
        return own
    follows = " " if tokens[a + 1].start > tokens[a].end else ""  # on the right of a
    if a in openers or (is_punctuation(tokens[a].text) and not _closing_or_separating(tokens[a].text)):
        return follows
    return "" if own == "" and _is_unspaced(tokens[b].text) else " "


def _closing_or_separating(mark: str) -> bool:
    return mark in _CLOSES or mark in _STRENGTH or is_final(mark) or mark in _STRAIGHT


def _is_unspaced(piece: str) -> bool:
    return bool(_UNSPACED.match(piece))
