"""Shift, reduce, drop, assign type: the actions of Knight and Marcu (2002) over a tree, and their replay from a pair.

Clarke and Lapata (2006), 2.1 and Table 1. The short tree is the long one without the words that went; phrases with one
part left are that part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .constituents import ConstituentTree

MARKS = frozenset({"PUNCT", ",", ".", ":", "``", "''", '"', "-LRB-", "-RRB-", "HYPH", "NFP"})  # labels of punctuation
SHIFT, ASSIGN, REDUCE, DROP = "SHIFT", "ASSIGNTYPE", "REDUCE", "DROP"


class Action(NamedTuple):
    """What to do: SHIFT; ASSIGNTYPE label; REDUCE number label; DROP label (number: which of those, largest first)."""

    kind: str
    label: str = ""
    number: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.label} {self.number or ''}".strip()


def action(text: str) -> Action:
    """Parse an action from its text.

    >>> action(str(Action(REDUCE, "NP", 2)))
    Action(kind='REDUCE', label='NP', number=2)
    """
    parts = text.split(" ")
    return Action(parts[0], parts[1] if len(parts) > 1 else "", int(parts[2]) if len(parts) > 2 else 0)


class StackItem(NamedTuple):
    """A tree on the stack: its label ("" before a type is assigned), leaves, first and last token and child labels."""

    label: str
    leaves: int
    first: int
    last: int
    shifted: bool
    left: str = ""
    right: str = ""


@dataclass
class State:
    """A stack of trees and the words that are left; everything before `at` was shifted or dropped."""

    tree: ConstituentTree
    last: int = -1  # the last token that is a word, so that one can be kept; -1: the last of all
    at: int = 0
    stack: list[StackItem] = field(default_factory=list)
    history: list[Action] = field(default_factory=list)
    status: list[int] = field(default_factory=list)  # of each token so far: 1 kept, 0 dropped

    def __post_init__(self) -> None:
        if self.last < 0:
            self.last = self.words - 1

    @property
    def words(self) -> int:
        """How many words the text has."""
        return len(self.tree.leaves)

    @property
    def kept_tokens(self) -> list[int]:
        """The tokens that were shifted."""
        return [i for i, bit in enumerate(self.status) if bit]

    @property
    def finished(self) -> bool:
        """Whether the input is empty and one tree is left."""
        return self.at == self.words and len(self.stack) <= 1 and not self.untyped

    @property
    def untyped(self) -> bool:
        """Whether the top of the stack waits for its type."""
        return bool(self.stack) and not self.stack[-1].label

    @property
    def solid(self) -> bool:
        """Whether something other than punctuation was kept."""
        nodes, leaves = self.tree.nodes, self.tree.leaves
        return any(bit and nodes[leaves[i]].label not in MARKS for i, bit in enumerate(self.status))

    def droppable(self, act: Action) -> int | None:
        """Return the node that a DROP removes, if it starts at the first word of the input."""
        if self.at == self.words:
            return None
        nodes = self.tree.nodes
        same = [n for n in self.tree.starting[self.at] if nodes[n].label == act.label]
        place = max(1, act.number) - 1
        return same[place] if place < len(same) else None

    def legal(self, act: Action) -> bool:
        """Check if the action is possible, and leaves a tree at the end."""
        if act.kind == ASSIGN:
            return self.untyped
        if self.untyped:
            return False
        if act.kind == SHIFT:
            return self.at < self.words
        if act.kind == REDUCE:
            return 2 <= act.number <= len(self.stack)
        node = self.droppable(act)
        return node is not None and (self.solid or self.tree.nodes[node].end <= self.last)

    def do(self, act: Action) -> None:
        """Apply a legal action."""
        if act.kind == SHIFT:
            self.stack.append(StackItem("", 1, self.at, self.at, True))
            self.status.append(1)
            self.at += 1
        elif act.kind == ASSIGN:
            self.stack[-1] = self.stack[-1]._replace(label=act.label)
        elif act.kind == REDUCE:
            parts = self.stack[-act.number :]
            leaves = sum(p.leaves for p in parts)
            whole = StackItem(act.label, leaves, parts[0].first, parts[-1].last, False, parts[0].label, parts[-1].label)
            self.stack[-act.number :] = [whole]
        else:
            node = self.droppable(act)
            assert node is not None
            end = self.tree.nodes[node].end
            self.status += [0] * (end - self.at)
            self.at = end
        self.history.append(act)

    def complete(self) -> tuple[int, int] | None:
        """Return the smallest consumed node that holds the top two or more trees of the stack, and how many."""
        if len(self.stack) < 2 or self.untyped:
            return None
        nodes, top = self.tree.nodes, self.stack[-1]
        node = self.tree.leaves[top.last]
        while node >= 0:
            start, end = nodes[node].start, nodes[node].end
            if end > self.at:
                return None
            if start < top.first:
                inside = 0
                while inside < len(self.stack) and self.stack[-1 - inside].first >= start:
                    inside += 1
                if inside > 1:
                    return node, inside
            node = nodes[node].parent
        return None


def begin(tree: ConstituentTree) -> State:
    """Return the first state of a text."""
    words = [i for i, leaf in enumerate(tree.leaves) if tree.nodes[leaf].label not in MARKS]
    return State(tree, words[-1] if words else -1)


def replay(tree: ConstituentTree, keep: Sequence[bool]) -> Iterator[tuple[State, Action]]:
    """Yield the states and actions that turn the long sentence into the short one; the state is updated in place.

    REDUCE when the words of a node are consumed and two or more of its parts are on the stack; DROP the largest
    constituent at the first word that holds no word that is kept; else SHIFT and ASSIGNTYPE.
    """
    if not any(keep):
        return
    wanted = [0]
    for bit in keep:
        wanted.append(wanted[-1] + bool(bit))
    state = State(tree)
    while not state.finished:
        act = _next(state, wanted)
        yield state, act
        state.do(act)


def _next(state: State, wanted: Sequence[int]) -> Action:
    nodes = state.tree.nodes
    if state.untyped:
        return Action(ASSIGN, nodes[state.tree.leaves[state.at - 1]].label)
    if node_and_count := state.complete():
        return Action(REDUCE, nodes[node_and_count[0]].label, node_and_count[1])
    starting = state.tree.starting[state.at]
    before: dict[str, int] = {}
    for n in starting:
        node = nodes[n]
        before[node.label] = before.get(node.label, 0) + 1
        if wanted[node.end] == wanted[node.start]:
            return Action(DROP, node.label, before[node.label] if before[node.label] > 1 else 0)
    return Action(SHIFT)
