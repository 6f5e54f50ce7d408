"""Corpus scores under resampling: sacreBLEU's p-values, plain twins, and the level of the tests."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.corpus_tests import corpus_test


def share(sums):
    return sums[:, 0] / sums[:, 1]


def draw_rows(seed: int, systems: int, items: int, lead: float = 0.0) -> np.ndarray:
    """Matches and totals: systems whose outputs of an item are alike, the first better by `lead`."""
    rng = np.random.default_rng(seed)
    easy, total = rng.beta(2, 2, items), rng.integers(5, 30, items)
    chance = np.clip(easy + rng.normal(0, 0.1, (systems, items)), 0, 1)
    chance[0] = np.clip(chance[0] + lead, 0, 1)
    return np.stack([rng.binomial(total, chance), np.broadcast_to(total, chance.shape)], axis=2).astype(float)


def test_scores_are_those_of_the_sums():
    rows = draw_rows(1, 3, 40)
    result = corpus_test(rows, share, resamples=50)
    assert result.scores == pytest.approx(share(rows.sum(axis=1)))
    assert result.difference == pytest.approx(result.scores[:, None] - result.scores[None])
    assert (result.low < result.scores).all()
    assert (result.scores < result.high).all()


def bootstrap_plainly(rows, resamples, seed):
    """One draw at a time, with no matrix product."""
    rng = np.random.default_rng(seed)
    n = rows.shape[1]
    differences = []
    for _ in range(resamples):
        chosen = rng.integers(0, n, n)
        first, second = (rows[s, chosen].sum(axis=0) for s in (0, 1))
        differences.append(first[0] / first[1] - second[0] / second[1])
    d = np.array(differences)
    real = rows[0, :, 0].sum() / rows[0, :, 1].sum() - rows[1, :, 0].sum() / rows[1, :, 1].sum()
    folded = np.abs(d) - np.abs(d).mean()
    two_sided = (1 + (np.abs(d - d.mean()) >= abs(real)).sum()) / (resamples + 1)
    return two_sided, (1 + (folded > abs(real)).sum()) / (resamples + 1), d.std(ddof=1)


@pytest.mark.parametrize("lead", [0.0, 0.02, 0.04])
def test_the_bootstrap_agrees_with_a_plain_one(lead):
    rows = draw_rows(2, 2, 120, lead)
    result = corpus_test(rows, share, resamples=4000, seed=3)
    p, sacrebleu, error = bootstrap_plainly(rows, 4000, 4)
    tolerance = 4 * np.sqrt(max(p * (1 - p), 1e-4) * 2 / 4000)  # Monte Carlo error of two runs
    assert result.pvalue[0, 1] == pytest.approx(p, abs=tolerance)
    assert result.sacrebleu[0, 1] == pytest.approx(sacrebleu, abs=tolerance)
    assert result.error[0, 1] == pytest.approx(error, rel=0.1)


@pytest.mark.parametrize("lead", [0.0, 0.03])
def test_randomization_agrees_with_a_plain_one(lead):
    rows = draw_rows(5, 2, 80, lead)
    result = corpus_test(rows, share, test="randomization", resamples=4000, seed=1)
    rng = np.random.default_rng(9)
    real = abs(np.subtract(*share(rows.sum(axis=1))))
    larger = 0
    for _ in range(4000):
        swap = rng.random(80) < 0.5
        first = np.where(swap[:, None], rows[1], rows[0]).sum(axis=0)
        second = np.where(swap[:, None], rows[0], rows[1]).sum(axis=0)
        larger += abs(first[0] / first[1] - second[0] / second[1]) >= real
    p = (1 + larger) / 4001
    assert result.pvalue[0, 1] == pytest.approx(p, abs=4 * np.sqrt(max(p * (1 - p), 1e-4) * 2 / 4000))


def test_identical_systems_do_not_differ():
    rows = draw_rows(6, 1, 30).repeat(2, axis=0)
    for test in ("bootstrap", "randomization"):
        assert corpus_test(rows, share, test=test, resamples=100).pvalue[0, 1] == 1.0


def test_pairs_are_compared_on_the_items_that_both_have():
    rows = draw_rows(7, 3, 50)
    rows[1, :10] = np.nan
    result = corpus_test(rows, share, resamples=200)
    common = rows[:2, 10:].sum(axis=1)
    assert result.difference[0, 1] == pytest.approx(np.subtract(*share(common)))
    assert result.n[0, 1] == 40
    assert result.n[0, 2] == 50


def test_a_system_without_items_is_undefined():
    rows = draw_rows(8, 2, 10)
    rows[1] = np.nan
    with np.errstate(invalid="ignore"):
        result = corpus_test(rows, share, resamples=20)
    assert np.isnan(result.scores[1])
    assert np.isnan(result.pvalue[0, 1])


@pytest.mark.slow
def test_the_default_holds_its_level_and_sacrebleus_does_not():
    """A true null, 4,000 times: two-sided about .05; sacreBLEU's formula about .11."""
    rejected = np.zeros(3)
    for seed in range(4000):
        rows = draw_rows(seed, 2, 150)
        bootstrap = corpus_test(rows, share, resamples=500, seed=seed)
        swapped = corpus_test(rows, share, test="randomization", resamples=500, seed=seed)
        ps = (bootstrap.pvalue[0, 1], swapped.pvalue[0, 1], bootstrap.sacrebleu[0, 1])
        rejected += np.array(ps) <= 0.05
    bootstrap_rate, swapped_rate, sacrebleu_rate = rejected / 4000
    assert 0.035 < bootstrap_rate < 0.065
    assert 0.035 < swapped_rate < 0.065
    assert sacrebleu_rate > 0.09
