"""Can I trust the metric? Questions about metrics and people, answered as Results."""

from ._correlation import Correlation, correlate_metric, item_correlations
from ._metric_differences import MetricDifference
from ._pair_decisions import DecisionShare, PairDecisions
from ._samples import SampledCorrelation, Stability
from .accuracy import MetricRanking, RankedMetric, rank_metrics
from .correlate import Correlations, correlate
from .decisions import DecisionAgreement, DecisionAgreements, decision_agreement, decision_agreements
from .differences import DifferenceCorrelations, differences
from .dominate import Dominance, GroupBest, Standing, dominate
from .failures import THRESHOLDS, Failures, failures
from .leak import Leak, LeakEffect, Leaks, find_leaks, measure_leak
from .noticeable import (
    DifferenceBin,
    NoticeableDifference,
    NoticeableDifferences,
    noticeable_difference,
    noticeable_differences,
)
from .pooled_differences import PooledDifferences, PooledMetric, pool_differences
from .sentinels import sentinel_scores
from .stability import Stabilities, item_stability, reference_stability, split_half_stability, stabilities

__all__ = [
    "THRESHOLDS",
    "Correlation",
    "Correlations",
    "DecisionAgreement",
    "DecisionAgreements",
    "DecisionShare",
    "DifferenceBin",
    "DifferenceCorrelations",
    "Dominance",
    "Failures",
    "GroupBest",
    "Leak",
    "LeakEffect",
    "Leaks",
    "MetricDifference",
    "MetricRanking",
    "NoticeableDifference",
    "NoticeableDifferences",
    "PairDecisions",
    "PooledDifferences",
    "PooledMetric",
    "RankedMetric",
    "SampledCorrelation",
    "Stabilities",
    "Stability",
    "Standing",
    "correlate",
    "correlate_metric",
    "decision_agreement",
    "decision_agreements",
    "differences",
    "dominate",
    "failures",
    "find_leaks",
    "item_correlations",
    "item_stability",
    "measure_leak",
    "noticeable_difference",
    "noticeable_differences",
    "pool_differences",
    "rank_metrics",
    "reference_stability",
    "sentinel_scores",
    "split_half_stability",
    "stabilities",
]
