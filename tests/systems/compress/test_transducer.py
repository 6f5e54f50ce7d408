"""The transducer's chart against every derivation there is, and the system as it is used."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from random_trees import drawn

from assay.systems.compress import compress
from assay.systems.compress._constituents import ConstituentTree
from assay.systems.compress._transducer import DELETE, ENTER, KEEP, DerivationChart


def derivations(tree: ConstituentTree, n: int) -> list[dict[int, int]]:
    """Every derivation below a node."""
    found = [{n: DELETE}, {n: KEEP}]
    if tree.nodes[n].children:
        below = product(*(derivations(tree, c) for c in tree.nodes[n].children))
        found += [{n: ENTER} | {k: v for part in parts for k, v in part.items()} for parts in below]
    return found


def value(tree: ConstituentTree, actions: dict[int, int], local: np.ndarray, steps: np.ndarray) -> float:
    """Eq. 1, summed."""
    total = local[actions[0], 0] + steps[3, actions[0], 0]
    for n, act in actions.items():
        if act == ENTER:
            before = 3
            for child in tree.nodes[n].children:
                total += local[actions[child], child] + steps[before, actions[child], child]
                before = actions[child]
    return float(total)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_of_every_length_is_found(seed):
    rng = np.random.default_rng(seed)
    tree = drawn(2 + seed % 4, seed)
    local, steps = rng.normal(size=(3, len(tree.nodes))), rng.normal(size=(4, 3, len(tree.nodes)))
    sizes = rng.integers(0, 3, size=len(tree.leaves)).tolist()
    best: dict[int, float] = {}
    for actions in derivations(tree, 0):
        if actions[0] == DELETE:
            continue
        kept = [i for n, act in actions.items() if act == KEEP for i in range(tree.nodes[n].start, tree.nodes[n].end)]
        length = sum(sizes[i] for i in kept)
        best[length] = max(best.get(length, -np.inf), value(tree, actions, local, steps))
    chart = DerivationChart(tree, local, steps, sizes)
    found = chart.by_length()
    assert {k: v for k, v in enumerate(found) if v > -np.inf} == pytest.approx(best)
    for length, score in best.items():
        made = chart.derivation(length)
        assert made.score == pytest.approx(score)
        assert value(tree, made.actions, local, steps) == pytest.approx(score)
        assert sum(sizes[i] for i in made.kept_tokens(tree)) == length
    short = DerivationChart(tree, local, steps, sizes, longest=1).by_length()
    assert short == pytest.approx(found[: len(short)])


TEXTS = [
    "Police have released the name of the woman who was killed outside her home in Santa Paula, officials said.",
    "As you said, the president has just left for a busy three days of speeches in Nevada, California and New Mexico.",
]


@pytest.mark.parametrize("system", ["transducer", "decision-tree"])
def test_budgets(system):
    for made in compress(TEXTS, system, words=7):
        assert 5 <= made.words <= 7
        assert not made.notes
    for made in compress(TEXTS, system, chars=40):
        assert 20 <= len(made.text) <= 40
    for made in compress(TEXTS, system, ratio=1.0):
        assert made.word_rate > 0.8
    for made in compress(TEXTS, system, words=1):
        assert made.words == 1


@pytest.mark.parametrize("system", ["transducer", "decision-tree"])
def test_odd_texts(system):
    texts = ["", "   ", "Hello", "...", "( )", "no verb here", "!!! ???", "a\nb\nc", "the cat saw the dog and " * 80]
    for text, made in zip(texts, compress(texts, system), strict=True):
        assert made.source == text
        assert bool(made.text.strip()) == bool(text.strip())
        assert made.kept_tokens == tuple(sorted(set(made.kept_tokens)))
    assert compress(["Hello"], system)[0].text == "Hello"


def test_the_language_model_has_a_say():
    plain = compress(TEXTS, "transducer(lm=0)", words=8)
    strong = compress(TEXTS, "transducer(lm=5)", words=8)
    assert [c.text for c in plain] != [c.text for c in strong]
