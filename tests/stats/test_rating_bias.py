"""Biases of an assessor: against least squares and instruments written out, and planted ones in simulations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats import length_slope, level_bias, position_effect, self_preference, spread_ratio


def draw_ratings(seed: int = 0, systems: int = 4, items: int = 60):
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, size=(systems, items))
    lengths = np.exp(3 + 0.3 * quality + rng.normal(0, 0.3, size=quality.shape))
    people = quality + rng.normal(0, 0.8, size=(3, systems, items))
    judge = 0.8 * quality + 0.5 * np.log(lengths) + rng.normal(0, 0.3, size=quality.shape)
    return judge, people, lengths


def centre(x):
    return (x - x.mean(axis=-1, keepdims=True)).reshape(*x.shape[:-2], -1)


def test_the_uncorrected_slope_is_least_squares():
    judge, people, lengths = draw_ratings()
    y, x = centre(judge), np.stack([centre(people.mean(axis=0)), centre(np.log(lengths))], axis=1)
    expected = np.linalg.lstsq(x, y, rcond=None)[0][1]
    assert length_slope(judge, people, lengths).uncorrected.value == pytest.approx(expected)


def test_the_corrected_slope_is_that_of_instruments():
    """One person stands for another: every pair of different raters stacked, two-stage least squares."""
    judge, people, lengths = draw_ratings()
    y, log, raters = centre(judge), centre(np.log(lengths)), centre(people)
    left, right = np.zeros((2, 2)), np.zeros(2)
    for r in range(3):
        for s in range(3):
            if r != s:
                z, x = np.stack([raters[s], log], axis=1), np.stack([raters[r], log], axis=1)
                left += z.T @ x
                right += z.T @ y
    expected = np.linalg.solve(left, right)[1]
    assert length_slope(judge, people, lengths).corrected.value == pytest.approx(expected)


def test_the_correction_matters_where_people_are_noisy():
    slopes = [length_slope(*draw_ratings(seed)) for seed in range(30)]
    assert np.mean([s.corrected.value for s in slopes]) == pytest.approx(0.5, abs=0.03)
    assert np.mean([s.uncorrected.value for s in slopes]) > 0.53


def test_one_person_has_no_corrected_slope():
    judge, people, lengths = draw_ratings()
    slope = length_slope(judge, people[:1], lengths)
    assert np.isnan(slope.corrected.value)
    assert slope.uncorrected.low < slope.uncorrected.high


def test_level_and_self_preference_are_means_over_items():
    judge, people, _ = draw_ratings()
    gap = judge - people.mean(axis=0)
    level = level_bias(judge, people)
    assert level.value == pytest.approx(gap.mean())
    half = (level.high - level.low) / 2
    assert half == pytest.approx(2.000995 * gap.mean(axis=0).std(ddof=1) / np.sqrt(60), rel=1e-5)  # t(59)
    own = np.array([True, False, False, True])
    assert self_preference(judge, people, own).value == pytest.approx(gap[own].mean() - gap[~own].mean())


def test_missing_ratings_do_not_count():
    judge, people, _ = draw_ratings()
    judge[0, 3] = people[1, 2, 5] = np.nan
    gap = judge - np.nanmean(people, axis=0)
    assert level_bias(judge, people).value == pytest.approx(np.nanmean(gap, axis=0).mean())


def test_spread_is_a_ratio_of_standard_deviations():
    judge, people, _ = draw_ratings()
    result = spread_ratio(judge, people)
    assert result.value == pytest.approx(judge.std() / np.sqrt(people.var(axis=(1, 2)).mean()))
    assert result.low < result.value < result.high
    assert np.isnan(spread_ratio(np.full_like(judge, 3.0), people).low)


def test_position_counts_by_item():
    effect = position_effect([1, 1, 1, 0, 0.5, 0.5], ["a", "a", "b", "b", "c", "c"])
    assert (effect.value, effect.n) == (pytest.approx(1 / 6), 3)
    assert np.isnan(position_effect([1.0, 0.0], ["a", "a"]).low)


def test_shapes_are_checked():
    judge, people, _ = draw_ratings()
    with pytest.raises(InputError, match="raters x systems x items"):
        level_bias(judge, people[:, :2])
    with pytest.raises(InputError, match="each of the 4 systems"):
        self_preference(judge, people, [True])
    with pytest.raises(InputError, match="needs its item"):
        position_effect([1.0], [1, 2])


@pytest.mark.slow
@pytest.mark.parametrize("planted", [True, False])
@pytest.mark.parametrize(("bias", "size"), [("length", 0.5), ("self-preference", 0.3), ("position", 0.1)])
def test_a_planted_bias_is_recovered(shared_file, monkeypatch, bias, size, planted):
    """In 93 to 97 % of 1,000 simulations in which people have SummEval's noise."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "reproduce"))
    from summeval_judges import recover

    folder = shared_file("summeval-llm-judges.jsonl.gz").parent
    assert 0.93 <= recover(folder, bias, size if planted else 0.0, 1000).held <= 0.97
