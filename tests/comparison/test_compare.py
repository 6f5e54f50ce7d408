"""Which system is better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made import scores, shuffled
from scipy import stats as scipy_stats

from assay.comparison.compare import compare, is_better
from assay.data.copies import SystemCopy
from assay.data.scores import CorpusStatistics, Scores
from assay.errors import InputError, UnknownName
from assay.stats import compare_all, corpus_test, corpus_values, mcnemar, tango

RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=(4, 60)) + np.array([[0.0], [0.05], [1.0], [1.1]])
FOUR = scores(VALUES, "rouge2", systems="ABCD")


def test_ranking_intervals_and_groups():
    found = compare(FOUR)
    assert [r.system for r in found.ranking] == sorted("ABCD", key=lambda s: -VALUES["ABCD".index(s)].mean())
    assert {frozenset(band) for band in found.bands} == {frozenset("CD"), frozenset("AB")}
    assert {r.system: r.bands for r in found.ranking} == {"D": "a", "C": "a", "B": "b", "A": "b"}
    for row in found.ranking:
        assert row.low < row.mean == row.score < row.high
        assert row.n == 60
    assert "It is not significantly better than" in found.view().headline


def test_matched_by_id():
    again = compare(shuffled(FOUR))
    assert again.bands == compare(FOUR).bands
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
    assert set(found.bands[0]) == {"A", "B"}
    pair = is_better(scores(VALUES, "ter", systems="ABCD", higher_is_better=False), "A", "D")
    assert pair.better == "A"
    assert pair.difference < 0
    assert "Lower is better." in found.view().notes


def test_corpus_scores_without_statistics_are_shown_but_not_tested():
    found = compare(scores(VALUES, "bleu", systems="ABCD", corpus=np.array([4.0, 3.0, 2.0, 1.0])))
    assert found.test == "paired"
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
    assert (found.test, found.corpus) == ("paired", True)
    assert {r.system: r.score for r in found.ranking} == pytest.approx(dict(zip("ABCD", given.corpus, strict=True)))
    values = corpus_values(given.statistics.rows, given.statistics.finish)[1]
    expected = compare_all(values, resamples=1000, seed=0)
    for pair in found.pairs:
        i, k = ("ABCD".index(name) for name in (pair.better, pair.worse))
        assert pair.adjusted == expected.adjusted[i, k]
        assert (pair.low, pair.high) == (expected.low[i, k], expected.high[i, k])
        assert pair.scores == (given.corpus[i], given.corpus[k])
        assert pair.difference == pytest.approx(given.corpus[i] - given.corpus[k])
    best = found.ranking[0]
    assert f"{best.score:.4f} (95% CI {best.low:.4f} to {best.high:.4f})" in found.view().headline
    resampled = corpus_test(given.statistics.rows, given.statistics.finish, resamples=1000, seed=0)
    pair = compare(given, test="bootstrap").pairs[0]
    i, k = ("ABCD".index(name) for name in (pair.better, pair.worse))
    assert pair.pvalue == resampled.pvalue[i, k]
    assert np.isnan(pair.low)
    assert compare(given, test="randomization").test == "randomization"


def test_means_can_be_resampled_too():
    pair = is_better(FOUR, "A", "D", test="bootstrap")
    assert pair.scores == pytest.approx((VALUES[3].mean(), VALUES[0].mean()))
    assert pair.effect == pytest.approx(is_better(FOUR, "A", "D").effect, rel=0.1)


def test_missing_items_are_left_out_of_both_corpus_scores_by_a_paired_test():
    given = ratio_scores(VALUES)
    rows = given.statistics.rows.copy()
    rows[0, :5] = np.nan
    values = np.where(np.isnan(rows[:, :, 0]), np.nan, VALUES)
    statistics = CorpusStatistics(rows, given.statistics.finish)
    given = replace(given, values=values, statistics=statistics, corpus=statistics.scores())
    adjusted = is_better(given, "A", "D")  # by all items, so that the difference is that of the table
    assert adjusted.difference == pytest.approx(adjusted.scores[0] - adjusted.scores[1])
    assert adjusted.scores == pytest.approx((statistics.scores()[3], statistics.scores()[0]), abs=0.001)
    pair = is_better(given, "A", "D", test="bootstrap")
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
    assert apart.view().headline == "Too few items (1) to say whether A or B is better by m: 6 are needed."
    wilcoxon = is_better(scores([[0.5, np.nan], [np.nan, 0.4]], systems="AB"), "A", "B", test="wilcoxon")
    assert "no item in common" in wilcoxon.view().headline
    with pytest.raises(InputError, match="test must be one of"):
        compare(FOUR, test="bootstrapping")


def test_a_mapping_of_scores_is_compared_metric_by_metric():
    both = compare({"rouge2": FOUR, "other": scores(-VALUES, "other", systems="ABCD")}, seed=1)
    assert [c.metric for c in both.comparisons] == ["rouge2", "other"]
    assert both.comparisons[0] == compare(FOUR, seed=1)
    assert [s.split(" has ")[0] for s in both.view().sentences] == [c.ranking[0].system for c in both.comparisons]
    assert {r["kind"] for r in both.records()} == {"comparison", "system", "pair", "statement"}


def simulate_clusters(seed: int = 0) -> Scores:
    """Three equal systems on 10 clusters of 20 items, in which what a system is good at is shared."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(10), 20)
    values = rng.normal(size=(3, 10))[:, codes] + rng.normal(size=(3, 200))
    return replace(scores(values, "m", systems="ABC"), clusters=tuple(map(str, codes)))


