"""Gate: whether a system may replace the baseline, as a build or a test asks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import isnan
from typing import ClassVar

import numpy as np

from ..data.ratings import Ratings
from ..data.result import Result
from ..data.scores import CorpusStatistics, Floats, Scores
from ..errors import InputError
from .compare import Comparison
from .pair import PairComparison

CONDITIONS = ("worse", "not-better")


@dataclass(frozen=True)
class GateDecision:
    """One system against the baseline: both scores, the p-value that decided, and whether it fails.

    `lead` is how far it is ahead of the baseline, below 0 where it is behind, whichever direction the metric has; `low`
    to `high` is the interval of the lead. `n` are its items.
    """

    kind: ClassVar[str] = "gate_decision"
    system: str
    failed: bool
    score: float
    baseline_score: float
    lead: float
    low: float
    high: float
    pvalue: float
    test: str
    n: int


@dataclass(frozen=True)
class Gate(Result, question="gate", kind="gate", shared=("metric", "baseline", "fail_if", "margin")):
    """The decisions by one metric. `fail_if` worse: a system fails if it is significantly worse than the baseline by
    more than `margin`; not-better: it fails unless it is significantly better by more than `margin`.
    """

    metric: str
    baseline: str
    fail_if: str
    margin: float
    alpha: float
    failed: bool
    decisions: tuple[GateDecision, ...]


def check_gate(comparison: Comparison, fail_if: str, *, margin: float = 0.0, shifted: Comparison | None = None) -> Gate:
    """Decide for each system whether it fails against the baseline of the comparison.

    With a margin, `shifted` is the comparison of the scores that `add_margin` returns: the test is then of a difference
    larger than the margin. A pair that the test cannot tell apart, as outputs that are all the same, is not a
    difference; a system without scores is an error.

    >>> from .compare import compare
    >>> values = np.array([[0.5, 0.6, 0.9, 0.4, 0.8, 0.7], [0.4, 0.5, 0.6, 0.3, 0.5, 0.1]])
    >>> scores = Scores(values, ("old", "new"), tuple("123456"), "rouge2")
    >>> check_gate(compare(scores, "old"), "worse").failed
    True
    """
    if fail_if not in CONDITIONS:
        raise InputError(f"fail_if must be one of {', '.join(CONDITIONS)}; got {fail_if!r}")
    if not comparison.baseline:
        raise InputError("a gate needs a baseline: name the system that the others must not fall behind")
    if comparison.undirected:
        raise InputError(f"say which end of {comparison.metric} is better: --lower-is-better or --higher-is-better")
    tests = {_other(pair, comparison.reference): pair for pair in (shifted or comparison).against}
    decisions = tuple(
        _decide(pair, tests[_other(pair, comparison.reference)], comparison, fail_if) for pair in comparison.against
    )
    failed = any(decision.failed for decision in decisions)
    return Gate(comparison.metric, comparison.reference, fail_if, margin, comparison.alpha, failed, decisions)


def add_margin(scores: Scores, baseline: str, margin: float) -> Scores:
    """Give every system but the baseline so much more, by item and by corpus score; less for a negative margin.

    Better is meant by more: where low scores are better, the number is taken off.
    """
    better = margin if scores.higher_is_better else -margin
    added = np.array([0.0 if name == baseline else better for name in scores.systems])
    statistics = None if scores.statistics is None else _add_to_statistics(scores.statistics, added)
    corpus = None if scores.corpus is None else scores.corpus + added
    ratings = None if scores.ratings is None else partial(_add_to_ratings, scores.ratings, baseline, better)
    return replace(scores, values=scores.values + added[:, None], corpus=corpus, statistics=statistics, ratings=ratings)


def _add_to_ratings(ratings: Callable[[], Ratings], baseline: str, added: float) -> Ratings:
    plain = ratings()
    return replace(plain, values=plain.values + np.where(np.array(plain.systems) == baseline, 0.0, added))


def _add_to_statistics(statistics: CorpusStatistics, added: Floats) -> CorpusStatistics:
    """Add to the corpus score of any resample: the columns are the addend of each item, and a count of items."""
    missing = np.isnan(statistics.rows).any(axis=2)
    addends = np.where(missing, np.nan, added[:, None])
    ones = np.where(missing, np.nan, 1.0)

    def finish(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            scores: Floats = statistics.finish(sums[:, :-2]) + sums[:, -2] / sums[:, -1]
        return scores

    return CorpusStatistics(np.concatenate([statistics.rows, np.stack([addends, ones], axis=2)], axis=2), finish)


def _decide(pair: PairComparison, tested: PairComparison, comparison: Comparison, fail_if: str) -> GateDecision:
    system = _other(pair, comparison.reference)
    if isnan(pair.difference):
        without = f"{system} or {comparison.reference} has no {comparison.metric}"
        raise InputError(f"{without}, so they cannot be compared; leave out what has no scores")
    better = tested.significant and tested.better == system
    worse = tested.significant and tested.worse == system
    ahead, behind = pair.scores
    score, baseline_score = (ahead, behind) if pair.better == system else (behind, ahead)
    failed = worse if fail_if == "worse" else not better
    toward = 1 if (pair.better == system) == (pair.difference >= 0) else -1
    low, high = sorted((toward * pair.low, toward * pair.high))
    return GateDecision(
        system,
        failed,
        score,
        baseline_score,
        lead=abs(pair.difference) if pair.better == system else -abs(pair.difference),
        low=low,
        high=high,
        pvalue=tested.adjusted,
        test=tested.test,
        n=pair.items[0] if pair.better == system else pair.items[1],
    )


def _other(pair: PairComparison, reference: str) -> str:
    return pair.worse if pair.better == reference else pair.better
