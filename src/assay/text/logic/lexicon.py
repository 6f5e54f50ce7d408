"""Lexicons of natural logic: quantifiers, modifiers, predicates and more, a file each."""

from __future__ import annotations

from functools import cache

from ...extras import find_data

NAMES = ("quantifiers", "modifiers", "predicates", "connectives", "bounds", "nouns")


def read_rows(name: str) -> list[tuple[str, ...]]:
    """Read the rows of a lexicon: a word or phrase in lower case, then its classes."""
    lines = find_data(f"text/data/logic/{name}.tsv").read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


@cache
def quantifiers() -> dict[str, tuple[str, str]]:
    """Return the monotonicity of each quantifier in its restrictor and in its scope: up, down, none or definite."""
    return {row[0]: (row[1], row[2]) for row in read_rows("quantifiers")}


@cache
def modifiers() -> dict[tuple[str, str], str]:
    """Return the class of each (word, adj or adv)."""
    return {(row[0], row[2]): row[1] for row in read_rows("modifiers")}


@cache
def predicates() -> dict[str, frozenset[str]]:
    """Return the classes of each predicate with a complement."""
    classes = {word: kinds - {"omissible"} for word, kinds in _classes("predicates").items()}
    return {word: kinds for word, kinds in classes.items() if kinds}


@cache
def omissible() -> frozenset[str]:
    """Return the predicates that may stand without their complement."""
    return frozenset(word for word, kinds in _classes("predicates").items() if "omissible" in kinds)


@cache
def nouns() -> dict[str, frozenset[str]]:
    """Return the classes of each noun."""
    return _classes("nouns")


@cache
def connectives() -> dict[tuple[str, ...], frozenset[str]]:
    """Return the classes of each preposition or conjunction, by its words."""
    return {tuple(phrase.split()): classes for phrase, classes in _classes("connectives").items()}


@cache
def bounds() -> dict[tuple[str, ...], frozenset[str]]:
    """Return whether each bound stands before or after its number, by its words."""
    return {tuple(phrase.split()): classes for phrase, classes in _classes("bounds").items()}


def _classes(name: str) -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for word, kind, *_ in read_rows(name):
        classes.setdefault(word, set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in classes.items()}


def find_phrases(
    forms: list[str], phrases: dict[tuple[str, ...], frozenset[str]]
) -> dict[int, tuple[int, frozenset[str]]]:
    """Find phrases in lower-case words, the longest at each place: start -> end, classes.

    >>> find_phrases("not more than two".split(), bounds())
    {0: (3, frozenset({'before'}))}
    """
    longest = max(map(len, phrases))
    matches: dict[int, tuple[int, frozenset[str]]] = {}
    i = 0
    while i < len(forms):
        ends = (n for n in range(min(longest, len(forms) - i), 0, -1) if tuple(forms[i : i + n]) in phrases)
        n = next(ends, 0)
        if n:
            matches[i] = (i + n, phrases[tuple(forms[i : i + n])])
        i += max(1, n)
    return matches
