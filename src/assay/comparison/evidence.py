"""Test all pairs of systems, by item scores or by corpus scores: what rankings and groups are made from."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from .. import stats
from ..data.alignment import orient_values
from ..data.scores import CorpusStatistics, Floats, Scores
from ..errors import InputError, UndefinedWarning
from .rating_evidence import RATING_TESTS, RatingBasis, choose_rating_test, test_ratings

ITEM_TESTS = {"wilcoxon": "wilcoxon", "t": "t", "permutation": "flip"}
TESTS = (*stats.CORPUS_TESTS, *ITEM_TESTS, "satterthwaite")


@dataclass(frozen=True)
class Evidence:
    """Scores of systems with intervals, and tests of all pairs.

    Entry [i, k] of a matrix compares system i with system k on the items that both have. `lead` is how far i is ahead
    of k, positive where i is better, whichever direction the metric has; `effect` is the lead in standard deviations of
    the item differences; `favours` is above 0 where the test's own statistic favours i.
    """

    test: str
    scores: Floats
    low: Floats
    high: Floats
    lead: Floats
    effect: Floats
    favours: Floats
    pvalue: Floats
    sacrebleu: Floats | None  # p-values by sacreBLEU's formula
    basis: RatingBasis | None = None  # of a test of ratings by several raters


def choose_test(scores: Scores, test: str | None, raters: str = "new") -> str:
    """Return the test to use: the one asked for, or the one that fits the scores."""
    if test is None:
        of_ratings = choose_rating_test(scores, raters, demanded=raters != "new")
        return of_ratings or ("wilcoxon" if scores.statistics is None else "bootstrap")
    if test not in TESTS:
        raise InputError(f"test must be one of {', '.join(TESTS)}, got {test!r}")
    if test == "satterthwaite":
        return str(choose_rating_test(scores, raters, demanded=True))
    if raters != "new":
        raise InputError(f"the test {test} does not ask which raters are meant: leave it out for a test of ratings")
    return test


def weigh_evidence(
    scores: Scores, test: str, *, resamples: int, confidence: float, seed: int, alpha: float = 0.05
) -> Evidence:
    """Test all pairs of systems."""
    with warnings.catch_warnings():  # systems without scores are in the table, with a note
        warnings.simplefilter("ignore", UndefinedWarning)
        if test in stats.CORPUS_TESTS:
            return _test_corpus(scores, test, resamples=resamples, confidence=confidence, seed=seed)
        if test in RATING_TESTS.values():
            return _test_raters(scores, test, alpha, resamples=resamples, confidence=confidence, seed=seed)
        return _test_items(scores, test, resamples=resamples, confidence=confidence, seed=seed)


def _test_items(scores: Scores, test: str, *, resamples: int, confidence: float, seed: int) -> Evidence:
    """Test item scores; a system's score is the mean of its items."""
    means = stats.bootstrap_means(scores.values, resamples=resamples, confidence=confidence, seed=seed)
    values = orient_values(scores)
    pairs = stats.paired_matrix(values, test=ITEM_TESTS[test], resamples=10 * resamples, seed=seed)
    return Evidence(
        test=pairs.test,
        scores=means.values,
        low=means.low,
        high=means.high,
        lead=pairs.difference,
        effect=_effects(values, pairs.difference),
        favours=pairs.statistic - pairs.statistic.T,
        pvalue=pairs.pvalue,
        sacrebleu=None,
    )


def _test_raters(scores: Scores, test: str, alpha: float, *, resamples: int, confidence: float, seed: int) -> Evidence:
    """Test ratings; a system's score is the mean of its items, an item's the mean of its raters."""
    means = stats.bootstrap_means(scores.values, resamples=resamples, confidence=confidence, seed=seed)
    tests, basis = test_ratings(scores, new_raters=test == RATING_TESTS["new"], alpha=alpha)
    if not (tests.error > 1e-12 * np.nanmax(np.abs(scores.values))).any():  # all differences are the same everywhere
        return _test_items(scores, "wilcoxon", resamples=resamples, confidence=confidence, seed=seed)
    return Evidence(
        test=test,
        scores=means.values,
        low=means.low,
        high=means.high,
        lead=tests.difference,
        effect=_effects(orient_values(scores), tests.difference),
        favours=tests.difference,
        pvalue=tests.pvalue,
        sacrebleu=None,
        basis=basis,
    )


def _effects(values: Floats, lead: Floats) -> Floats:
    """Return the leads in standard deviations of the item differences; infinite where these are all the same."""
    deviation = _deviations(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        constant = deviation <= 1e-13 * np.abs(lead)
        return np.asarray(np.where(constant, np.where(lead == 0, 0.0, np.sign(lead) * np.inf), lead / deviation))


def _test_corpus(scores: Scores, test: str, *, resamples: int, confidence: float, seed: int) -> Evidence:
    """Test corpus scores; where a metric has none, the means of its items are resampled in the same way."""
    statistics = scores.statistics or mean_statistics(scores)
    tests = stats.corpus_test(
        statistics.rows, statistics.finish, test=test, resamples=resamples, confidence=confidence, seed=seed
    )
    lead = tests.difference if scores.higher_is_better else -tests.difference
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(lead == 0, 0.0, lead / (tests.error * np.sqrt(tests.n)))
    return Evidence(test, tests.scores, tests.low, tests.high, lead, effect, lead, tests.pvalue, tests.sacrebleu)


def mean_statistics(scores: Scores) -> CorpusStatistics:
    """Return the statistics of a plain mean: the item's score, and 1."""
    ones = np.where(np.isnan(scores.values), np.nan, 1.0)

    def mean(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            quotient: Floats = sums[:, 0] / sums[:, 1]
        return quotient

    return CorpusStatistics(np.stack([scores.values, ones], axis=2), mean)


def _deviations(values: Floats) -> Floats:
    """Return the standard deviation of the item differences of each pair, NaN for fewer than two items."""
    deviations = np.full((len(values), len(values)), np.nan)
    whole = np.asarray(~np.isnan(values).any(axis=1))
    for i, own in enumerate(values):
        d = own - values[i:]
        if whole[i:].all() and d.shape[1] > 1:
            deviations[i, i:] = d.std(axis=1, ddof=1)
        else:
            deviations[i, i:] = [_deviation(row) for row in d]
    lower = np.tril_indices(len(values), -1)
    deviations[lower] = deviations.T[lower]
    return deviations


def _deviation(d: Floats) -> float:
    d = d[~np.isnan(d)]
    return float(d.std(ddof=1)) if len(d) > 1 else float("nan")
