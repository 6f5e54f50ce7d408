"""Questions about raters, people and LLM judges alike: agreement, consistency, severity, the alt-test, sample sizes.

Every function takes an EvalSet (or anything with `dimensions` and `ratings(dimension)`) and a dimension, or Ratings.
"""

from ._input import HasRatings, combine_dimensions
from .agreement import Agreement, AgreementTable, agreement, agreement_table
from .alt_test import AgainstHuman, AltTest, alt_test
from .consistency import Consistency, RaterConsistency, consistency
from .drop import MetricChange, SystemChange, WithoutEachRater, WithoutRaters, drop_each_rater, drop_raters
from .editors import EditorQuality, MeanChange, WithoutEditors, drop_editors, without_editors
from .experts import ExpertComparison, MeansAgreement, experts
from .judge_table import AssessedAssessor, JudgeTable, LeftOut, judge_table
from .judge_verdict import Limits, decide
from .panel import RaterPanel, rater_panel
from .ranking import RankedRater, RaterRanking, rank_raters
from .ranking_agreement import RankingAgreement, ranking_agreement
from .rater_pairs import RaterPair, rater_pairs
from .sample_size import SampleSize, rating_components, sample_size
from .severity import RaterProfile, Severity, severity

__all__ = [
    "AgainstHuman",
    "Agreement",
    "AgreementTable",
    "AltTest",
    "AssessedAssessor",
    "Consistency",
    "EditorQuality",
    "ExpertComparison",
    "HasRatings",
    "JudgeTable",
    "LeftOut",
    "Limits",
    "MeanChange",
    "MeansAgreement",
    "MetricChange",
    "RankedRater",
    "RankingAgreement",
    "RaterConsistency",
    "RaterPair",
    "RaterPanel",
    "RaterProfile",
    "RaterRanking",
    "SampleSize",
    "Severity",
    "SystemChange",
    "WithoutEachRater",
    "WithoutEditors",
    "WithoutRaters",
    "agreement",
    "agreement_table",
    "alt_test",
    "combine_dimensions",
    "consistency",
    "decide",
    "drop_each_rater",
    "drop_editors",
    "drop_raters",
    "experts",
    "judge_table",
    "rank_raters",
    "ranking_agreement",
    "rater_pairs",
    "rater_panel",
    "rating_components",
    "sample_size",
    "severity",
    "without_editors",
]
