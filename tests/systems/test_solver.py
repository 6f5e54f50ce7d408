"""Integer programs: the best of all by trying all, and what has no solution."""

from __future__ import annotations

from itertools import product
from math import isnan

import numpy as np
import pytest

from assay.systems._solver import INFINITY, Program


def make_program(gain, rows, whole=None):
    n = len(gain)
    program = Program(np.array(gain), n if whole is None else whole, np.zeros(n), np.ones(n))
    for values, low, high in rows:
        program.add(range(n), values, low, high)
    return program


@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_choices(seed):
    rng = np.random.default_rng(seed)
    gain = rng.normal(size=6)
    rows = [(rng.integers(0, 4, 6), 1.0, 6.0), (rng.integers(-2, 3, 6), -2.0, INFINITY)]
    possible = [
        float(gain @ x)
        for x in product((0, 1), repeat=6)
        if all(low <= values @ np.array(x) <= high for values, low, high in rows)
    ]
    solution = make_program(gain, rows).solve(5)
    assert solution.optimal == bool(possible)
    assert solution.value == pytest.approx(max(possible)) if possible else isnan(solution.value)


def test_columns_after_the_whole_ones_may_be_fractions():
    rows = [((2.0, 2.0), 0.0, 1.0)]
    assert make_program([1.0, 1.0], rows).solve(5).value == pytest.approx(0.0)
    assert make_program([1.0, 1.0], rows, whole=1).solve(5).value == pytest.approx(0.5)


def test_rows_that_no_choice_obeys_have_no_solution(capfd):
    solution = make_program([1.0, 1.0], [((1.0, 1.0), 3.0, 4.0)]).solve(5)
    assert solution.values is None
    assert not solution.optimal
    assert capfd.readouterr().out == ""
