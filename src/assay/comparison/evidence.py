"""Compare all pairs of systems, by item scores, corpus scores or ratings: what rankings and bands are made from."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import stats
from ..data.alignment import orient_values
from ..data.scores import CorpusStatistics, Floats, Scores
from ..errors import InputError, UndefinedWarning
from ..stats.contrasts import MIN_COMMON
from ._matrices import spread_matrix, spread_vector
from .rating_evidence import RatingBasis, choose_rating_test, test_ratings

ITEM_TESTS = {"wilcoxon": "wilcoxon", "t": "t", "permutation": "flip"}
TESTS = (*stats.CORPUS_TESTS, *ITEM_TESTS, "satterthwaite")


@dataclass(frozen=True)
class Evidence:
    """Scores of systems with their own intervals, and comparisons of all pairs, or of those with the baseline.

    Entry [i, k] of a matrix compares system i with system k. `lead` is how far i is ahead of k, positive where i is
    better, whichever direction the metric has; `lead_low` to `lead_high` its interval, simultaneous over the family;
    `effect` the lead in standard deviations of the item differences; `better` says where i is significantly better.
    `test`: paired, shares (paired, of 0/1 scores), swapped (corpus scores of two), all-data, adjusted (for the
    items that systems lack), satterthwaite (ratings), or the test that was asked for, which has no intervals of
    differences: `critical` is then NaN. `units` are the values whose mean is the score, higher is better: items, or
    clusters for corpus scores.
    """

    test: str
    scores: Floats
    low: Floats
    high: Floats
    lead: Floats
    lead_low: Floats
    lead_high: Floats
    error: Floats
    critical: Floats
    effect: Floats
    favours: Floats  # above 0 where the test's own statistic favours i
    pvalue: Floats
    adjusted: Floats
    step_down: Floats
    better: NDArray[np.bool_]
    best: NDArray[np.bool_]  # may be the best system (Hsu 1984)
    units: Floats
    clusters: int
    smallest: float  # p-value that so few clusters can give
    resamples: int
    sacrebleu: Floats | None = None  # p-values by sacreBLEU's formula
    basis: RatingBasis | None = None  # of a test of ratings by several raters


@dataclass(frozen=True)
class Settings:
    """How to compare: the position of the baseline (None: all pairs), the level, confidence of means, draws, seed."""

    baseline: int | None = None
    alpha: float = 0.05
    confidence: float = 0.95
    resamples: int = 1000
    seed: int = 0


def choose_test(scores: Scores, test: str | None, raters: str = "new") -> str | None:
    """Return the test to use: the one asked for, that of ratings where they fit; None for the one by the design."""
    if test is None:
        return choose_rating_test(scores, raters, demanded=False)
    if test not in TESTS:
        raise InputError(f"test must be one of {', '.join(TESTS)}, got {test!r}")
    if test == "satterthwaite":
        return choose_rating_test(scores, raters, demanded=True)
    if raters != "new":
        raise InputError(f"the test {test} does not ask which raters are meant: leave it out for a test of ratings")
    return test


def weigh_evidence(scores: Scores, test: str | None, settings: Settings) -> Evidence:
    """Compare systems; `test` None compares them by the design of the scores."""
    with warnings.catch_warnings():  # systems without scores are in the table, with a note
        warnings.simplefilter("ignore", UndefinedWarning)
        if test == "satterthwaite":
            return _compare_ratings(scores, settings)
        if test is None:
            return _compare_by_design(scores, settings)
        own = _test_corpus if test in stats.CORPUS_TESTS else _test_items
        return own(scores, test, settings)


def contrast_scores(scores: Scores, settings: Settings | None = None) -> Evidence:
    """Compare all systems by the design of the scores, as `compare` does without --test or several raters."""
    return weigh_evidence(scores, None, settings or Settings())


def _compare_by_design(scores: Scores, settings: Settings) -> Evidence:
    """Compare by all scores, within clusters where there are any; corpus scores by what each cluster adds to them."""
    names = of_items = None if scores.clusters is None else np.asarray(scores.clusters)
    direction = 1.0 if scores.higher_is_better else -1.0
    corpus = scores.statistics
    if corpus is not None:
        raw, units = stats.corpus_values(corpus.rows, corpus.finish, names)
        names = None
    else:
        raw, units = scores.means() if scores.corpus is None else _row_means(scores.values), scores.values
    units = direction * units
    known, used = np.flatnonzero(~np.isnan(units).all(axis=1)), ~np.isnan(units).all(axis=0)
    _, low, high = stats.mean_intervals(direction * units, names, confidence=settings.confidence)
    if len(known) < 2:
        return _compare_nothing(scores, raw, low, high, units, _count_clusters(units, names))
    options: dict[str, Any] = {
        "baseline": _position(known, settings.baseline),
        "confidence": 1 - settings.alpha,
        "resamples": settings.resamples,
        "seed": settings.seed,
    }
    if corpus is None:
        result = stats.compare_all(units[known][:, used], None if names is None else names[used], **options)
    else:
        result = stats.compare_corpora(
            corpus.rows[known], lambda sums: direction * corpus.finish(sums), of_items, **options
        )
    means = spread_vector(direction * result.means, known, len(units))
    if result.method == "adjusted":
        half = _half_width(units, names, settings.confidence) * spread_vector(result.mean_error, known, len(units))
        low, high = means - half, means + half
    binary = result.method == "paired" and bool(np.isin(units[known][:, used], (0, 1)).all())
    return _of_contrasts(
        result,
        known,
        scores=means if result.method == "adjusted" else raw,
        low=low,
        high=high,
        test="shares" if binary else result.method,
        effect=_effects(scores, units, result, known),
        units=units,
        alpha=settings.alpha,
    )


def _of_contrasts(
    result: stats.Contrasts,
    known: NDArray[np.int64],
    *,
    scores: Floats,
    low: Floats,
    high: Floats,
    test: str,
    effect: Floats,
    units: Floats,
    alpha: float,
    basis: RatingBasis | None = None,
) -> Evidence:
    """Return the evidence of the systems that were compared, NaN for the others."""
    n = len(scores)
    difference = spread_matrix(result.difference, known, n)
    adjusted = spread_matrix(result.adjusted, known, n)
    with np.errstate(invalid="ignore"):
        better = (adjusted <= alpha) & (difference > 0)
    best = np.zeros(n, dtype=bool)
    best[known] = result.best
    return Evidence(
        test=test,
        scores=scores,
        low=low,
        high=high,
        lead=difference,
        lead_low=spread_matrix(result.low, known, n),
        lead_high=spread_matrix(result.high, known, n),
        error=spread_matrix(result.error, known, n),
        critical=spread_matrix(result.critical, known, n),
        effect=effect,
        favours=difference,
        pvalue=spread_matrix(result.pvalue, known, n),
        adjusted=adjusted,
        step_down=spread_matrix(result.step_down, known, n),
        better=better,
        best=best,
        units=units,
        clusters=result.clusters,
        smallest=result.smallest,
        resamples=result.resamples,
        basis=basis,
    )


def _compare_nothing(
    scores: Scores, raw: Floats, low: Floats, high: Floats, units: Floats, clusters: int, test: str = "paired"
) -> Evidence:
    """Return the evidence where fewer than two systems have scores."""
    n = len(scores.systems)
    none = np.full((n, n), np.nan)
    return Evidence(
        test=test,
        scores=raw,
        low=low,
        high=high,
        lead=none,
        lead_low=none,
        lead_high=none,
        error=none,
        critical=none,
        effect=none,
        favours=none,
        pvalue=none,
        adjusted=none,
        step_down=none,
        better=np.zeros((n, n), dtype=bool),
        best=~np.isnan(raw),
        units=units,
        clusters=clusters,
        smallest=1.0,
        resamples=0,
    )


def _compare_ratings(scores: Scores, settings: Settings) -> Evidence:
    """Compare by the ratings of several raters, for new raters; ratings without any spread by the design."""
    result, basis, means = test_ratings(scores, settings)
    if not (result.error > 1e-12 * np.nanmax(np.abs(scores.values))).any():
        return _compare_by_design(scores, settings)
    units = orient_values(scores)
    known = np.flatnonzero(~np.isnan(units).all(axis=1))
    known = known[~np.isnan(means[known])]
    half = basis.half_width(settings.confidence)
    return _of_contrasts(
        result,
        known,
        scores=means,
        low=means - half,
        high=means + half,
        test="satterthwaite",
        effect=_effects(scores, units, result, known),
        units=units,
        alpha=settings.alpha,
        basis=basis,
    )


def _test_items(scores: Scores, test: str, settings: Settings) -> Evidence:
    """Test item scores on the items that both systems have; a system's score is the mean of its items."""
    names = None if scores.clusters is None else np.asarray(scores.clusters)
    raw, low, high = stats.mean_intervals(scores.values, names, confidence=settings.confidence)
    units = orient_values(scores)
    pairs = stats.paired_matrix(units, test=ITEM_TESTS[test], resamples=10 * settings.resamples, seed=settings.seed)
    return _of_pvalues(
        pairs.test,
        settings,
        scores=raw,
        low=low,
        high=high,
        lead=pairs.difference,
        effect=_standardize(units, pairs.difference),
        favours=pairs.statistic - pairs.statistic.T,
        pvalue=pairs.pvalue,
        units=units,
    )


