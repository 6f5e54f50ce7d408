"""Attachment: conditions, exceptions and sources hang on the highest clause that they may belong to, than on more.

A parser hangs *if it rains* on the verb right before it. A text that leaves this verb out could then not keep the
condition, although the main clause may need it: *may order the firm to pay, if ...* The words of one connective that
the parser took apart (*on condition* and *that they agree*) are put together again.
"""

from __future__ import annotations

from dataclasses import replace

from ..parse.flat import ParsedText
from .facts import Facts
from .surface import find_comparisons, find_limits

_STEPS = frozenset({"xcomp", "obl", "obj", "nmod", "conj"})


def raise_limits(facts: Facts) -> ParsedText:
    """Return the text with such phrases at the clause that they may limit.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["The court may order the firm to pay the workers if it finds a fault."])
    >>> [a.tokens[raise_limits(Facts(a)).heads[i]].text for i in (11, 12)]
    ['finds', 'order']
    """
    a = facts.a
    heads = list(a.heads)
    for start, end, _ in find_limits(facts):
        top = _find_top(heads, start)
        governed = heads[end - 1]
        if end - start > 1 and governed >= end and governed != top and heads[governed] < start:
            heads[governed] = top  # on condition | that they agree
        above = heads[top]
        if facts.kinds[top] not in ("advcl", "obl", "nmod", "advmod") or above < 0 or above > start:
            continue
        heads[top] = _climb(facts, heads, above)
    for first, than in find_comparisons(facts):
        top = _find_top(heads, than)
        if first < heads[top] < than and facts.kinds[top] in ("obl", "nmod", "advcl"):
            above = first if heads[first] < 0 or facts.kinds[first] not in ("advmod", "amod") else heads[first]
            heads[top] = above if above < than and not _is_below(heads, above, top) else heads[top]
    return replace(a, heads=tuple(heads)) if heads != list(a.heads) else a


def _find_top(heads: list[int], start: int) -> int:
    i = start
    while heads[i] >= start:
        i = heads[i]
    return i


def _is_below(heads: list[int], i: int, top: int) -> bool:
    while i >= 0 and i != top:
        i = heads[i]
    return i == top


def _climb(facts: Facts, heads: list[int], i: int) -> int:
    """Return the highest clause above a word that has no boundary in between: a subject of its own, a report."""
    while heads[i] >= 0:
        kind = facts.kinds[i]
        purpose = kind in ("advcl", "acl") and facts.forms[facts.a.subtree(i)[0]] == "to"
        if not (kind in _STEPS or purpose) or (kind == "conj" and facts.children(i, "nsubj")):
            return i
        i = heads[i]
    return i