def test_items_of_a_cluster_count_as_one():
    given = simulate_clusters()
    found = compare(given)
    alone = compare(replace(given, clusters=None))
    pair = found.pair("A", "B")
    assert pair.error > 2 * alone.pair("A", "B").error
    assert (pair.n, pair.inputs, pair.clusters, found.clusters) == (200, 200, 10, 10)
    assert "200 items in 10 clusters" in is_better(given, "A", "B").view().headline
    assert "standard errors by cluster" in " ".join(found.view().notes)


def test_one_cluster_and_five_cannot_be_significant():
    given = simulate_clusters()
    one = compare(replace(given, clusters=("doc",) * 200))
    few = "Too few clusters ({}) to say which of 3 systems is best by m: 6 are needed."
    assert one.view().headline == few.format(1)
    assert not any(p.significant for p in one.pairs)
    five = compare(replace(given, clusters=tuple(str(k // 40) for k in range(200))))
    assert five.view().headline == few.format(5)
    each = compare(replace(given, clusters=tuple(map(str, range(200)))))
    alone = compare(replace(given, clusters=None))  # the draws come in another order
    assert [p.error for p in each.pairs] == pytest.approx([p.error for p in alone.pairs])
    assert [p.adjusted for p in each.pairs] == pytest.approx([p.adjusted for p in alone.pairs], abs=0.06)


def test_repeats_of_items_are_runs_and_their_spread_is_shown():
    rng = np.random.default_rng(2)
    ease = rng.normal(size=30).repeat(10)
    values = ease + rng.normal(scale=0.1, size=(2, 300)) + rng.normal(size=(2, 30)).repeat(10, axis=1)
    items = [f"q{q}" if run == 1 else f"q{q}@{run}" for q in range(30) for run in range(1, 11)]
    runs = tuple(str(run) for _ in range(30) for run in range(1, 11))
    clusters = tuple(f"q{q}" for q in range(30) for _ in range(10))
    given = Scores(values, ("A", "B"), tuple(items), "m", clusters=clusters, runs=runs)
    found = compare(given)
    assert found.ranking[0].run_spread == pytest.approx(
        np.std([values["AB".index(found.ranking[0].system), k::10].mean() for k in range(10)], ddof=1)
    )
    assert "30 items in 300 runs" in found.view().headline
    heads = [column.head for column in found.view().tables[0].columns]
    assert heads[-1] == "SD over runs"


def test_systems_on_different_items_are_compared_by_all_their_data():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, 100)) + np.array([[1.0], [0.0]])
    values[0, 53:], values[1, :47] = np.nan, np.nan
    pair = is_better(scores(values, "m", systems="AB"), "A", "B")
    assert (pair.test, pair.n, pair.items, pair.significant) == ("all-data", 6, (53, 53), True)
    assert pair.difference == pytest.approx(np.nanmean(values[0]) - np.nanmean(values[1]))
    assert "53 and 53 items, 6 in common" in pair.view().headline
    wilcoxon = is_better(scores(values, "m", systems="AB"), "A", "B", test="wilcoxon")
    assert not wilcoxon.significant
    assert np.isnan(pair.effect)


def test_means_are_adjusted_for_the_items_that_systems_lack():
    """B has the easy items only: its plain mean is higher, its adjusted mean is not."""
    rng = np.random.default_rng(4)
    ease = np.sort(rng.normal(scale=3, size=80))
    values = ease + rng.normal(scale=0.3, size=(2, 80)) + np.array([[0.5], [0.0]])
    values[1, :40] = np.nan
    found = compare(scores(values, "m", systems="AB"))
    assert [r.system for r in found.ranking] == ["A", "B"]
    assert found.ranking[0].mean < found.ranking[1].mean
    pair = found.pairs[0]
    assert pair.difference == pytest.approx(found.ranking[0].score - found.ranking[1].score)
    assert pair.difference == pytest.approx(0.5, abs=0.2)
    assert [c.head for c in found.view().tables[0].columns][2] == "plain mean"


def test_shares_have_wilsons_and_tangos_intervals():
    right = np.zeros((2, 20))
    right[0] = 1
    right[1, :13] = 1
    found = compare(scores(right, "accuracy", systems="AB"))
    assert (found.ranking[0].low, found.ranking[0].high) == pytest.approx((0.8389, 1.0), abs=1e-4)
    pair = found.pairs[0]
    low, high = tango([7], [0], [20], [1.959964])
    assert (found.test, pair.adjusted) == ("shares", mcnemar(7, 0))
    assert 0 < pair.low <= low[0] < high[0] <= pair.high  # as wide as mid-p needs


def test_significant_is_an_interval_without_0():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(5, 30)) + 0.5 * rng.normal(size=(5, 1))
        if seed % 2:
            values[rng.random(values.shape) < 0.2] = np.nan
        for pair in compare(scores(values, "m", systems="ABCDE"), resamples=200).pairs:
            assert pair.significant == (pair.low > 0 or pair.high < 0) == (pair.adjusted <= 0.05)


def test_bands_may_overlap_and_share_letters():
    values = np.random.default_rng(5).normal(scale=0.5, size=(3, 60))
    values += np.array([[0.0], [0.17], [0.34]]) - values.mean(axis=1, keepdims=True)
    found = compare(scores(values, "m", systems="ABC"))
    assert [r.bands for r in found.ranking] == ["a", "ab", "b"]
    assert found.bands == (("C", "B"), ("B", "A"))
    assert found.leaders() == ("C", "B")


def test_a_few_items_that_carry_the_difference_are_noted():
    values = np.zeros((2, 60))
    values[0] = [0.9, 1.1, 1.0, 0.8, 1.2, 1.0, *[-0.001] * 54]
    found = compare(scores(values, "m", systems="AB"))
    pair = found.pairs[0]
    assert (pair.carried_by, pair.units, pair.carried_by_few, pair.significant) == (6, 60, True, True)
    assert "without 6 of 60 items there would be none between A and B" in " ".join(found.view().notes)
    values[0, 6:] = 0.1
    assert not compare(scores(values, "m", systems="AB")).pairs[0].carried_by_few


def test_systems_with_the_same_outputs_count_once():
    given = replace(FOUR, copies=(SystemCopy("B", "A", 60, 60),))
    found = compare(given)
    assert sorted(r.system for r in found.ranking) == ["A", "C", "D"]
    assert found.tests == 3
    assert (
        "Counted once: B has the same outputs as A on 60 of 60 items; --only compares them too." in found.view().notes
    )
    assert len(compare(given, "A").ranking) == 4
    assert {r.system for r in compare(given, systems=["A", "B"]).ranking} == {"A", "B"}
    pair = replace(given.select(["A", "B"]), copies=given.copies)
    assert len(compare(pair).ranking) == 2  # there is nothing else to compare
