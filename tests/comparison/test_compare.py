"""Which system is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made import scores, shuffled
from scipy import stats as scipy_stats

from assay.comparison.compare import compare, is_better
from assay.data.scores import CorpusStatistics, Scores
from assay.errors import InputError, UnknownName
from assay.stats import corpus_test

RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=(4, 60)) + np.array([[0.0], [0.05], [1.0], [1.1]])
FOUR = scores(VALUES, "rouge2", systems="ABCD")


def test_ranking_intervals_and_groups():
    found = compare(FOUR)
    assert [r.system for r in found.ranking] == sorted("ABCD", key=lambda s: -VALUES["ABCD".index(s)].mean())
    assert {frozenset(g) for g in found.groups} == {frozenset("CD"), frozenset("AB")}
    for row in found.ranking:
        assert row.low < row.mean == row.score < row.high
        assert row.n == 60
    assert "It is not significantly better than" in found.view().headline


def test_matched_by_id():
    again = compare(shuffled(FOUR))
    assert again.groups == compare(FOUR).groups
    assert [r.mean for r in again.ranking] == pytest.approx([r.mean for r in compare(FOUR).ranking])


@pytest.mark.parametrize(("test", "plain"), [("wilcoxon", scipy_stats.wilcoxon), ("t", scipy_stats.ttest_rel)])
def test_p_values_are_those_of_scipy_with_holms_correction(test, plain):
    found = compare(FOUR, test=test)
    pair = found.against[-1]
    p = plain(FOUR.row(pair.better), FOUR.row(pair.worse)).pvalue
    assert pair.pvalue == pytest.approx(p)
    assert pair.pvalue <= pair.adjusted <= min(1.0, 6 * p)
    assert found.tests == 6


def test_permutation_agrees_with_t():
    flip, t = (is_better(FOUR, "A", "C", test=test) for test in ("permutation", "t"))
    assert flip.significant == t.significant
    assert flip.test == "flip"


def test_against_a_baseline():
    found = compare(FOUR, "A")
    assert found.reference == "A"
    assert len(found.against) == 3
    assert all(pair.tests == 3 for pair in found.against)
    assert "significantly better than A" in found.view().headline
    assert "no significant difference between B and A" in found.view().headline
    with pytest.raises(UnknownName, match="baseline system 'Z'"):
        compare(FOUR, "Z")


def test_lower_is_better():
    found = compare(scores(VALUES, "ter", systems="ABCD", higher_is_better=False))
    assert set(found.groups[0]) == {"A", "B"}
    pair = is_better(scores(VALUES, "ter", systems="ABCD", higher_is_better=False), "A", "D")
    assert pair.better == "A"
    assert pair.difference < 0
    assert "Lower is better." in found.view().notes


def test_corpus_scores_without_statistics_are_shown_but_not_tested():
    found = compare(scores(VALUES, "bleu", systems="ABCD", corpus=np.array([4.0, 3.0, 2.0, 1.0])))
    assert found.test == "wilcoxon"
    assert not found.corpus
    assert found.ranking[0].score == pytest.approx(found.ranking[0].mean)
    assert {r.system: r.corpus for r in found.ranking} == {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0}
    assert any("tests are of item scores" in note for note in found.view().notes)


def ratio_scores(values: np.ndarray) -> Scores:
    """Scores whose corpus score is a quotient of sums: long items weigh more than short ones."""
    lengths = np.broadcast_to(np.arange(1.0, values.shape[1] + 1), values.shape)
    statistics = CorpusStatistics(np.stack([values * lengths, lengths], axis=2), lambda s: s[:, 0] / s[:, 1])
    return replace(scores(values, "bleu", systems="ABCD"), corpus=statistics.scores(), statistics=statistics)


def test_corpus_scores_are_ranked_and_tested_as_such():
    given = ratio_scores(VALUES)
    found = compare(given)
    assert found.test == "bootstrap"
    assert {r.system: r.score for r in found.ranking} == pytest.approx(dict(zip("ABCD", given.corpus, strict=True)))
    expected = corpus_test(given.statistics.rows, given.statistics.finish, resamples=1000, seed=0)
    for pair in found.pairs:
        i, k = ("ABCD".index(name) for name in (pair.better, pair.worse))
        assert pair.pvalue == expected.pvalue[i, k]
        assert pair.scores == (given.corpus[i], given.corpus[k])
        assert pair.difference == pytest.approx(given.corpus[i] - given.corpus[k])
    best = found.ranking[0]
    assert f"{best.score:.4f} (95% CI {best.low:.4f} to {best.high:.4f})" in found.view().headline
    assert compare(given, test="randomization").test == "randomization"


def test_means_can_be_resampled_too():
    pair = is_better(FOUR, "A", "D", test="bootstrap")
    assert pair.scores == pytest.approx((VALUES[3].mean(), VALUES[0].mean()))
    assert pair.effect == pytest.approx(is_better(FOUR, "A", "D").effect, rel=0.1)


def test_missing_items_are_left_out_of_both_corpus_scores():
    given = ratio_scores(VALUES)
    rows = given.statistics.rows.copy()
    rows[0, :5] = np.nan
    values = np.where(np.isnan(rows[:, :, 0]), np.nan, VALUES)
    statistics = CorpusStatistics(rows, given.statistics.finish)
    pair = is_better(replace(given, values=values, statistics=statistics, corpus=statistics.scores()), "A", "D")
    sums = rows[:, 5:].sum(axis=1)
    assert pair.scores == pytest.approx((sums[3, 0] / sums[3, 1], sums[0, 0] / sums[0, 1]))


def test_odd_input():
    alone = compare(scores([[0.5, 0.7]], systems="A"))
    assert "no other system to compare with" in alone.view().headline
    same = compare(scores([[0.5, 0.7], [0.5, 0.7]], systems="AB"))
    assert "have the same m" in same.view().headline
    missing = compare(scores([[0.5, 0.7, 0.6], [np.nan] * 3, [0.4, 0.3, 0.3]], systems="ABC"))
    assert [r.system for r in missing.ranking] == ["A", "C", "B"]
    assert "Without scores, so not ranked: B." in missing.view().notes
    apart = is_better(scores([[0.5, np.nan], [np.nan, 0.4]], systems="AB"), "A", "B")
    assert "no item in common" in apart.view().headline
    with pytest.raises(InputError, match="test must be one of"):
        compare(FOUR, test="bootstrapping")


def test_a_mapping_of_scores_is_compared_metric_by_metric():
    both = compare({"rouge2": FOUR, "other": scores(-VALUES, "other", systems="ABCD")}, seed=1)
    assert [c.metric for c in both.comparisons] == ["rouge2", "other"]
    assert both.comparisons[0] == compare(FOUR, seed=1)
    assert [s.split(" has ")[0] for s in both.view().sentences] == [c.ranking[0].system for c in both.comparisons]
    assert {r["kind"] for r in both.records()} == {"comparison", "system", "pair"}
