"""Correlation with people."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from made import noisy, people, scores, shuffled
from scipy import stats as scipy_stats

from assay import score
from assay.data.scores import Scores
from assay.errors import AlignmentError, InputError, UndefinedWarning
from assay.meta import correlate, item_correlations

HUMAN = people()
METRIC = noisy(HUMAN, 1.0)
BY_HAND = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr, "kendall": scipy_stats.kendalltau}


@pytest.mark.parametrize("method", BY_HAND)
def test_levels_are_the_plain_loops(method):
    h, m, of = HUMAN.values, METRIC.values, BY_HAND[method]
    plain = {
        "system": of(h.mean(1), m.mean(1))[0],
        "item": np.mean([of(h[:, j], m[:, j])[0] for j in range(h.shape[1])]),
        "per-system": np.mean([of(h[i], m[i])[0] for i in range(h.shape[0])]),
        "pooled": of(h.ravel(), m.ravel())[0],
    }
    for level, value in plain.items():
        assert correlate(METRIC, HUMAN, level=level, method=method, interval=None).value == pytest.approx(value)
    assert correlate(METRIC, HUMAN, level="summary", interval=None).level == "item"


def test_matched_by_id():
    assert correlate(METRIC, shuffled(HUMAN)) == correlate(METRIC, HUMAN)


def test_the_result_carries_what_is_needed_to_get_it_again():
    found = correlate(METRIC, HUMAN, interval="bootstrap", seed=3, resamples=200)
    assert (found.seed, found.resamples, found.n, found.over) == (3, 200, 12, "both")
    found = correlate(METRIC, HUMAN)
    assert (found.seed, found.resamples, found.interval, found.over) == (None, 0, "jackknife", "systems")
    assert found.low < found.value < found.high
    drawn = [correlate(METRIC, HUMAN, interval="bootstrap", seed=seed, resamples=200) for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2]
    with pytest.raises(TypeError):
        iter(found)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.value = 1.0


def test_fisher():
    found = correlate(METRIC, HUMAN, interval="fisher")
    low, high = scipy_stats.pearsonr(HUMAN.values.mean(1), METRIC.values.mean(1)).confidence_interval()
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    with pytest.raises(InputError, match="at item level many are averaged: use bootstrap"):
        correlate(METRIC, HUMAN, level="item", interval="fisher")
    with pytest.raises(InputError, match="interval must be"):
        correlate(METRIC, HUMAN, interval="exact")


def test_lower_is_better_turns_the_sign():
    turned = scores(-METRIC.values, "rate", higher_is_better=False)
    found = correlate(turned, HUMAN)
    assert found.value == pytest.approx(correlate(METRIC, HUMAN).value)
    assert "Lower is better" in str(found)


def test_corpus_scores_at_system_level():
    corpus = np.random.default_rng(2).normal(size=12)
    metric = scores(METRIC.values, corpus=corpus)
    found = correlate(metric, HUMAN)
    assert found.value == pytest.approx(scipy_stats.pearsonr(HUMAN.values.mean(1), corpus)[0])
    assert (found.corpus, found.over) == (True, "systems")
    assert not correlate(metric, HUMAN, level="item").corpus


def test_leaving_people_out():
    kept = [s for s in HUMAN.systems if s not in ("s3", "s4")]
    assert correlate(METRIC, HUMAN, without=("s3", "s4")) == correlate(METRIC, HUMAN, systems=kept)


@pytest.mark.parametrize(
    "values", [np.ones((12, 30)), np.full((12, 30), np.nan)], ids=["constant scores", "all missing"]
)
def test_undefined_is_nan_with_a_reason(values):
    with pytest.warns(UndefinedWarning, match="no group of at least 3 points without a constant side"):
        found = correlate(scores(values), HUMAN)
    assert np.isnan([found.value, found.low, found.high]).all()
    assert "no pearson correlation" in found.view().headline


def test_two_systems_are_too_few():
    with pytest.warns(UndefinedWarning, match="3 points"):
        assert np.isnan(correlate(METRIC, HUMAN, systems=["s0", "s1"]).value)


def test_an_all_missing_column_is_skipped():
    values = METRIC.values.copy()
    values[:, 4] = np.nan
    found = correlate(scores(values), HUMAN, level="item", interval=None)
    assert (found.groups, found.skipped) == (29, 1)


def test_ids_that_do_not_match():
    with pytest.raises(AlignmentError, match="no item in common"):
        correlate(scores(METRIC.values, items=[f"x{k}" for k in range(30)]), HUMAN)


def test_correlations_by_item():
    found = item_correlations(METRIC, shuffled(HUMAN))
    assert found["i7"] == pytest.approx(scipy_stats.pearsonr(HUMAN.values[:, 7], METRIC.values[:, 7])[0])
    with pytest.raises(InputError, match="level must be item or per-system"):
        item_correlations(METRIC, HUMAN, level="system")


def make_scores(values, name, **options):
    systems, items = (tuple(map(str, range(n))) for n in values.shape)
    return Scores(values, systems, items, name, **options)


def test_the_sentence_names_the_items_that_were_left_out():
    rng = np.random.default_rng(19)
    h = rng.normal(size=(6, 40))
    h[2:, ::2] = np.nan
    metric = make_scores(h + rng.normal(size=h.shape), "m")
    text = correlate(metric, make_scores(h, "human"), level="item", resamples=20).view().headline
    assert "averaged over 20 items with up to 6 systems (20 items left out: fewer than 3 systems" in text
    tau = correlate(metric, make_scores(h, "human"), level="item", method="kendall", resamples=20)
    assert "averaged over 40 items with up to 6 systems." in tau.view().headline
    assert (tau.groups, tau.skipped, tau.fewest) == (40, 0, 2)


def test_a_low_best_scale_turns_the_sign_and_a_wrong_one_is_warned_of():
    rng = np.random.default_rng(2)
    quality = rng.normal(size=(12, 30)) + np.arange(12)[:, None]
    metrics = {"m": make_scores(quality, "m"), "n": make_scores(quality + rng.normal(size=quality.shape), "n")}
    rank = -quality
    right = correlate(metrics, make_scores(rank, "grade", higher_is_better=False), resamples=20)
    assert right["m"].value == pytest.approx(1.0)
    assert len(right.view().sentences) == 1
    wrong = correlate(metrics, make_scores(rank, "grade"), resamples=20)
    assert wrong.view().sentences[1].startswith("Warning: grade correlates negatively with all 2 metrics.")
    assert "--lower-is-better grade" in wrong.view().sentences[1]
    unknown = correlate(metrics, make_scores(rank, "rank", undirected=True), resamples=20)
    assert unknown.undirected == ("rank",)
    assert unknown.view().headline.startswith("Is a low or a high rank better?")


def test_half_of_summeval_judged_on_two_systems(shared):
    """The figures of docs/defaults.md, section 19."""
    data = shared("summeval.jsonl.gz")
    human, metric = data.human("relevance"), score(data, "rouge2")
    values = human.values.copy()
    values[2:, ::2] = np.nan
    judged = dataclasses.replace(human, values=values)
    tau = correlate(metric, judged, level="item", method="kendall", interval=None)
    assert (round(tau.value, 3), tau.groups, tau.skipped) == (0.018, 97, 3)
    others = [s.select(items=human.items[1::2]) for s in (metric, human)]
    many = correlate(*others, level="item", method="kendall", interval=None)
    assert (round(many.value, 3), many.groups) == (0.095, 50)
    text = correlate(metric, judged, level="item", interval=None).view().headline
    assert "50 items left out: fewer than 3 systems or all scores equal" in text
