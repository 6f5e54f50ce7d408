"""The weights of the tree-to-tree compressor: features of its rules and deletions, and the file they come in.

The score of a derivation is linear, w . f: features of each constituent that is deleted, of each child and what was
done with the one before, of each rule; the log probability of the text under the language model; its words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError
from ....files import whole_file, write_whole
from ....text.align.word_features import stem_of
from ._decision_features import Case
from .chart import DELETE, LocalScores, TextDerivation
from .constituents import ConstituentTree
from .rules import Match, RuleIndex, TreeRule, parse_rule
from .transducer import node_features

Floats = NDArray[np.float64]
LANGUAGE, WORD = "lm", "word"  # features of the whole text
LANGUAGE_SCALE = 10.0  # of the log probability, so that its weight is learned as fast as the others
_ACTIONS, _BEFORE = "KD", "FKD"


@dataclass(frozen=True)
class TreeGrammar:
    """Rules, how probable each is where its source side stands, the features and their weights."""

    index: RuleIndex
    chances: tuple[float, ...]  # p(target | source side), of each rule
    features: dict[str, int]
    weights: Floats
    about: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write path.npz and path.json."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path.with_suffix(".npz")) as file:
            np.savez_compressed(
                file, weights=self.weights.astype(np.float32), chances=np.array(self.chances, dtype=np.float32)
            )
        names = {"about": self.about, "rules": list(map(str, self.index.rules)), "features": list(self.features)}
        write_whole(path.with_suffix(".json"), json.dumps(names, indent=0, ensure_ascii=False) + "\n")


@lru_cache(maxsize=2)
def load_grammar(path: Path) -> TreeGrammar:
    """Read what `save` wrote."""
    file, listed = path.with_suffix(".npz"), path.with_suffix(".json")
    for part in (file, listed):
        if not part.is_file():
            raise InputError(f"there is no tree grammar {path} (.npz and .json): {part} is missing")
    arrays = read_arrays(file, path=file, needed=("weights", "chances"))
    with explain_errors("the rules of the grammar cannot be read", listed):
        names = json.loads(listed.read_text("utf-8"))
        rules = [parse_rule(str(text)) for text in names["rules"]]
        features = {str(name): k for k, name in enumerate(names["features"])}
        if arrays["weights"].shape != (len(features),) or arrays["chances"].shape != (len(rules),):
            raise FormatError(f"its numbers are not those of {len(rules)} rules, {len(features)} features", path=file)
        if not {LANGUAGE, WORD} <= features.keys():
            raise FormatError(f"it has no weights of {LANGUAGE} and {WORD}", path=listed)
        weights, chances = arrays["weights"].astype(np.float64), arrays["chances"].astype(np.float64)
        return TreeGrammar(RuleIndex(rules), tuple(chances.tolist()), features, weights, dict(names["about"]))


class GrammarText:
    """A text as the grammar sees it: the numbers of its features, and the rules that fit it."""

    def __init__(self, grammar: TreeGrammar, case: Case, tokens: Sequence[str]) -> None:
        self.grammar, self.tree, self.tokens = grammar, case.tree, tuple(tokens)
        known = grammar.features
        self.of_deletion = [_ids_of(known, deletion_features(case, n)) for n in range(len(self.tree.nodes))]
        self.of_step = {
            (n, before, action): _ids_of(known, step_features(self.tree, n, before, action))
            for n in range(len(self.tree.nodes))
            for before in range(3)
            for action in (1, 2)
        }
        lower = [token.lower() for token in tokens]
        self.matches: dict[tuple[int, int], list[Match]] = {}
        self.of_match: dict[Match, list[tuple[int, float]]] = {}
        for parent, node in enumerate(self.tree.nodes):
            for place in range(len(node.children)):
                self._find(lower, parent, place)
        self._find(lower, -1, 0)

    def _find(self, lower: Sequence[str], parent: int, place: int) -> None:
        grammar = self.grammar
        if matches := grammar.index.match(self.tree, lower, parent, place):
            self.matches[parent, place] = matches
            above = self.tree.nodes[parent].label if parent >= 0 else ""
            for match in matches:
                values = rule_features(grammar.index.rules[match.rule], grammar.chances[match.rule], above)
                pairs = [(grammar.features[f], v) for f, v in values.items() if f in grammar.features]
                pairs += [(f, 1.0) for n in match.deleted for f in self.of_deletion[n]]
                self.of_match[match] = pairs

    def scores(
        self, weights: Floats, lost: TextLoss | None = None, sign: float = 1.0, rewrite: float = 0.0
    ) -> LocalScores:
        """Score each choice; a loss is added `sign` times, `rewrite` to each rule that does more than insert."""
        delete = [float(weights[ids].sum()) for ids in self.of_deletion]
        copy = [0.0] * len(self.tokens)
        step = np.zeros((3, 2, len(self.tree.nodes)))
        for (n, before, action), ids in self.of_step.items():
            step[before, action - 1, n] = weights[ids].sum()
        values = {match: sum(weights[f] * v for f, v in pairs) for match, pairs in self.of_match.items()}
        rules = self.grammar.index.rules
        if rewrite:
            values = {m: v + rewrite * (rules[m.rule].kind != "insert") for m, v in values.items()}
        if lost is not None:
            delete = [value + sign * cost for value, cost in zip(delete, lost.delete(self.tree), strict=True)]
            copy = [sign * cost for cost in lost.copy]
            values = {m: v + sign * lost.of_match(m, rules[m.rule], self.tree) for m, v in values.items()}
        fitting = {
            place: [(m, rules[m.rule].target, values[m]) for m in matches] for place, matches in self.matches.items()
        }
        return LocalScores(delete, copy, step, fitting)

    def features(self, derivation: TextDerivation, log_prob: float, words: int) -> Counter[int]:
        """Count the features of a derivation of a text with this log probability and number of words."""
        counts: Counter[int] = Counter()
        for step in derivation.steps:
            counts.update(self.of_step[step.node, step.before, step.action])
            if step.match is not None:
                for f, value in self.of_match[step.match]:
                    counts[f] += value  # type: ignore[assignment]
            elif step.action == DELETE:
                counts.update(self.of_deletion[step.node])
        counts[self.grammar.features[LANGUAGE]] = log_prob / LANGUAGE_SCALE  # type: ignore[assignment]
        counts[self.grammar.features[WORD]] = words
        return counts


@dataclass(frozen=True)
class TextLoss:
    """How far choices lead away from what people wrote: the mean over references.

    A kept token costs the share of references that do not have it; a token that goes costs the share that have
    something for it, and one that a rule replaces half of the share that have something else. A new word costs the
    share of references that do not have it.
    """

    copy: tuple[float, ...]  # of each token, if it is kept
    drop: tuple[float, ...]  # and if it is not
    words: dict[str, float]  # share of references with a word, in lower case
    goals: tuple[tuple[frozenset[str], ...], ...]  # for each token, what each reference that has something has for it
    references: int

    def delete(self, tree: ConstituentTree) -> list[float]:
        """Return what it costs to delete each node."""
        total = np.concatenate([[0.0], np.cumsum(self.drop)])
        return [float(total[node.end] - total[node.start]) for node in tree.nodes]

    def of_match(self, match: Match, rule: TreeRule, tree: ConstituentTree) -> float:
        """Return what a rule costs: its new words, its deletions, the tokens for which references have other words."""
        new = rule.new_words
        cost = sum(1.0 - self.words.get(word, 0.0) for word in new)
        deletions = sum(self.drop[i] for n in match.deleted for i in range(tree.nodes[n].start, tree.nodes[n].end))
        other = sum(goal.isdisjoint(new) for i in match.tokens for goal in self.goals[i])
        return cost + deletions + 0.5 * other / self.references


def _ids_of(known: dict[str, int], names: Iterable[str]) -> NDArray[np.int64]:
    return np.array([known[name] for name in names if name in known], dtype=np.int64)


def deletion_features(case: Case, n: int) -> list[str]:
    """List the features of a constituent that is deleted."""
    return [f"d|{name}" for name in node_features(case, n)]


def step_features(tree: ConstituentTree, n: int, before: int, action: int) -> list[str]:
    """List the features of the action on a child, after the action on the one before it."""
    node = tree.nodes[n]
    if node.parent < 0:
        return []
    siblings = tree.nodes[node.parent].children
    place = siblings.index(n)
    last = tree.nodes[siblings[place - 1]].label if place else ""
    kind = f"t|{_BEFORE[before]}{_ACTIONS[action - 1]}"
    return [f"{kind}|{node.label}", f"{kind}|{last},{node.label}"]


def rule_features(rule: TreeRule, chance: float, parent: str) -> dict[str, float]:
    """Return the features of a rule below a constituent of this label."""
    source, target = rule.words, rule.new_words
    kind = rule.kind
    values = {
        f"r|{rule}": 1.0,
        f"kind|{kind}": 1.0,
        f"kind|{kind}|{parent}": 1.0,
        "chance": float(np.log(max(chance, 1e-4))),
        f"size|{kind}|{len(source)}>{len(target)}": 1.0,
        "letters": (sum(map(len, target)) - sum(map(len, source))) / 5.0,
    }
    if kind == "replace":
        values[f"pos|{rule.source[0].label}"] = 1.0
        if {stem_of(word) for word in source} == {stem_of(word) for word in target}:
            values["inflect"] = 1.0
    if kind in ("insert", "reorder"):
        values.update({f"new|{word}": 1.0 for word in target})
    return values
