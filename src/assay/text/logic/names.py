"""Names: runs of words that are one name, so that a text keeps all of it or nothing."""

from __future__ import annotations

from .facts import Facts
from .numbers import MONTHS

_PARTICLES = frozenset(
    {"of", "da", "de", "del", "della", "di", "du", "la", "le", "van", "von", "der", "den", "bin", "al"}
)
_CALENDAR = MONTHS | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
_JOINTS = frozenset({"flat", "compound", "nmod", "amod", "appos", "fixed"})


def find_names(facts: Facts) -> list[list[int]]:
    """Find names of more than one word; a title before a name (President, Mr) is not a part of it.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["President Luis Romero of the Bank of England met Ann on Monday."])
    >>> [[a.tokens[i].text for i in name] for name in find_names(Facts(a))]
    [['Luis', 'Romero'], ['Bank', 'of', 'England']]
    """
    names: list[list[int]] = []
    run: list[int] = []
    for i in range(len(facts.forms)):
        if _is_part(facts, i) or (run and _joins(facts, run, i)):
            run.append(i)
            continue
        names.append(run)
        run = []
    names.append(run)
    return [name for run in names if len(name := _trim(facts, run)) > 1]


def _is_part(facts: Facts, i: int) -> bool:
    token, word = facts.a.tokens[i], facts.a.words[i]
    if not token.text[:1].isupper() or facts.forms[i] in _CALENDAR:
        return False
    first = i == 0 or facts.a.sentence[i] != facts.a.sentence[i - 1] or facts.a.punctuation[i - 1]
    if first and word.pos == "ADJ" and word.tag.startswith("NNP"):
        return True  # Saudi Arabia
    return word.pos == "PROPN" or (not first and word.pos in ("ADJ", "NOUN", "VERB") and word.tag != "PRP")


def _joins(facts: Facts, run: list[int], i: int) -> bool:
    """Check if a small word links the two halves of a name: the next is a part of it, and hangs on it."""
    if facts.forms[i] not in _PARTICLES or i + 1 >= len(facts.forms) or not _is_part(facts, i + 1):
        return False
    if facts.forms[i] != "of":
        return True
    k = i + 1
    while k not in run and facts.kinds[k] in _JOINTS:
        k = facts.a.heads[k]
    return k in run and not any("title" in facts.noun(j) for j in run)


def _trim(facts: Facts, run: list[int]) -> list[int]:
    """Drop titles and adjectives before them (French President) from the start, particles from the end."""
    titles = [n for n, i in enumerate(run) if "title" in facts.noun(i)]
    last = titles[-1] + 1 if titles and titles[-1] + 1 < len(run) else 0
    trimmed = run[last:]
    while trimmed and facts.forms[trimmed[-1]] in _PARTICLES:
        trimmed = trimmed[:-1]
    linked = len(trimmed) > 1 and all(_is_linked(facts, trimmed, i) for i in trimmed)
    return trimmed if linked else []


def _is_linked(facts: Facts, run: list[int], i: int) -> bool:
    """Check if a word hangs on another of the run, or another on it, or the parser missed that."""
    if facts.a.heads[i] in run or any(k in run for k in facts.a.children[i]):
        return True
    capitals = sum(token.text[:1].isupper() for token in facts.a.tokens)
    return 2 * capitals < len(facts.a.tokens)  # not so in a headline Where All Words Are Capitals
