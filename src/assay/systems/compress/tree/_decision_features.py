"""The features of a state of shift-reduce: what a decision tree may ask (after Knight and Marcu 2002).

All are of the form name=value, true or not. Operational: the stack and the last actions. Of the original tree: the
constituents that start at the first word of the input, how they stand to what is on the stack, and what became of the
words that govern them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ....text.parse.flat import ParsedText
from .constituents import ConstituentTree
from .shift_reduce import REDUCE, State

_CLOSED = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ", "PUNCT", "IN", "DT", "TO", "CC", "WDT"})
_TELLING = frozenset(
    [
        "say",
        "tell",
        "report",
        "announce",
        "claim",
        "add",
        "accord",
        "reveal",
        "confirm",
        "state",
        "believe",
        "declare",
        "warn",
    ]
)
_BUCKETS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50)


def bucket(n: int) -> int:
    """Return the largest bound that is not above n.

    >>> [bucket(n) for n in (0, 4, 6, 80)]
    [0, 4, 5, 50]
    """
    return max(b for b in _BUCKETS if b <= n)


@dataclass(frozen=True)
class Case:
    """A text with its tree, and the words that features may name: closed classes, and verbs of saying by lemma."""

    tree: ConstituentTree
    named: tuple[str, ...]

    @classmethod
    def of(cls, tree: ConstituentTree, analysis: ParsedText) -> Case:
        """Build a case from a tree and the dependency parse of the same tokens."""
        labels = [tree.nodes[leaf].label for leaf in tree.leaves]
        named = []
        for word, label in zip(analysis.words, labels, strict=True):
            named.append(word.form.lower() if label in _CLOSED else word.lemma if word.lemma in _TELLING else "")
        return cls(tree, tuple(named))

    @cached_property
    def node_features(self) -> tuple[tuple[str, ...], ...]:
        """What does not change: label, relation, size, and what is in it, of every node."""
        return tuple(tuple(self._about(n)) for n in range(len(self.tree.nodes)))

    def _about(self, n: int) -> list[str]:
        nodes, node = self.tree.nodes, self.tree.nodes[n]
        inside = {nodes[leaf].label for leaf in self.tree.leaves[node.start : node.end]}
        names = [
            f"label={node.label}",
            f"rel={node.relation}",
            f"label,rel={node.label},{node.relation}",
            f"size={bucket(node.end - node.start)}",
            f"word={self.named[node.start]}",
        ]
        if node.head >= 0 and self.named[node.head]:
            names.append(f"headword={self.named[node.head]}")
        names += [f"has={label}" for label in ("PROPN", "NUM", "VERB") if label in inside]
        if node.parent >= 0:
            parent = nodes[node.parent]
            names.append(f"parent={parent.label},{parent.relation}")
            place = parent.children.index(n)
            last = place + 1 == len(parent.children)
            names.append(f"place={'only' if len(parent.children) == 1 else 'last' if last else min(place, 3)}")
            if place:
                names.append(f"after={nodes[parent.children[place - 1]].label}")
            if place + 1 < len(parent.children):
                names.append(f"before={nodes[parent.children[place + 1]].label}")
        return names


def features(state: State, case: Case) -> list[str]:
    """List the features that are true of a state."""
    names = _of_stack(state)
    if state.untyped:
        names.append(f"type={case.tree.nodes[case.tree.leaves[state.at - 1]].label}")
        return names
    if complete := state.complete():
        names.append(f"complete={case.tree.nodes[complete[0]].label},{complete[1]}")
    else:
        names.append("complete=no")
    if state.at < state.words:
        names += _of_input(state, case)
    return names


def _of_stack(state: State) -> list[str]:
    names = [f"stack={bucket(len(state.stack))}", f"untyped={state.untyped}", f"left={bucket(state.words - state.at)}"]
    names += [f"op{k}={act.kind}" for k, act in enumerate(reversed(state.history[-5:]))]
    names += [f"opl{k}={act}" for k, act in enumerate(reversed(state.history[-2:])) if act.kind != REDUCE]
    for k, item in enumerate(reversed(state.stack[-3:])):
        names += [f"s{k}={item.label}", f"s{k}from={'shift' if item.shifted else 'reduce'}"]
        names += [f"s{k}size={bucket(item.leaves)}", f"s{k}in={item.left},{item.right}"]
    return names


def _of_input(state: State, case: Case) -> list[str]:
    tree, at = case.tree, state.at
    starting = tree.starting[at]
    names = [f"starting={min(len(starting), 5)}"]
    for k, n in enumerate(starting[:3]):
        names += [f"c{k}:{f}" for f in case.node_features[n]]
        names.append(f"c{k}:governor={_governor(state, tree, n)}")
    leaf = starting[-1]
    names += [f"w0:{f}" for f in case.node_features[leaf]]
    names.append(f"w0:governor={_governor(state, tree, leaf)}")
    for k in (1, 2):
        if at + k < state.words:
            node = tree.nodes[tree.leaves[at + k]]
            names += [f"w{k}={node.label}", f"w{k}rel={node.relation}", f"w{k}word={case.named[at + k]}"]
    kept_so_far = sum(state.status)
    names += [f"kept={bucket(kept_so_far)}", f"seen={10 * at // state.words}", f"length={bucket(state.words)}"]
    names.append(f"share={10 * kept_so_far // at if at else -1}")
    if at:
        names += [
            f"before={state.status[-1]}",
            f"beforeword={tree.nodes[tree.leaves[at - 1]].label},{state.status[-1]}",
        ]
    names.append(f"root={_status(state, tree.nodes[0].head)}")
    names.append(f"joined={_common_phrase(state, tree)}")
    return names


def _governor(state: State, tree: ConstituentTree, n: int) -> str:
    """Return the status of the word that governs a node: the head of the next phrase above with another head."""
    head, above = tree.nodes[n].head, tree.nodes[n].parent
    while above >= 0 and tree.nodes[above].head in (head, -1):
        above = tree.nodes[above].parent
    return "none" if above < 0 else _status(state, tree.nodes[above].head)


def _status(state: State, token: int) -> str:
    if token < 0:
        return "none"
    return "ahead" if token >= state.at else "kept" if state.status[token] else "dropped"


def _common_phrase(state: State, tree: ConstituentTree) -> str:
    """Return the label of the smallest phrase with both the top of the stack and the first word of the input."""
    if not state.stack:
        return "none"
    last, node = state.stack[-1].last, tree.leaves[state.at]
    while node >= 0 and tree.nodes[node].start > last:
        node = tree.nodes[node].parent
    return tree.nodes[node].label if node >= 0 else "none"
