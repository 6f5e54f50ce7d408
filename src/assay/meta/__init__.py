"""Can I trust the metric? Questions about metrics and people, answered as Results."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from ._correlation import Correlation as Correlation
    from ._correlation import correlate_metric as correlate_metric
    from ._correlation import item_correlations as item_correlations
    from ._metric_differences import MetricDifference as MetricDifference
    from ._metric_differences import SentinelDifference as SentinelDifference
    from ._pair_decisions import DecisionShare as DecisionShare
    from ._pair_decisions import PairDecisions as PairDecisions
    from ._samples import SampledCorrelation as SampledCorrelation
    from ._samples import Stability as Stability
    from ._statements import state_correlation as state_correlation
    from .accuracy import MetricRanking as MetricRanking
    from .accuracy import RankedMetric as RankedMetric
    from .accuracy import rank_metrics as rank_metrics
    from .correlate import Correlations as Correlations
    from .correlate import LeakEffect as LeakEffect
    from .correlate import correlate as correlate
    from .decisions import DecisionAgreement as DecisionAgreement
    from .decisions import DecisionAgreements as DecisionAgreements
    from .decisions import decision_agreement as decision_agreement
    from .decisions import decision_agreements as decision_agreements
    from .differences import DifferenceCorrelations as DifferenceCorrelations
    from .differences import differences as differences
    from .dominate import Dominance as Dominance
    from .dominate import GroupBest as GroupBest
    from .dominate import Standing as Standing
    from .dominate import dominate as dominate
    from .failures import THRESHOLDS as THRESHOLDS
    from .failures import Failures as Failures
    from .failures import failures as failures
    from .leak import Leak as Leak
    from .leak import Leaks as Leaks
    from .leak import find_leaks as find_leaks
    from .leak import measure_leak as measure_leak
    from .noticeable import DifferenceBin as DifferenceBin
    from .noticeable import NoticeableDifference as NoticeableDifference
    from .noticeable import NoticeableDifferences as NoticeableDifferences
    from .noticeable import noticeable_difference as noticeable_difference
    from .noticeable import noticeable_differences as noticeable_differences
    from .pooled_differences import PooledDifferences as PooledDifferences
    from .pooled_differences import PooledMetric as PooledMetric
    from .pooled_differences import pool_differences as pool_differences
    from .sentinels import sentinel_scores as sentinel_scores
    from .stability import Stabilities as Stabilities
    from .stability import item_stability as item_stability
    from .stability import reference_stability as reference_stability
    from .stability import split_half_stability as split_half_stability
    from .stability import stabilities as stabilities

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "._correlation": "Correlation correlate_metric item_correlations",
            "._metric_differences": "MetricDifference SentinelDifference",
            "._statements": "state_correlation",
            "._pair_decisions": "DecisionShare PairDecisions",
            "._samples": "SampledCorrelation Stability",
            ".accuracy": "MetricRanking RankedMetric rank_metrics",
            ".correlate": "Correlations LeakEffect correlate",
            ".decisions": "DecisionAgreement DecisionAgreements decision_agreement decision_agreements",
            ".differences": "DifferenceCorrelations differences",
            ".dominate": "Dominance GroupBest Standing dominate",
            ".failures": "Failures THRESHOLDS failures",
            ".leak": "Leak Leaks find_leaks measure_leak",
            ".noticeable": "DifferenceBin NoticeableDifference NoticeableDifferences noticeable_difference "
            "noticeable_differences",
            ".pooled_differences": "PooledDifferences PooledMetric pool_differences",
            ".sentinels": "sentinel_scores",
            ".stability": "Stabilities item_stability reference_stability split_half_stability stabilities",
        },
    )
