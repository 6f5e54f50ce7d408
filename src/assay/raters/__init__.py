"""Questions about raters, people and LLM judges alike: agreement, consistency, severity, the alt-test, sample sizes.

Every function takes an EvalSet (or anything with `dimensions` and `ratings(dimension)`) and a dimension, or Ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .agreement import Agreement as Agreement
    from .agreement import AgreementTable as AgreementTable
    from .agreement import agreement as agreement
    from .agreement import agreement_table as agreement_table
    from .alt_test import AgainstHuman as AgainstHuman
    from .alt_test import AltTest as AltTest
    from .alt_test import alt_test as alt_test
    from .consistency import Consistency as Consistency
    from .consistency import RaterConsistency as RaterConsistency
    from .consistency import consistency as consistency
    from .drop import MetricChange as MetricChange
    from .drop import SystemChange as SystemChange
    from .drop import WithoutEachRater as WithoutEachRater
    from .drop import WithoutRaters as WithoutRaters
    from .drop import drop_each_rater as drop_each_rater
    from .drop import drop_raters as drop_raters
    from .editors import EditorQuality as EditorQuality
    from .editors import MeanChange as MeanChange
    from .editors import WithoutEditors as WithoutEditors
    from .editors import drop_editors as drop_editors
    from .editors import without_editors as without_editors
    from .experts import ExpertComparison as ExpertComparison
    from .experts import MeansAgreement as MeansAgreement
    from .experts import experts as experts
    from .input import HasRatings as HasRatings
    from .input import combine_dimensions as combine_dimensions
    from .judge_table import AssessedAssessor as AssessedAssessor
    from .judge_table import JudgeTable as JudgeTable
    from .judge_table import LeftOut as LeftOut
    from .judge_table import judge_table as judge_table
    from .judge_verdict import Limits as Limits
    from .judge_verdict import decide as decide
    from .panel import RaterPanel as RaterPanel
    from .panel import rater_panel as rater_panel
    from .ranking import RankedRater as RankedRater
    from .ranking import RaterRanking as RaterRanking
    from .ranking import rank_raters as rank_raters
    from .ranking_agreement import RankingAgreement as RankingAgreement
    from .ranking_agreement import ranking_agreement as ranking_agreement
    from .rater_pairs import RaterPair as RaterPair
    from .rater_pairs import rater_pairs as rater_pairs
    from .sample_size import SampleSize as SampleSize
    from .sample_size import rating_components as rating_components
    from .sample_size import sample_size as sample_size
    from .severity import RaterProfile as RaterProfile
    from .severity import Severity as Severity
    from .severity import severity as severity

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".agreement": "Agreement AgreementTable agreement agreement_table",
            ".alt_test": "AgainstHuman AltTest alt_test",
            ".consistency": "Consistency RaterConsistency consistency",
            ".drop": "MetricChange SystemChange WithoutEachRater WithoutRaters drop_each_rater drop_raters",
            ".editors": "EditorQuality MeanChange WithoutEditors drop_editors without_editors",
            ".experts": "ExpertComparison MeansAgreement experts",
            ".input": "HasRatings combine_dimensions",
            ".judge_table": "AssessedAssessor JudgeTable LeftOut judge_table",
            ".judge_verdict": "Limits decide",
            ".panel": "RaterPanel rater_panel",
            ".ranking": "RankedRater RaterRanking rank_raters",
            ".ranking_agreement": "RankingAgreement ranking_agreement",
            ".rater_pairs": "RaterPair rater_pairs",
            ".sample_size": "SampleSize rating_components sample_size",
            ".severity": "RaterProfile Severity severity",
        },
    )
