"""The genetic search: its operators, its limits, and that it finds what exhaustive search finds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from assay.errors import InputError
from assay.systems.summarize.genetic import GenerationShares, _Search, evolve


def world(seed: int = 0, n: int = 14):
    """Sentence lengths, and a fitness that is no sum over sentences: concepts covered, less a little for length."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, 12, n)
    holds = rng.random((n, 30)) < 0.2
    worth = rng.random(30)

    def value(summary):
        return float(worth @ holds[list(summary)].any(axis=0)) - 0.001 * lengths[list(summary)].sum()

    return lengths, lambda many: np.array([value(s) for s in many]), value


def best_by_hand(lengths, value, limit):
    sets = (s for k in range(1, len(lengths) + 1) for s in combinations(range(len(lengths)), k))
    return max(value(s) for s in sets if lengths[list(s)].sum() <= limit)


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_what_exhaustive_search_finds(seed):
    lengths, fitness, value = world(seed)
    found = evolve(lengths, fitness, limit=30, generations=60, patience=60, seed=seed)
    best = best_by_hand(lengths, value, 30)
    assert found.fitness[0] <= best + 1e-12
    assert found.fitness[0] > 0.995 * best


def test_every_summary_fits_and_none_is_there_twice():
    lengths, fitness, _ = world()
    found = evolve(lengths, fitness, limit=25, size=60)
    assert len(found.summaries) == 60 == len(set(found.summaries))
    for summary in found.summaries:
        assert lengths[list(summary)].sum() <= 25
        assert list(summary) == sorted(set(summary))
    assert (np.diff(found.fitness) <= 0).all()


def test_it_ranges_from_random_to_near_the_best():
    lengths, fitness, _ = world(1, 40)
    random = evolve(lengths, fitness, limit=40, generations=1)
    found = evolve(lengths, fitness, limit=40)
    assert found.best[0] == random.fitness[0] < found.fitness[0]
    assert found.fitness[-1] <= np.median(random.fitness)  # the bottom is no better than random
    assert (np.diff(found.best) >= 0).all()  # the fittest survive


def test_children_come_from_their_parents():
    """The released code draws them from the first sentences of the corpus."""
    search = _Search(np.full(100, 5), range(100), 20, np.random.default_rng(0))
    parents = [(90, 91, 92, 93), (96, 97, 98, 99)]
    for _ in range(50):
        child = search.child(parents)
        assert set(child) <= {*parents[0], *parents[1]}
        assert len(child) == 4


def test_a_mutation_swaps_one_sentence_for_a_new_one():
    search = _Search(np.full(10, 5), range(10), 20, np.random.default_rng(0))
    for _ in range(50):
        mutant = search.mutate((1, 3, 5, 7))
        assert len(set(mutant)) == 4
        assert len(set(mutant) & {1, 3, 5, 7}) == 3
    full = _Search(np.full(2, 5), range(2), 20, np.random.default_rng(0))
    assert full.mutate((0, 1)) == (0, 1)  # nothing else to take


def test_the_seed_decides():
    lengths, fitness, _ = world()
    one, same, other = (evolve(lengths, fitness, limit=25, seed=s) for s in (1, 1, 2))
    assert one.summaries == same.summaries
    assert one.summaries != other.summaries


def test_each_summary_is_scored_once():
    lengths, fitness, _ = world()
    seen = []

    def spy(many):
        seen.extend(many)
        return fitness(many)

    found = evolve(lengths, spy, limit=25)
    assert len(seen) == len(set(seen)) == found.scored


def test_few_sentences_and_undefined_fitness():
    found = evolve([5, 5], lambda many: np.full(len(many), np.nan), limit=5, size=10)
    assert set(found.summaries) == {(0,), (1,)}
    assert np.isnan(found.fitness).all()


def test_bad_input():
    with pytest.raises(InputError, match="no sentence fits into 5 words: the shortest has 8"):
        evolve([8, 9], lambda many: np.zeros(len(many)), limit=5)
    with pytest.raises(InputError, match="at least 4"):
        evolve([1], lambda many: np.zeros(len(many)), limit=5, size=3)
    with pytest.raises(InputError, match="mutation must be a share"):
        GenerationShares(mutation=2.0)
