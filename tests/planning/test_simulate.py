"""Simulated studies: power as computed, designs as asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.errors import InputError, UnknownName
from assay.planning.components import read_study
from assay.planning.simulate import _assign, _count, simulate_study
from assay.stats.rating_contrasts import ContrastDesign, contrast_power

COHERENCE = read_study("summeval-expert", "coherence")


def test_power_is_that_of_the_noncentral_t():
    result = simulate_study(COHERENCE, difference=0.6, items=40, raters=8, systems=3, ordinal=False, simulations=600)
    expected = float(contrast_power(0.6, COHERENCE.parts, ContrastDesign(3, 40, 8, 8)))
    assert result.power == pytest.approx(expected, abs=4 * result.error)
    assert result.power_any >= 0
    assert result.false < 0.1


def test_without_a_difference_nothing_is_found():
    result = simulate_study(COHERENCE, difference=0.0, items=30, raters=8, systems=3, simulations=300)
    assert result.power < 0.06  # one side of a test at .05


def test_a_scale_that_is_exhausted_finds_less():
    """Ratings at the top of a scale cannot show a difference there."""
    top = replace(COHERENCE, shares=(0.01, 0.01, 0.01, 0.02, 0.95))
    full, flat = (
        simulate_study(c, difference=0.5, items=40, raters=8, simulations=150).power for c in (COHERENCE, top)
    )
    assert flat < full


@pytest.mark.parametrize("assignment", ["random", "latin-square"])
def test_who_sees_what(assignment):
    mask = _assign(np.random.default_rng(0), 3, 12, 6, 2, assignment)
    assert (mask.sum(axis=2) == 2).all()  # every output is judged twice
    if assignment == "latin-square":
        assert (mask.sum(axis=0) <= 1).all()  # no one sees two outputs of an item


def test_a_latin_square_and_rankings_run():
    square = simulate_study(
        COHERENCE, difference=1.0, items=30, raters=9, per_output=1, assignment="latin-square", simulations=40
    )
    assert 0 <= square.power <= 1
    ranked = simulate_study(
        COHERENCE, difference=1.0, items=30, raters=8, systems=4, judgment="ranking", simulations=60
    )
    assert ranked.power > 0.5


def test_preferences_are_found_less_often_than_ratings():
    """A preference keeps only the order of two; with two systems it is their ranking."""
    options = {"difference": 0.5, "items": 40, "raters": 8, "simulations": 150}
    rated, preferred = (simulate_study(COHERENCE, judgment=j, **options).power for j in ("rating", "preference"))
    ranked = simulate_study(COHERENCE, judgment="ranking", **options).power
    assert preferred == pytest.approx(ranked, abs=0.1)
    assert 0.05 < preferred <= rated + 0.05
    equal = simulate_study(COHERENCE, judgment="preference", **(options | {"difference": 0.0, "systems": 3}))
    assert equal.power < 0.08


def test_a_preference_shows_two_outputs():
    from assay.planning.simulate import _prefer

    table = np.random.default_rng(0).normal(size=(4, 5, 6))
    wins, pair = _prefer(np.random.default_rng(1), table, None)
    assert (pair.sum(axis=0) == 2).all()
    assert (np.where(pair, wins, 0).sum(axis=0) == 1).all()
    assert (table[pair & (wins == 1)].mean()) > table[pair & (wins == 0)].mean()


def test_the_same_seed_gives_the_same_answer():
    first, second = (simulate_study(COHERENCE, difference=0.5, items=20, raters=4, simulations=50) for _ in range(2))
    assert first == second


def test_bad_requests():
    with pytest.raises(UnknownName, match="unknown assignment 'square'"):
        simulate_study(COHERENCE, difference=0.5, items=10, raters=3, assignment="square")
    with pytest.raises(InputError, match=r"see several outputs of an item; a Latin square shows them one"):
        simulate_study(COHERENCE, difference=0.5, items=9, raters=3, assignment="latin-square", judgment="ranking")
    with pytest.raises(InputError, match="needs two systems"):
        simulate_study(COHERENCE, difference=0.5, items=1, raters=3)


def test_what_counts_as_found_by_hand():
    """Three systems: the first against the others, then the others, which are equal in truth."""
    difference = np.array([[0.0, 0.4, 0.3], [-0.4, 0.0, 0.1], [-0.3, -0.1, 0.0]])
    p = np.array([[1.0, 0.02, 0.2], [0.02, 1.0, 0.2], [0.2, 0.2, 1.0]])
    assert _count(difference, p, 0.05).tolist() == [1.0, 0.0, 0.0]  # Holm: 3 x 0.02 is too large
    p[0, 1] = p[1, 0] = 0.01
    assert _count(difference, p, 0.05).tolist() == [1.0, 1.0, 0.0]
    assert _count(-difference, p, 0.05).tolist() == [0.0, 0.0, 0.0]  # found worse is not found better
    p[1, 2] = p[2, 1] = 0.01
    assert _count(difference, p, 0.05)[2] == 1.0
    two = slice(0, 2)
    assert _count(difference[two, two], p[two, two], 0.05).tolist() == [1.0, 1.0, 0.0]
    assert _count(difference[two, two], np.full((2, 2), 0.05), 0.05).tolist() == [0.0, 0.0, 0.0]
