"""Statistics on plain arrays: correlation, intervals, tests, resampling and agreement.

Everything here takes NumPy arrays (or lists) in which NaN means missing and never shifts a pair; answers are numbers or
small frozen Results. Randomness comes in as `seed=` (a number or a Generator) and a number is recorded in the Result.
An answer that is undefined is NaN with an `assay.errors.UndefinedWarning` that says why.
"""

from .alpha import Alpha, krippendorff_alpha
from .analysis_of_variance import Anova, Tukey, anova, tukey
from .clusters import rank_clusters
from .corpus_tests import CORPUS_TESTS, CorpusTest, corpus_test
from .correlation import coefficient, kendall, ndcg, pearson, spearman
from .differences import (
    PairCorrelations,
    difference_correlations,
    pair_blocks,
    pair_differences,
    pooled_difference_pearson,
    pooled_difference_stack,
    system_pairs,
)
from .intervals import Interval, IntervalStack, bootstrap, bootstrap_means, bootstrap_stack, fisher
from .intraclass import ICC, icc
from .kappa import Kappa, cohen_kappa, fleiss_from_counts, fleiss_kappa, percent_agreement
from .levels import LevelCorrelation, correlate, correlate_stack, group_coefficients, system_means
from .metric_tests import (
    MetricComparison,
    PvalueMatrix,
    bootstrap_test,
    metric_difference,
    permutation,
    permutation_matrix,
)
from .mixed_model import MixedModel, mixed_model
from .multiple_testing import Adjusted, benjamini_hochberg, benjamini_yekutieli, holm
from .noticeable import AgreementCurve, DifferenceThreshold, agreement_curve, isotonic, noticeable_difference
from .pair_accuracy import (
    PairwiseAccuracy,
    RestrictedKendall,
    SoftAccuracy,
    pairwise_accuracy,
    restricted_kendall,
    soft_pairwise_accuracy,
)
from .pair_means import PairMeans, pair_means
from .plackett_luce import PlackettLuce, bradley_terry, plackett_luce
from .pooled_differences import PooledStack, pooled_differences
from .prediction_powered import PredictionPowered, ppi_mean, prediction_powered
from .proportions import Proportion, ProportionDifference, proportion, proportion_difference
from .rankings import Concordance, SkillingsMack, kendall_w, skillings_mack
from .rater_agreement import LeaveOneOut, TwoRaters, leave_one_out, round_half, two_raters
from .rating_bias import (
    LengthSlope,
    length_slope,
    level_bias,
    position_effect,
    self_preference,
    spread_ratio,
)
from .resampling import generator, halves, subset, subsets
from .system_order import OrderedShare, ordered_share
from .system_tests import PairedTest, PairMatrix, paired_matrix, paired_test
from .ties import TieAccuracy, TieMatrix, acc_eq, acc_eq_matrix, tie_calibration
from .vectorized_correlation import coefficients, midranks
from .williams_test import Williams, WilliamsMatrix, williams, williams_arrays, williams_matrix, williams_stack

__all__ = [
    "CORPUS_TESTS",
    "ICC",
    "Adjusted",
    "AgreementCurve",
    "Alpha",
    "Anova",
    "Concordance",
    "CorpusTest",
    "DifferenceThreshold",
    "Interval",
    "IntervalStack",
    "Kappa",
    "LeaveOneOut",
    "LengthSlope",
    "LevelCorrelation",
    "MetricComparison",
    "MixedModel",
    "OrderedShare",
    "PairCorrelations",
    "PairMatrix",
    "PairMeans",
    "PairedTest",
    "PairwiseAccuracy",
    "PlackettLuce",
    "PooledStack",
    "PredictionPowered",
    "Proportion",
    "ProportionDifference",
    "PvalueMatrix",
    "RestrictedKendall",
    "SkillingsMack",
    "SoftAccuracy",
    "TieAccuracy",
    "TieMatrix",
    "Tukey",
    "TwoRaters",
    "Williams",
    "WilliamsMatrix",
    "acc_eq",
    "acc_eq_matrix",
    "agreement_curve",
    "anova",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bootstrap",
    "bootstrap_means",
    "bootstrap_stack",
    "bootstrap_test",
    "bradley_terry",
    "coefficient",
    "coefficients",
    "cohen_kappa",
    "corpus_test",
    "correlate",
    "correlate_stack",
    "difference_correlations",
    "fisher",
    "fleiss_from_counts",
    "fleiss_kappa",
    "generator",
    "group_coefficients",
    "halves",
    "holm",
    "icc",
    "isotonic",
    "kendall",
    "kendall_w",
    "krippendorff_alpha",
    "leave_one_out",
    "length_slope",
    "level_bias",
    "metric_difference",
    "midranks",
    "mixed_model",
    "ndcg",
    "noticeable_difference",
    "ordered_share",
    "pair_blocks",
    "pair_differences",
    "pair_means",
    "paired_matrix",
    "paired_test",
    "pairwise_accuracy",
    "pearson",
    "percent_agreement",
    "permutation",
    "permutation_matrix",
    "plackett_luce",
    "pooled_difference_pearson",
    "pooled_difference_stack",
    "pooled_differences",
    "position_effect",
    "ppi_mean",
    "prediction_powered",
    "proportion",
    "proportion_difference",
    "rank_clusters",
    "restricted_kendall",
    "round_half",
    "self_preference",
    "skillings_mack",
    "soft_pairwise_accuracy",
    "spearman",
    "spread_ratio",
    "subset",
    "subsets",
    "system_means",
    "system_pairs",
    "tie_calibration",
    "tukey",
    "two_raters",
    "williams",
    "williams_arrays",
    "williams_matrix",
    "williams_stack",
]
