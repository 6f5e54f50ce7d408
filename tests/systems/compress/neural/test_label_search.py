"""The beam against all labellings of short sentences, with a model that remembers every label."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.systems.compress.neural.label_search import DELETE, FREE, KEEP, NEEDS, NONE, SAME, LabelSearch


class Table:
    """Log p of a label after all labels before it, at random: nothing can be recombined."""

    def __init__(self, length: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.table = {
            labels: np.log(rng.dirichlet([0.7, 0.7])) for n in range(length) for labels in product((0, 1), repeat=n)
        }
        self.paths: list[tuple[int, ...]] = []

    def begin(self, count):
        self.paths = [()] * count

    def advance(self, t, parents, labels):
        self.paths = [
            self.paths[k] if last == NONE else (*self.paths[k], int(last))
            for k, last in zip(parents, labels, strict=True)
        ]
        return np.array([self.table[path] for path in self.paths])

    def log_p(self, labels):
        return sum(self.table[labels[:i]][label] for i, label in enumerate(labels))


def is_allowed(labels, ties):
    for before, label, tie in zip(labels, labels[1:], ties[1:], strict=False):
        if (tie != FREE and label == KEEP and before == DELETE) or (tie == SAME and label != before):
            return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_a_beam_of_full_width_finds_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    length = 7
    reader, costs = Table(length, seed), rng.integers(0, 3, length)
    ties = [FREE, *rng.choice([FREE, FREE, NEEDS, SAME], length - 1)]
    for i, tie in enumerate(ties):
        if tie == SAME:
            costs[i] = 0
    for size in range(int(costs.sum()) + 1):
        labels = tuple(LabelSearch(reader, costs, ties).best(size, size, 8 * 2**length))
        options = [
            y for y in product((0, 1), repeat=length) if is_allowed(y, ties) and sum(costs[np.array(y) == 1]) == size
        ]
        if options:
            assert reader.log_p(labels) == pytest.approx(max(map(reader.log_p, options)))
        assert is_allowed(labels, ties)
        assert sum(costs[np.array(labels) == 1]) <= size


def test_a_narrow_beam_keeps_to_the_length():
    for seed in range(20):
        reader = Table(8, seed)
        for low, high in ((3, 3), (0, 8), (6, 7)):
            labels = LabelSearch(reader, [1] * 8).best(low, high, 2)
            assert low <= sum(labels) <= high


def test_length_is_not_filled_up_at_the_end():
    """A model that would keep nothing: the words it would delete least are kept, not all that are left in the end."""

    class Reluctant:
        def begin(self, count):
            self.count = count

        def advance(self, t, parents, labels):
            p = 0.01 * (10 - t)
            return np.log(np.tile([1 - p, p], (len(parents), 1)))

    assert LabelSearch(Reluctant(), [1] * 10).best(3, 3, 8) == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]


def test_no_words():
    assert LabelSearch(Table(1, 0), []).best(0, 0, 3) == []