def _test_corpus(scores: Scores, test: str, settings: Settings) -> Evidence:
    """Resample corpus scores; where a metric has none, the means of its items are resampled in the same way."""
    statistics = scores.statistics or mean_statistics(scores)
    tests = stats.corpus_test(
        statistics.rows,
        statistics.finish,
        test=test,
        resamples=settings.resamples,
        confidence=settings.confidence,
        seed=settings.seed,
    )
    lead = tests.difference if scores.higher_is_better else -tests.difference
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = np.where(lead == 0, 0.0, lead / (tests.error * np.sqrt(tests.n)))
    return _of_pvalues(
        test,
        settings,
        scores=tests.scores,
        low=tests.low,
        high=tests.high,
        lead=lead,
        effect=effect,
        favours=lead,
        pvalue=tests.pvalue,
        units=orient_values(scores),
        sacrebleu=tests.sacrebleu,
    )


def _of_pvalues(
    test: str,
    settings: Settings,
    *,
    scores: Floats,
    low: Floats,
    high: Floats,
    lead: Floats,
    effect: Floats,
    favours: Floats,
    pvalue: Floats,
    units: Floats,
    sacrebleu: Floats | None = None,
) -> Evidence:
    """Adjust the p-values of a test by Holm's method over the family; it has no intervals of differences."""
    n = len(scores)
    pairs = stats.system_pairs(n)
    if settings.baseline is not None:
        pairs = pairs[(pairs == settings.baseline).any(axis=1)]
    adjusted, none = np.full((n, n), np.nan), np.full((n, n), np.nan)
    i, k = pairs.T
    adjusted[i, k] = adjusted[k, i] = stats.holm(pvalue[i, k], alpha=settings.alpha).pvalues
    with np.errstate(invalid="ignore"):
        better = (adjusted <= settings.alpha) & (favours > 0) & (lead >= 0)
    return Evidence(
        test=test,
        scores=scores,
        low=low,
        high=high,
        lead=lead,
        lead_low=none,
        lead_high=none,
        error=none,
        critical=none,
        effect=effect,
        favours=favours,
        pvalue=pvalue,
        adjusted=adjusted,
        step_down=adjusted,
        better=better,
        best=~np.isnan(scores) & ~better.any(axis=0),
        units=units,
        clusters=_count_clusters(units, None),
        smallest=0.0,
        resamples=settings.resamples,
        sacrebleu=sacrebleu,
    )


