"""Extracts the rules of a synchronous tree substitution grammar from aligned pairs (Cohn and Lapata 2008, section 4).

A source constituent is aligned if its words are linked and no word between the first and the last of theirs in the
target is linked to a word outside it. The rules are minimal: below an aligned constituent, each part that is aligned
itself becomes a variable, a part without links is deleted, and only the rest stands in the rule. Siblings that are kept
in order are left out of a rule, which is the same as a grammar over binarized trees (Wang et al. 2007); else few rules
would be found in five sources.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from assay.systems.compress.tree.constituents import ConstituentTree
from assay.systems.compress.tree.rules import DELETED, Pattern, TreeRule

Links = Collection[tuple[int, int]]
MAX_WORDS, MAX_NEW, MAX_VARIABLES, MAX_NODES = 6, 6, 4, 12
REPLACED = 3  # words of what was deleted where new words stand: with more it is taken for a deletion and an insertion


class Block(NamedTuple):
    """Children `first` to `last` (exclusive) of a node and the target words `start` to `end` (exclusive) for them."""

    first: int
    last: int
    start: int
    end: int


class PairOfTrees:
    """A source tree, a target, and the links between their words; with a tree, parts of it only are aligned."""

    def __init__(
        self,
        tree: ConstituentTree,
        words: Sequence[str],
        target: Sequence[str],
        links: Links,
        target_tree: ConstituentTree | None = None,
    ) -> None:
        self.tree, self.words, self.target = tree, [w.lower() for w in words], [w.lower() for w in target]
        self.goals: list[set[int]] = [set() for _ in words]
        self.origins: list[set[int]] = [set() for _ in target]
        for i, j in links:
            self.goals[i].add(j)
            self.origins[j].add(i)
        self.targets = [set().union(*self.goals[n.start : n.end]) if n.end > n.start else set() for n in tree.nodes]
        self.aligned = [self._is_aligned(n) for n in range(len(tree.nodes))]
        if target_tree is not None:
            spans = {(n.start, n.end) for n in target_tree.nodes}
            self.aligned = [aligned and self._covers(n, spans) for n, aligned in enumerate(self.aligned)]

    def _is_aligned(self, n: int) -> bool:
        if not self.targets[n]:
            return False
        node, (start, end) = self.tree.nodes[n], self.range(n)
        return all(node.start <= i < node.end for j in range(start, end) for i in self.origins[j])

    def _covers(self, n: int, spans: set[tuple[int, int]]) -> bool:
        """Whether the target words, with unlinked ones around them, are a constituent."""
        start, end = self.range(n)
        first, last = start, end
        while first > 0 and not self.origins[first - 1]:
            first -= 1
        while last < len(self.target) and not self.origins[last]:
            last += 1
        return any((a, b) in spans for a in range(first, start + 1) for b in range(end, last + 1))

    def range(self, n: int) -> tuple[int, int]:
        return min(self.targets[n]), max(self.targets[n]) + 1

    def rules(self) -> Iterator[TreeRule]:
        """Every rule that the pair shows; copies and plain deletions, which need no rule, are left out."""
        for n, node in enumerate(self.tree.nodes):
            if not self.aligned[n]:
                continue
            if node.children:
                yield from self._rules_below(n)
            elif [self.words[node.start]] != self.target[slice(*self.range(n))]:
                rule = TreeRule((self._pattern_in_full(n),), tuple(self.target[slice(*self.range(n))]))
                if is_small(rule):
                    yield rule

    def _blocks(self, n: int) -> list[Block]:
        """Children that must be translated together, in order: their target words do not overlap or cross."""
        blocks: list[Block] = []
        for place, child in enumerate(self.tree.nodes[n].children):
            if not self.targets[child]:
                continue
            block = Block(place, place + 1, *self.range(child))
            while blocks and blocks[-1].end > block.start:
                before = blocks.pop()
                block = Block(before.first, block.last, min(before.start, block.start), max(before.end, block.end))
            blocks.append(block)
        return blocks

    def _rules_below(self, n: int) -> Iterator[TreeRule]:
        children = self.tree.nodes[n].children
        blocks = self._blocks(n)
        start, end = (0, len(self.target)) if n == 0 else self.range(n)
        for k, block in enumerate(blocks):
            before = blocks[k - 1].end if k else start
            deleted = children[blocks[k - 1].last if k else 0 : block.first]
            new = self.target[before : block.start]
            if new and deleted and self._size(deleted) <= REPLACED:
                yield from self._checked(n, tuple(map(self._pattern_in_full, deleted)), tuple(new))
                new = []
            after = self.target[block.end : end] if k + 1 == len(blocks) else []
            tail = children[block.last :]
            if after and k + 1 == len(blocks) and tail and self._size(tail) <= REPLACED:
                yield from self._checked(n, tuple(map(self._pattern_in_full, tail)), tuple(after))
                after = []
            yield from self._rules_of_block(n, block, new, after)

    def _size(self, nodes: Sequence[int]) -> int:
        return sum(self.tree.nodes[n].end - self.tree.nodes[n].start for n in nodes)

    def _rules_of_block(self, n: int, block: Block, new: list[str], after: list[str]) -> Iterator[TreeRule]:
        children = self.tree.nodes[n].children[block.first : block.last]
        if len(children) == 1 and self.aligned[children[0]] and not new and not after:
            return
        variables: list[int] = []
        source = tuple(self._pattern(child, variables) for child in children)
        at = {self.range(node)[0]: (k, self.range(node)[1]) for k, node in enumerate(variables)}
        target: list[str | int] = [*new]
        j = block.start
        while j < block.end:
            if j in at:
                number, j = at[j]
                target.append(number)
            else:
                target.append(self.target[j])
                j += 1
        yield from self._checked(n, source, (*target, *after))

    def _checked(self, n: int, source: tuple[Pattern, ...], target: tuple[str | int, ...]) -> Iterator[TreeRule]:
        rule = TreeRule(source, target, "" if any(p.words for p in source) else self.tree.nodes[n].label)
        if is_small(rule) and rule.target != rule.words:
            yield rule

    def _pattern(self, n: int, variables: list[int]) -> Pattern:
        node = self.tree.nodes[n]
        if self.aligned[n]:
            variables.append(n)
            return Pattern(node.label, variable=len(variables) - 1)
        if not self.targets[n]:
            return Pattern(node.label, variable=DELETED)
        if not node.children:
            return Pattern(node.label, self.words[node.start])
        return Pattern(node.label, children=tuple(self._pattern(child, variables) for child in node.children))

    def _pattern_in_full(self, n: int) -> Pattern:
        node = self.tree.nodes[n]
        if not node.children:
            return Pattern(node.label, self.words[node.start])
        return Pattern(node.label, children=tuple(map(self._pattern_in_full, node.children)))


def is_small(rule: TreeRule) -> bool:
    nodes = sum(map(_nodes, rule.source))
    few = len(rule.words) <= MAX_WORDS and len(rule.new_words) <= MAX_NEW
    return few and len(rule.variables) <= MAX_VARIABLES and nodes <= MAX_NODES


def _nodes(pattern: Pattern) -> int:
    return 1 + sum(map(_nodes, pattern.children))
