"""Learns the tree grammar: its rules by counting, its weights by a margin that grows with the loss.

For each source the best derivation when a loss counts against it (hope) and the best when it counts for it (fear) are
searched; the weights move by the smallest step that puts them a loss apart (Crammer et al. 2006; Chiang 2012): the
margin-rescaled objective of Tsochantaridis et al. (2005), one example at a time instead of cutting planes.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from t3_data import Example, Reference
from t3_extract import PairOfTrees

from assay.errors import InputError
from assay.systems.compress._rendering import is_clitic
from assay.systems.compress.tree.chart import TextChart, TextDerivation, WordScores, count_words
from assay.systems.compress.tree.model import (
    LANGUAGE,
    LANGUAGE_SCALE,
    WORD,
    GrammarText,
    TextLoss,
    TreeGrammar,
    deletion_features,
    rule_features,
    step_features,
)
from assay.systems.compress.tree.rules import Pattern, RuleIndex, TreeRule, parse_rule
from assay.text.lexicon.numbers import WORDS as NUMBER_WORDS
from assay.text.lm.trigrams import LanguageModel

START = {LANGUAGE: 2.0, WORD: 1.0, "chance": 0.3}  # weights to begin with
SAVE = 200  # sources after which the weights are saved
MAX_MEMORY = 2_000_000  # log probabilities that are remembered
HOPE = 4.0  # of the loss next to the score where the best reachable derivation is searched


class Counts(NamedTuple):
    """How many sources show each rule, and how often."""

    sources: dict[TreeRule, int]
    times: Counter[TreeRule]


def count_rules(examples: Iterable[Example], strict: bool = False) -> Counts:
    sources: dict[TreeRule, set[str]] = defaultdict(set)
    times: Counter[TreeRule] = Counter()
    for example in examples:
        key = example.analysis.text.lower()
        for reference in example.references:
            for rule in pair_rules(example, reference, strict):
                sources[rule].add(key)
                times[rule] += 1
    return Counts({rule: len(texts) for rule, texts in sources.items()}, times)


def pair_rules(example: Example, reference: Reference, strict: bool = False) -> list[TreeRule]:
    tree = reference.tree if strict else None
    return list(
        PairOfTrees(example.case.tree, example.words, reference.words, reference.links, target_tree=tree).rules()
    )


def names_of(examples: Iterable[Example]) -> set[str]:
    """Words that are names or numbers, by their tag or by a capital inside a sentence, half of the time or more."""
    often: Counter[str] = Counter()
    name: Counter[str] = Counter()
    for example in examples:
        sides = [(example.words, example.tags), *((r.words, r.tags) for r in example.references)]
        for words, tags in sides:
            for k, (word, tag) in enumerate(zip(words, tags, strict=True)):
                often[word.lower()] += 1
                name[word.lower()] += tag in ("PROPN", "NUM") or (k > 0 and word[0].isupper() and word != "I")
    return {word for word, times in often.items() if 2 * name[word] >= times}


def may_pass_on(rule: TreeRule, names: Collection[str]) -> bool:
    """Whether a rule holds no name and no number."""
    words = {*rule.words, *rule.new_words}
    named = {label for pattern in rule.source for label in _labels_of_words(pattern)} & {"PROPN", "NUM"}
    numbers = {w for w in words if w in NUMBER_WORDS or any(c.isdigit() for c in w)}
    return not named and not numbers and not words & set(names)


def can_be_written(rule: TreeRule) -> bool:
    """Whether a rule is read again as it is written: some of one source only hold brackets or lose a variable."""
    try:
        return parse_rule(str(rule)) == rule
    except InputError:
        return False


def is_plain(rule: TreeRule) -> bool:
    """Whether its new words are words and commas: no quotation marks, slashes, colons or ends of sentences."""
    return all(
        word in (",", "&", "%") or (is_clitic(word) and len(word) > 1) or any(c.isalpha() for c in word)
        for word in rule.new_words
    )


def _labels_of_words(pattern: Pattern) -> list[str]:
    own = [pattern.label] if pattern.word else []
    return own + [label for child in pattern.children for label in _labels_of_words(child)]


def chances_of(rules: Sequence[TreeRule], times: Counter[TreeRule], examples: Iterable[Example]) -> tuple[float, ...]:
    """p(target | source side): how often a rule was used, by how often it could have been."""
    index = RuleIndex(rules)
    could: Counter[int] = Counter()
    for example in examples:
        tree, words = example.case.tree, [word.lower() for word in example.words]
        places = [(-1, 0), *((n, k) for n, node in enumerate(tree.nodes) for k in range(len(node.children)))]
        for n, place in places:
            for match in index.match(tree, words, n, place):
                could[match.rule] += len(example.references)
    return tuple(times[rule] / max(times[rule], could[k], 1) for k, rule in enumerate(rules))


def feature_names(examples: Iterable[Example], rules: Sequence[TreeRule], least: int) -> dict[str, int]:
    """Features of deletions and steps that at least so many sources have, and all of the rules."""
    often: Counter[str] = Counter()
    labels: set[str] = set()
    for example in examples:
        tree = example.case.tree
        labels |= {node.label for node in tree.nodes}
        names = {f for n in range(1, len(tree.nodes)) for f in deletion_features(example.case, n)}
        names |= {
            f for n in range(len(tree.nodes)) for b in range(3) for a in (1, 2) for f in step_features(tree, n, b, a)
        }
        often.update(names)
    names = {name for name, times in often.items() if times >= least}
    for rule in rules:
        for label in labels | {""}:
            names |= rule_features(rule, 1.0, label).keys()
    return {name: k for k, name in enumerate([LANGUAGE, WORD, *sorted(names)])}


def loss_of(example: Example, references: Sequence[Reference]) -> TextLoss:
    """The mean loss over references."""
    words = [word.lower() for word in example.words]
    copy = np.zeros(len(words))
    goals: list[list[frozenset[str]]] = [[] for _ in words]
    share: Counter[str] = Counter()
    for reference in references:
        linked: dict[int, set[str]] = defaultdict(set)
        for i, j in reference.links:
            linked[i].add(reference.words[j].lower())
        for i, word in enumerate(words):
            if i in linked:
                goals[i].append(frozenset(linked[i]))
            copy[i] += word not in linked[i]
        share.update({word.lower() for word in reference.words})
    n = len(references)
    return TextLoss(
        tuple((copy / n).tolist()),
        tuple(len(goal) / n for goal in goals),
        {word: times / n for word, times in share.items()},
        tuple(map(tuple, goals)),
        n,
    )


def pair_loss(references: Sequence[Reference], cost: float, sign: float) -> Callable[[str, str], float] | None:
    """A loss on pairs of neighbours: `cost` by the share of references that do not have them next to each other."""
    if not cost:
        return None
    share: Counter[tuple[str, str]] = Counter()
    for reference in references:
        row = ["<s>", *(word.lower() for word in reference.words), "</s>"]
        share.update(set(pairwise(row)))
    n = len(references)
    return lambda a, b: sign * cost * (1 - share[a, b] / n)


def search(
    text: GrammarText,
    weights: np.ndarray,
    language: LanguageModel | None,
    width: int | None,
    *,
    loss: TextLoss | None = None,
    sign: float = 1.0,
    pairs: Callable[[str, str], float] | None = None,
    memory: dict[tuple[int, int, int], float] | None = None,
) -> TextDerivation:
    features = text.grammar.features
    lm, bonus = float(weights[features[LANGUAGE]]), float(weights[features[WORD]])
    words = WordScores(language, lm / LANGUAGE_SCALE, bonus, pairs, memory)
    return TextChart(text.tree, text.tokens, text.scores(weights, loss, sign), words, width).best()[0]


def measure_loss(
    text: GrammarText, derivation: TextDerivation, loss: TextLoss, references: Sequence[Reference], cost: float
) -> float:
    """The loss of a derivation."""
    rules, deletions = text.grammar.index.rules, loss.delete(text.tree)
    total = sum(loss.copy[piece] for piece in derivation.pieces if isinstance(piece, int))
    for step in derivation.steps:
        if step.match is not None:
            total += loss.of_match(step.match, rules[step.match.rule], text.tree)
        elif step.action == 2:
            total += deletions[step.node]
    if pairs := pair_loss(references, cost, 1.0):
        row = ["<s>", *(word.lower() for word in derivation.words(text.tokens)), "</s>"]
        total += sum(pairs(a, b) for a, b in pairwise(row))
    return total


def learn(
    grammar: TreeGrammar,
    examples: Sequence[Example],
    language: LanguageModel | None,
    *,
    epochs: int = 3,
    step: float = 0.02,
    width: int = 6,
    pair_cost: float = 0.25,
    one_reference: bool = False,
    seed: int = 0,
    log: bool = True,
    save: Callable[[TreeGrammar], None] | None = None,
) -> TreeGrammar:
    """The grammar with weights averaged over all steps; `save` is called with it now and then."""
    features = grammar.features
    w = np.zeros(len(features))
    for name, value in START.items():
        if name in features:
            w[features[name]] = value
    total, seen = np.zeros_like(w), 1
    rng = random.Random(seed)
    order = list(range(len(examples)))
    memory: dict[tuple[int, int, int], float] = {}

    def average() -> TreeGrammar:
        about = grammar.about | {"learned_from": min(seen - 1, len(order)), "rounds": max(1, (seen - 1) // len(order))}
        return TreeGrammar(grammar.index, grammar.chances, features, w - total / seen, about)

    for epoch in range(epochs):
        if epoch:  # the first round goes in order, so that the weights after some sources are those of a shorter run
            rng.shuffle(order)
        begin, moved, lost = time.process_time(), 0, 0.0
        for k in order:
            text, references = GrammarText(grammar, examples[k].case, examples[k].words), examples[k].references
            if one_reference:
                references = (rng.choice(references),)
            loss = loss_of(examples[k], references)
            if len(memory) > MAX_MEMORY:
                memory.clear()
            hope, fear = (
                search(
                    text,
                    w,
                    language,
                    width,
                    loss=loss,
                    sign=sign,
                    pairs=pair_loss(references, pair_cost, sign),
                    memory=memory,
                )
                for sign in (-HOPE, 1.0)
            )
            change = difference(text, language, hope, fear)
            gap = float(sum(w[f] * value for f, value in change.items()))
            losses = [measure_loss(text, d, loss, references, pair_cost) for d in (hope, fear)]
            lost += losses[0]
            excess = losses[1] - losses[0] - gap
            norm = sum(value * value for value in change.values())
            if excess > 1e-9 and norm > 0:
                size = min(step, excess / norm)
                for f, value in change.items():
                    w[f] += size * value
                    total[f] += size * value * seen
                w[features[LANGUAGE]] = max(w[features[LANGUAGE]], 0.1)
                moved += 1
            seen += 1
            if save is not None and seen % SAVE == 1:
                save(average())
        if log:
            print(
                f"epoch {epoch}: {moved} of {len(order)} moved, loss of hope {lost / len(order):.3f}, "
                f"{time.process_time() - begin:.0f} s CPU",
                file=sys.stderr,
            )
    return average()


def difference(
    text: GrammarText, language: LanguageModel | None, hope: TextDerivation, fear: TextDerivation
) -> dict[int, float]:
    values: dict[int, float] = defaultdict(float)
    for derivation, sign in ((hope, 1.0), (fear, -1.0)):
        words = derivation.words(text.tokens)
        log_prob = float(language.log_prob(words).sum()) if language is not None else 0.0
        counts = text.features(derivation, log_prob, count_words(derivation.pieces, text.tokens))
        for f, value in counts.items():
            values[f] += sign * value
    return {f: value for f, value in values.items() if value}
