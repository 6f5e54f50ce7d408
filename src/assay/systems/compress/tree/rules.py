"""Rules of a synchronous tree substitution grammar: what a piece of the source tree may be written as.

The source side is a row of patterns that sibling constituents match, one after the other: a word with its part of
speech, a constituent with patterns for all its children, a variable (any constituent of that label; its own
translation stands in the target), or a constituent that is deleted. The target side is a row of words and variables.
A rule with a parent holds below a constituent of that label only. Two rules as they are written:

    (NB (DET a) (NOUN lot)) (PP (ADP of) NOUN#0)  =>  much #0
    S: PP#0 NB#1 VP#-  =>  #1 , #0
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ....errors import InputError
from .constituents import ConstituentTree

_NEGATIONS = frozenset(["not", "n't", "no", "never", "neither", "nor", "without", "ca", "wo"])
INSIDE, DELETED = -2, -1  # what Pattern.variable is where it is not a variable
_PIECE = re.compile(r"\(|\)|[^\s()]+")


class Pattern(NamedTuple):
    """What one constituent must be: its label and, by kind, its word or the patterns of its children."""

    label: str
    word: str = ""  # in lower case, of a leaf
    children: tuple[Pattern, ...] = ()
    variable: int = INSIDE  # the number of a variable; -1: any constituent of the label, deleted

    def __str__(self) -> str:
        if self.variable != INSIDE:
            return f"{self.label}#{'-' if self.variable == DELETED else self.variable}"
        inside = self.word or " ".join(map(str, self.children))
        return f"({self.label} {inside})"

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it asks for."""
        return (self.word,) if self.word else tuple(w for child in self.children for w in child.words)


Target = tuple[str | int, ...]  # words, and numbers of variables


class TreeRule(NamedTuple):
    """Sibling constituents and what is written for them."""

    source: tuple[Pattern, ...]
    target: Target
    parent: str = ""  # the label of the constituent above; empty: any

    def __str__(self) -> str:
        source = " ".join(map(str, self.source))
        target = " ".join(f"#{part}" if isinstance(part, int) else part for part in self.target)
        return f"{self.parent}: {source} => {target}" if self.parent else f"{source} => {target}"

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the source side."""
        return tuple(w for pattern in self.source for w in pattern.words)

    @property
    def new_words(self) -> tuple[str, ...]:
        """The words of the target side."""
        return tuple(part for part in self.target if isinstance(part, str))

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables in the order of the target side."""
        return tuple(part for part in self.target if isinstance(part, int))

    @property
    def kind(self) -> str:
        """What it does: insert words, reorder, replace one word, or rephrase."""
        if not self.words:
            return "insert" if self.variables == tuple(sorted(self.variables)) else "reorder"
        return "replace" if len(self.source) == 1 and self.source[0].word else "rephrase"

    @property
    def changes_negation(self) -> bool:
        """Whether one of its sides is negated and the other is not."""
        return bool(_NEGATIONS.intersection(self.words)) != bool(_NEGATIONS.intersection(self.new_words))


def parse_rule(text: str) -> TreeRule:
    """Read a rule as it is written.

    >>> rule = parse_rule("S: PP#0 (NB (DET the) NOUN#1) VP#- => #1 , #0")
    >>> str(rule), rule.words, rule.target
    ('S: PP#0 (NB (DET the) NOUN#1) VP#- => #1 , #0', ('the',), (1, ',', 0))
    """
    left, arrow, right = text.partition(" => ")
    parent, colon, rest = left.partition(": ")
    if not colon:
        parent, rest = "", left
    try:
        pieces = _PIECE.findall(rest)
        source = tuple(_patterns(iter(pieces)))
        target = tuple(int(part[1:]) if re.fullmatch(r"#\d+", part) else part for part in right.split())
    except (StopIteration, ValueError, RuntimeError):
        source, target = (), ()
    numbers = sorted(n for pattern in source for n in _numbers(pattern))
    if not arrow or not source or not target or numbers != sorted(p for p in target if isinstance(p, int)):
        raise InputError(f"{text[:60]!r} is not a rule of a tree grammar, as (DET a) NOUN#0 => any #0")
    return TreeRule(source, target, parent)


def _numbers(pattern: Pattern) -> list[int]:
    own = [pattern.variable] if pattern.variable >= 0 else []
    return own + [n for child in pattern.children for n in _numbers(child)]


def _patterns(pieces: Iterator[str]) -> Iterator[Pattern]:
    """Read patterns up to the bracket that closes them."""
    for piece in pieces:
        if piece == ")":
            return
        if piece != "(":
            label, _, number = piece.rpartition("#")
            yield Pattern(label, variable=DELETED if number == "-" else int(number))
            continue
        label, first = next(pieces), next(pieces)
        if first != "(" and "#" not in first[1:]:
            if next(pieces) != ")":
                raise ValueError(first)
            yield Pattern(label, first)
        else:
            yield Pattern(label, children=tuple(_patterns(_before(first, pieces))))


def _before(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


class Match(NamedTuple):
    """Where a rule fits: the node of each variable, the nodes that it deletes, the tokens that its words are."""

    rule: int
    variables: tuple[int, ...]
    deleted: tuple[int, ...]
    tokens: tuple[int, ...]
    width: int  # children that it spans


class RuleIndex:
    """Rules, looked up by their first pattern."""

    def __init__(self, rules: Sequence[TreeRule]) -> None:
        self.rules = tuple(rules)
        self._by_key: dict[str, list[int]] = {}
        for number, rule in enumerate(self.rules):
            first = rule.source[0]
            self._by_key.setdefault(f"{first.label} {first.word}", []).append(number)

    def match(self, tree: ConstituentTree, words: Sequence[str], parent: int, place: int) -> list[Match]:
        """List the rules that fit the children of a node from one place on; `words` are in lower case."""
        nodes = tree.nodes
        siblings = nodes[parent].children[place:] if parent >= 0 else (0,)
        above = nodes[parent].label if parent >= 0 else ""
        node = nodes[siblings[0]]
        numbers = list(self._by_key.get(f"{node.label} ", ()))
        if not node.children:
            numbers += self._by_key.get(f"{node.label} {words[node.start]}", ())
        matches = []
        for number in numbers:
            rule = self.rules[number]
            if len(rule.source) > len(siblings) or (rule.parent and rule.parent != above):
                continue
            places: dict[int, int] = {}
            deleted: list[int] = []
            tokens: list[int] = []
            if all(
                _fits(pattern, child, tree, words, places, deleted, tokens)
                for pattern, child in zip(rule.source, siblings, strict=False)
            ):
                variables = tuple(places[k] for k in sorted(places))
                matches.append(Match(number, variables, tuple(deleted), tuple(tokens), len(rule.source)))
        return matches


def _fits(
    pattern: Pattern,
    n: int,
    tree: ConstituentTree,
    words: Sequence[str],
    places: dict[int, int],
    deleted: list[int],
    tokens: list[int],
) -> bool:
    """Check if a node is what a pattern asks for, and note what each part of the pattern stands for."""
    node = tree.nodes[n]
    if node.label != pattern.label:
        return False
    if pattern.variable >= 0:
        places[pattern.variable] = n
        return True
    if pattern.variable == DELETED:
        deleted.append(n)
        return True
    if pattern.word:
        tokens.append(node.start)
        return not node.children and words[node.start] == pattern.word
    return len(pattern.children) == len(node.children) and all(
        _fits(part, child, tree, words, places, deleted, tokens)
        for part, child in zip(pattern.children, node.children, strict=True)
    )
