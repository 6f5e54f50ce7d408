"""The transducer's chart against every derivation there is."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from random_trees import drawn

from assay.systems.compress.tree.constituents import ConstituentTree
from assay.systems.compress.tree.transducer import DELETE, ENTER, KEEP, DerivationChart


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
