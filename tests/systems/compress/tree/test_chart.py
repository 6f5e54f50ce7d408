"""The chart of the tree grammar against every derivation there is, with a language model, rules and lengths."""

from __future__ import annotations

import random
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from random_trees import drawn

from assay.systems.compress.tree.chart import DELETE, FIRST, KEEP, LocalScores, TextChart, WordScores
from assay.systems.compress.tree.constituents import ConstituentTree
from assay.systems.compress.tree.rules import Match
from assay.text.lm.trigrams import LanguageModel, train

WORDS = ["a", "b", "c", "d", "e"]


@pytest.fixture(scope="module")
def language() -> LanguageModel:
    rng = random.Random(5)
    lines = [" ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 7))) for _ in range(60)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return train(lines, tokenizer="space")


def draw_scores(tree: ConstituentTree, seed: int) -> LocalScores:
    """Scores at random, and rules that fit at random places: new words, variables in any order, deletions."""
    rng = random.Random(seed)
    normal = np.random.default_rng(seed)
    rules = {}
    for n, node in enumerate(tree.nodes):
        for place in range(len(node.children)):
            if rng.random() < 0.4:
                width = rng.randrange(1, min(3, len(node.children) - place) + 1)
                children = list(node.children[place : place + width])
                rng.shuffle(children)
                variables = tuple(children[: rng.randrange(0, len(children) + 1)])
                target = [*range(len(variables)), *rng.sample(WORDS, rng.randrange(0 if variables else 1, 3))]
                rng.shuffle(target)
                match = Match(0, variables, tuple(children[len(variables) :]), (), width)
                rules[n, place] = [(match, tuple(target), rng.gauss(0, 1))]
    leaves = len(tree.leaves)
    return LocalScores(
        normal.normal(size=len(tree.nodes)).tolist(),
        normal.normal(size=leaves).tolist(),
        normal.normal(size=(3, 2, len(tree.nodes))),
        rules,
    )


def all_texts(tree: ConstituentTree, local: LocalScores, n: int) -> list[tuple[float, tuple[int | str, ...]]]:
    """Every text for a constituent, with what its derivation scores before the words meet; empty ones aside."""
    node = tree.nodes[n]
    if not node.children:
        return [(local.copy[node.start], (node.start,))]
    return [(value, pieces) for value, pieces in _all_rows(tree, local, n, 0, FIRST) if pieces]


def _all_rows(tree, local, n, place, before):
    children = tree.nodes[n].children
    if place == len(children):
        return [(0.0, ())]
    child, results = children[place], []
    delete = local.step[before, 1, child] + local.delete[child]
    results += [(delete + v, p) for v, p in _all_rows(tree, local, n, place + 1, DELETE)]
    rest = _all_rows(tree, local, n, place + 1, KEEP)
    keep = local.step[before, 0, child]
    results += [(keep + v + w, p + q) for v, p in all_texts(tree, local, child) for w, q in rest]
    for match, target, score in local.rules.get((n, place), ()):
        texts = [(0.0, ())]
        for part in target:
            own = [(0.0, (part,))] if isinstance(part, str) else all_texts(tree, local, match.variables[part])
            texts = [(v + w, p + q) for v, p in texts for w, q in own]
        rest = _all_rows(tree, local, n, place + match.width, KEEP)
        results += [(keep + score + v + w, p + q) for v, p in texts for w, q in rest]
    return results


def pair_cost(a: str, b: str) -> float:
    return 0.7 if a < b else 0.0


def best_texts(tree, tokens, local, language, sizes) -> dict[int, float]:
    """The best score of each length, by looking at every derivation."""
    best: dict[int, float] = {}
    for value, pieces in all_texts(tree, local, 0):
        words = [tokens[p] if isinstance(p, int) else p for p in pieces]
        row = ["<s>", *words, "</s>"]
        value += local.step[FIRST, 0, 0] + 0.8 * float(language.log_prob(words).sum()) + 0.3 * len(words)
        value += sum(pair_cost(a, b) for a, b in pairwise(row))
        size = sum(sizes[p] if isinstance(p, int) else 2 for p in pieces)
        best[size] = max(best.get(size, -np.inf), value)
    return best


@pytest.mark.parametrize("seed", range(12))
def test_the_search_is_exact_without_a_width_and_with_a_large_one(language, seed):
    rng = random.Random(seed)
    tree = drawn(2 + seed % 4, seed)
    tokens = [rng.choice(WORDS) for _ in tree.leaves]
    sizes = [rng.randrange(0, 3) for _ in tree.leaves]
    local = draw_scores(tree, seed)
    best = best_texts(tree, tokens, local, language, sizes)
    for width in (None, 10**6):
        words = WordScores(language, 0.8, 0.3, pair_cost)
        chart = TextChart(tree, tokens, local, words, width)
        assert chart.best()[0].score == pytest.approx(max(best.values()))
        longest = sum(sizes) + 4
        chart = TextChart(tree, tokens, local, words, width, longest=longest, sizes=sizes, size=lambda word: 2)
        assert {size: chart.of_size(size)[0].score for size in chart.top} == pytest.approx(
            {size: value for size, value in best.items() if size <= longest}
        )


@pytest.mark.parametrize("seed", range(6))
def test_a_narrow_search_finds_a_true_derivation(language, seed):
    """What is found is a derivation with the score that it claims, never above the best."""
    tree = drawn(5, seed)
    rng = random.Random(seed)
    tokens = [rng.choice(WORDS) for _ in tree.leaves]
    local = draw_scores(tree, seed)
    best = max(best_texts(tree, tokens, local, language, [0] * len(tokens)).values())
    for width in (1, 3):
        [derivation] = TextChart(tree, tokens, local, WordScores(language, 0.8, 0.3, pair_cost), width).best()
        assert derivation.score <= best + 1e-9
        words = derivation.words(tokens)
        value = 0.8 * float(language.log_prob(words).sum()) + 0.3 * len(words)
        value += sum(pair_cost(a, b) for a, b in pairwise(["<s>", *words, "</s>"]))
        value += sum(local.copy[p] for p in derivation.pieces if isinstance(p, int))
        scores = {match: score for rules in local.rules.values() for match, _, score in rules}
        for step in derivation.steps:
            value += local.step[step.before, step.action - 1, step.node]
            value += scores[step.match] if step.match else local.delete[step.node] if step.action == DELETE else 0.0
        assert derivation.score == pytest.approx(value)
