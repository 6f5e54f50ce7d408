"""Statistics on plain arrays: correlation, intervals, tests, resampling and agreement.

Everything here takes NumPy arrays (or lists) in which NaN means missing and never shifts a pair; answers are numbers or
small frozen Results. Randomness comes in as `seed=` (a number or a Generator) and a number is recorded in the Result.
An answer that is undefined is NaN with an `assay.errors.UndefinedWarning` that says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .alpha import Alpha as Alpha
    from .alpha import krippendorff_alpha as krippendorff_alpha
    from .analysis_of_variance import Anova as Anova
    from .analysis_of_variance import Tukey as Tukey
    from .analysis_of_variance import anova as anova
    from .analysis_of_variance import tukey as tukey
    from .bands import find_bands as find_bands
    from .bands import letter_bands as letter_bands
    from .bands import rank_bands as rank_bands
    from .cluster_errors import ClusterError as ClusterError
    from .cluster_errors import cluster_se as cluster_se
    from .cluster_errors import mean_intervals as mean_intervals
    from .contrasts import Contrasts as Contrasts
    from .contrasts import compare_all as compare_all
    from .corpus_tests import CORPUS_TESTS as CORPUS_TESTS
    from .corpus_tests import CorpusTest as CorpusTest
    from .corpus_tests import corpus_test as corpus_test
    from .corpus_values import compare_corpora as compare_corpora
    from .corpus_values import corpus_values as corpus_values
    from .correlation import coefficient as coefficient
    from .correlation import kendall as kendall
    from .correlation import ndcg as ndcg
    from .correlation import pearson as pearson
    from .correlation import perfect_bound as perfect_bound
    from .correlation import spearman as spearman
    from .crossed_model import CrossedModel as CrossedModel
    from .crossed_model import crossed_model as crossed_model
    from .differences import PairCorrelations as PairCorrelations
    from .differences import difference_correlations as difference_correlations
    from .differences import pair_blocks as pair_blocks
    from .differences import pair_differences as pair_differences
    from .differences import pooled_difference_pearson as pooled_difference_pearson
    from .differences import pooled_difference_stack as pooled_difference_stack
    from .differences import system_pairs as system_pairs
    from .intervals import Interval as Interval
    from .intervals import IntervalStack as IntervalStack
    from .intervals import bootstrap as bootstrap
    from .intervals import bootstrap_means as bootstrap_means
    from .intervals import bootstrap_stack as bootstrap_stack
    from .intervals import fisher as fisher
    from .intraclass import ICC as ICC
    from .intraclass import icc as icc
    from .jackknife_correlation import CorrelationContrast as CorrelationContrast
    from .jackknife_correlation import JackknifeCorrelation as JackknifeCorrelation
    from .jackknife_correlation import contrast_correlations as contrast_correlations
    from .jackknife_correlation import fewest_systems as fewest_systems
    from .jackknife_correlation import jackknife as jackknife
    from .kappa import Kappa as Kappa
    from .kappa import cohen_kappa as cohen_kappa
    from .kappa import fleiss_from_counts as fleiss_from_counts
    from .kappa import fleiss_kappa as fleiss_kappa
    from .kappa import percent_agreement as percent_agreement
    from .levels import LevelCorrelation as LevelCorrelation
    from .levels import correlate as correlate
    from .levels import correlate_stack as correlate_stack
    from .levels import group_coefficients as group_coefficients
    from .levels import system_means as system_means
    from .metric_tests import MetricComparison as MetricComparison
    from .metric_tests import PvalueMatrix as PvalueMatrix
    from .metric_tests import bootstrap_test as bootstrap_test
    from .metric_tests import differences_from as differences_from
    from .metric_tests import metric_difference as metric_difference
    from .metric_tests import permutation as permutation
    from .metric_tests import permutation_matrix as permutation_matrix
    from .mixed_model import MixedModel as MixedModel
    from .mixed_model import mixed_model as mixed_model
    from .multiple_testing import Adjusted as Adjusted
    from .multiple_testing import benjamini_hochberg as benjamini_hochberg
    from .multiple_testing import benjamini_yekutieli as benjamini_yekutieli
    from .multiple_testing import holm as holm
    from .noticeable import AgreementCurve as AgreementCurve
    from .noticeable import DifferenceThreshold as DifferenceThreshold
    from .noticeable import agreement_curve as agreement_curve
    from .noticeable import isotonic as isotonic
    from .noticeable import noticeable_difference as noticeable_difference
    from .pair_accuracy import PairwiseAccuracy as PairwiseAccuracy
    from .pair_accuracy import RestrictedKendall as RestrictedKendall
    from .pair_accuracy import SoftAccuracy as SoftAccuracy
    from .pair_accuracy import pairwise_accuracy as pairwise_accuracy
    from .pair_accuracy import restricted_kendall as restricted_kendall
    from .pair_accuracy import soft_pairwise_accuracy as soft_pairwise_accuracy
    from .pair_means import PairMeans as PairMeans
    from .pair_means import pair_means as pair_means
    from .paired_shares import mcnemar as mcnemar
    from .paired_shares import tango as tango
    from .partial_contrasts import partial_contrasts as partial_contrasts
    from .plackett_luce import PlackettLuce as PlackettLuce
    from .plackett_luce import bradley_terry as bradley_terry
    from .plackett_luce import plackett_luce as plackett_luce
    from .pooled_differences import PooledStack as PooledStack
    from .pooled_differences import pooled_differences as pooled_differences
    from .prediction_powered import PredictionPowered as PredictionPowered
    from .prediction_powered import ppi_mean as ppi_mean
    from .prediction_powered import prediction_powered as prediction_powered
    from .proportions import Proportion as Proportion
    from .proportions import ProportionDifference as ProportionDifference
    from .proportions import proportion as proportion
    from .proportions import proportion_difference as proportion_difference
    from .proportions import share_interval as share_interval
    from .rankings import Concordance as Concordance
    from .rankings import SkillingsMack as SkillingsMack
    from .rankings import kendall_w as kendall_w
    from .rankings import skillings_mack as skillings_mack
    from .rater_agreement import LeaveOneOut as LeaveOneOut
    from .rater_agreement import TwoRaters as TwoRaters
    from .rater_agreement import leave_one_out as leave_one_out
    from .rater_agreement import round_half as round_half
    from .rater_agreement import two_raters as two_raters
    from .rating_bias import LengthSlope as LengthSlope
    from .rating_bias import length_slope as length_slope
    from .rating_bias import level_bias as level_bias
    from .rating_bias import position_effect as position_effect
    from .rating_bias import self_preference as self_preference
    from .rating_bias import spread_ratio as spread_ratio
    from .resampling import generator as generator
    from .resampling import halves as halves
    from .resampling import subset as subset
    from .resampling import subsets as subsets
    from .simultaneous import paired_contrasts as paired_contrasts
    from .system_order import OrderedShare as OrderedShare
    from .system_order import ordered_share as ordered_share
    from .system_tests import PairedTest as PairedTest
    from .system_tests import PairMatrix as PairMatrix
    from .system_tests import paired_matrix as paired_matrix
    from .system_tests import paired_test as paired_test
    from .ties import TieAccuracy as TieAccuracy
    from .ties import TieMatrix as TieMatrix
    from .ties import acc_eq as acc_eq
    from .ties import acc_eq_matrix as acc_eq_matrix
    from .ties import tie_calibration as tie_calibration
    from .vectorized_correlation import coefficients as coefficients
    from .vectorized_correlation import midranks as midranks
    from .williams_test import Williams as Williams
    from .williams_test import WilliamsMatrix as WilliamsMatrix
    from .williams_test import williams as williams
    from .williams_test import williams_arrays as williams_arrays
    from .williams_test import williams_matrix as williams_matrix
    from .williams_test import williams_stack as williams_stack

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".alpha": "Alpha krippendorff_alpha",
            ".analysis_of_variance": "Anova Tukey anova tukey",
            ".bands": "find_bands letter_bands rank_bands",
            ".cluster_errors": "ClusterError cluster_se mean_intervals",
            ".contrasts": "Contrasts compare_all",
            ".corpus_tests": "CORPUS_TESTS CorpusTest corpus_test",
            ".corpus_values": "compare_corpora corpus_values",
            ".correlation": "coefficient kendall ndcg pearson spearman perfect_bound",
            ".crossed_model": "CrossedModel crossed_model",
            ".differences": "PairCorrelations difference_correlations pair_blocks pair_differences "
            "pooled_difference_pearson pooled_difference_stack system_pairs",
            ".intervals": "Interval IntervalStack bootstrap bootstrap_means bootstrap_stack fisher",
            ".intraclass": "ICC icc",
            ".jackknife_correlation": (
                "CorrelationContrast JackknifeCorrelation contrast_correlations fewest_systems jackknife"
            ),
            ".kappa": "Kappa cohen_kappa fleiss_from_counts fleiss_kappa percent_agreement",
            ".levels": "LevelCorrelation correlate correlate_stack group_coefficients system_means",
            ".metric_tests": "MetricComparison PvalueMatrix bootstrap_test differences_from metric_difference "
            "permutation permutation_matrix",
            ".mixed_model": "MixedModel mixed_model",
            ".multiple_testing": "Adjusted benjamini_hochberg benjamini_yekutieli holm",
            ".noticeable": "AgreementCurve DifferenceThreshold agreement_curve isotonic noticeable_difference",
            ".pair_accuracy": "PairwiseAccuracy RestrictedKendall SoftAccuracy pairwise_accuracy restricted_kendall "
            "soft_pairwise_accuracy",
            ".pair_means": "PairMeans pair_means",
            ".paired_shares": "mcnemar tango",
            ".partial_contrasts": "partial_contrasts",
            ".plackett_luce": "PlackettLuce bradley_terry plackett_luce",
            ".pooled_differences": "PooledStack pooled_differences",
            ".prediction_powered": "PredictionPowered ppi_mean prediction_powered",
            ".proportions": "Proportion ProportionDifference proportion proportion_difference share_interval",
            ".rankings": "Concordance SkillingsMack kendall_w skillings_mack",
            ".rater_agreement": "LeaveOneOut TwoRaters leave_one_out round_half two_raters",
            ".rating_bias": "LengthSlope length_slope level_bias position_effect self_preference spread_ratio",
            ".resampling": "generator halves subset subsets",
            ".simultaneous": "paired_contrasts",
            ".system_order": "OrderedShare ordered_share",
            ".system_tests": "PairMatrix PairedTest paired_matrix paired_test",
            ".ties": "TieAccuracy TieMatrix acc_eq acc_eq_matrix tie_calibration",
            ".vectorized_correlation": "coefficients midranks",
            ".williams_test": "Williams WilliamsMatrix williams williams_arrays williams_matrix williams_stack",
        },
    )