def mean_statistics(scores: Scores) -> CorpusStatistics:
    """Return the statistics of a plain mean: the item's score, and 1."""
    ones = np.where(np.isnan(scores.values), np.nan, 1.0)

    def mean(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            quotient: Floats = sums[:, 0] / sums[:, 1]
        return quotient

    return CorpusStatistics(np.stack([scores.values, ones], axis=2), mean)


def _position(known: NDArray[np.int64], baseline: int | None) -> int | None:
    """Return where the baseline is among the systems with scores; without any score it cannot be compared with."""
    if baseline is None:
        return None
    if baseline not in known:
        raise InputError("the baseline has no scores, so nothing can be compared with it; name another")
    return int(np.searchsorted(known, baseline))


def _count_clusters(units: Floats, names: NDArray[np.str_] | None) -> int:
    used = ~np.isnan(units).all(axis=0)
    return int(used.sum()) if names is None else len(np.unique(names[used]))


def _row_means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1))


def _half_width(units: Floats, names: NDArray[np.str_] | None, confidence: float) -> Floats:
    """Return the point of t for the mean of each system, by the number of its clusters."""
    from scipy.special import stdtrit

    present = ~np.isnan(units)
    counts = [int(row.sum()) if names is None else len(np.unique(names[row])) for row in present]
    return np.asarray(stdtrit(np.maximum(np.array(counts, dtype=np.float64) - 1, 1), (1 + confidence) / 2))


def _effects(scores: Scores, units: Floats, result: stats.Contrasts, known: NDArray[np.int64]) -> Floats:
    """Return the leads in standard deviations of the item differences; of corpus scores by their error."""
    lead = spread_matrix(result.difference, known, len(units))
    if scores.statistics is None:
        return np.where(_share_few(units), np.nan, _standardize(units, lead))
    error = spread_matrix(result.error, known, len(units))
    return _divide(lead, error * np.sqrt(len(scores.items)))


def _share_few(units: Floats) -> NDArray[np.bool_]:
    """Find pairs that share too few of their items to say how far single items differ."""
    present = (~np.isnan(units)).astype(np.float64)
    common, own = present @ present.T, present.sum(axis=1)
    return np.asarray((common < MIN_COMMON) & (common < np.minimum(own[:, None], own)))


def _standardize(values: Floats, lead: Floats) -> Floats:
    """Divide leads by the standard deviation of the item differences; infinite where these are all the same."""
    return _divide(lead, _deviations(values))


def _divide(lead: Floats, deviation: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        constant = deviation <= 1e-13 * np.abs(lead)
        return np.asarray(np.where(constant, np.where(lead == 0, 0.0, np.sign(lead) * np.inf), lead / deviation))


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
