"""Inclusion probabilities and draws: sums, floors, and frequencies that are the probabilities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.stats.label_sampling import draw_systematic, inclusion_probabilities


@given(
    size=st.lists(st.floats(0, 1e6), min_size=1, max_size=40),
    share=st.floats(0.01, 1),
    floor=st.sampled_from([0.2, 0.5, 1]),
)
def test_probabilities_sum_to_n_and_keep_their_floor(size, share, floor):
    n = max(1, int(share * len(size)))
    p = inclusion_probabilities(size, n, floor=floor)
    assert p.sum() == pytest.approx(n)
    assert (p <= 1 + 1e-12).all()
    assert (p >= floor * n / len(size) - 1e-12).all()


def test_larger_items_are_drawn_more_often_and_the_largest_for_certain():
    p = inclusion_probabilities([1, 2, 100], 2)
    assert p[0] < p[1] < p[2] == 1
    assert inclusion_probabilities([0, 0, 0, 0], 2).tolist() == [0.5] * 4


def test_frequencies_are_the_probabilities():
    p = inclusion_probabilities(np.arange(1, 13) ** 2, 4)
    draws = np.array([draw_systematic(p, seed) for seed in range(4000)])
    assert (draws.sum(axis=1) == 4).all()
    assert draws.mean(axis=0) == pytest.approx(p, abs=4 * 0.5 / np.sqrt(4000))


def test_refusals():
    with pytest.raises(InputError, match="5 items cannot be drawn from 2"):
        inclusion_probabilities([1, 1], 5)
    with pytest.raises(InputError, match="sizes must be numbers of at least 0"):
        inclusion_probabilities([1, -1], 1)
    with pytest.raises(InputError, match="floor must lie between 0 and 1"):
        inclusion_probabilities([1, 1], 1, floor=2)
    with pytest.raises(InputError, match="probabilities must lie between 0 and 1"):
        draw_systematic([0.5, 1.5])


@pytest.mark.slow
@pytest.mark.parametrize("dimension", ["coherence", "consistency"])
def test_estimates_from_drawn_items_are_unbiased(shared_file, monkeypatch, dimension):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "reproduce"))
    from summeval_judges import draw_and_estimate

    folder = shared_file("summeval-llm-judges.jsonl.gz").parent
    result = draw_and_estimate(folder, dimension, "gpt-4o", 40, 2000)
    assert abs(result.bias) < 0.005
    assert abs(result.picked) > 5 * abs(result.bias)
