"""The search for the least loss: equal to trying all choices."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.systems.compress._least_loss import FORBIDDEN, Need, best_choice


def try_all(parents, values, costs, states, needs, least, most):
    """Return the highest value minus prices, None if no choice is allowed: the plain twin."""
    best = None
    for choice in product((0, 1), repeat=len(parents)):
        kept = np.array(choice, dtype=bool)
        closed = all(not kept[i] or p < 0 or kept[p] for i, p in enumerate(parents))
        fits = least <= costs[kept].sum() <= most and kept[states > 0].all() and not kept[states < 0].any()
        price = sum(n.price for n in needs if kept[n.group] and not kept[n.needed])
        if closed and fits and price < FORBIDDEN:
            best = max(best, values[kept].sum() - price) if best is not None else values[kept].sum() - price
    return best


@pytest.mark.parametrize("seed", range(60))
def test_equals_exhaustive_search(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 10))
    parents = np.array([-1, *(int(random.integers(-1, i)) for i in range(1, n))])
    values, costs = random.normal(size=n), random.integers(1, 4, size=n)
    states = random.choice([-1, 0, 0, 0, 0, 1], size=n)
    prices = [1.0, 4.0, FORBIDDEN]
    needs = [Need(int(g), int(h), prices[random.integers(3)]) for g, h in random.integers(0, n, size=(n, 2)) if g != h]
    least, most = sorted(random.integers(1, int(costs.sum()) + 1, size=2).tolist())
    kept = best_choice(parents, values, costs, states, needs, least, most)
    expected = try_all(parents, values, costs, states, needs, least, most)
    if expected is None:
        assert kept is None
    else:
        assert kept is not None
        price = sum(n.price for n in needs if kept[n.group] and not kept[n.needed])
        assert values[kept].sum() - price == pytest.approx(expected)
