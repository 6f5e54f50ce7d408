"""Quantities: a number with its unit, its other words, and the bound or approximation that goes with it."""

from __future__ import annotations

from collections.abc import Iterator

from .facts import Facts

_FRACTIONS = frozenset({"half", "third", "thirds", "quarter", "quarters", "fifth", "tenth", "dozen", "double", "twice"})
_BETWEEN = frozenset({"the", "a", "an", "$", "€", "£", "any", "our", "its", "their", "his", "her", "last", "of"})
_BARE = frozenset(
    {"some", "just", "over", "under", "above", "below", "within", "about", "around", "more", "less", "only"}
)
MONTHS = frozenset(
    {"january", "february", "march", "april", "may", "june"}
    | {"july", "august", "september", "october", "november", "december"}
)


def find_quantities(facts: Facts) -> list[list[int]]:
    """Find the words of each quantity that are kept or deleted together.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["They paid up to 20 million euros for no more than 3 or 4 paintings."])
    >>> [[a.tokens[i].text for i in words] for words in find_quantities(Facts(a))]
    [['up', 'to', '20'], ['no', 'more', 'than', '3'], ['20', 'million'], ['million', 'euros']]
    """
    return [*_bounds(facts), *_ranges(facts), *_units(facts)]


def _is_amount(facts: Facts, i: int) -> bool:
    return facts.is_number(i) or facts.forms[i] in _FRACTIONS


def _bounds(facts: Facts) -> Iterator[list[int]]:
    for start, (end, classes) in facts.bounds.items():
        phrase = list(range(start, end))
        if "before" in classes:
            at = end
            while at < min(end + 2, len(facts.forms)) and facts.forms[at] in _BETWEEN:
                at += 1
            gap = 0 if len(phrase) == 1 and facts.forms[start] in _BARE else 2
            if (
                at < len(facts.forms)
                and _is_amount(facts, at)
                and at - end <= max(gap, facts.forms[end] in ("$", "€", "£", "a"))
            ):
                yield [*phrase, at]
        if "after" in classes:
            numbers = [k for k in range(max(0, start - 3), start) if _is_amount(facts, k)]
            if numbers:
                yield [numbers[-1], *phrase]


def _ranges(facts: Facts) -> Iterator[list[int]]:
    """Between 3 and 5; from 3 to 5."""
    for i, form in enumerate(facts.forms):
        joint = {"between": "and", "from": "to"}.get(form)
        if joint is None:
            continue
        window = range(i + 1, min(i + 8, len(facts.forms)))
        joints = [k for k in window if facts.forms[k] == joint]
        for k in joints[:1]:
            left = [n for n in range(i + 1, k) if facts.is_number(n)]
            right = [n for n in range(k + 1, min(k + 3, len(facts.forms))) if facts.is_number(n)]
            if left and right:
                yield [i, left[-1], k, right[0]]


def _units(facts: Facts) -> Iterator[list[int]]:
    for i in range(len(facts.forms) - 1):
        if not facts.is_number(i):
            continue
        k = i + 1
        if facts.forms[k] in ("in", "of", "out") and i + 2 < len(facts.forms) and facts.is_number(i + 2):
            yield [i, k, i + 2]  # one in five
        if facts.is_number(k) or "unit" in facts.noun(k) or facts.forms[k] in MONTHS | _FRACTIONS:
            yield [i, k]
