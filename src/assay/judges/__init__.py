"""Questions about raters, people and LLM judges alike, each answered as a Result with a sentence.

Every function takes an EvalSet (or anything with `dimensions` and `ratings(dimension)`) and a dimension, or Ratings.
"""

from .agreement import Agreement, agreement
from .alternative import AgainstHuman, Alternative, alternative
from .authors import DroppedAuthors, drop_authors
from .consistency import Consistency, RaterConsistency, consistency
from .content_units import UnitAgreement, UnitScores, UnitTable, against, unit_kappas
from .drop import Dropped, MetricChange, drop
from .experts import Experts, Matched, experts
from .given import Judged, combined, positional
from .needed import Needed, needed, raters_for, spearman_brown
from .pairs import RaterPair, rater_pairs
from .pyramid import Pyramid, pyramid
from .ranking import Ranking, rank_raters
from .severity import RaterProfile, Severity, severity

__all__ = [
    "AgainstHuman",
    "Agreement",
    "Alternative",
    "Consistency",
    "Dropped",
    "DroppedAuthors",
    "Experts",
    "Judged",
    "Matched",
    "MetricChange",
    "Needed",
    "Pyramid",
    "Ranking",
    "RaterConsistency",
    "RaterPair",
    "RaterProfile",
    "Severity",
    "UnitAgreement",
    "UnitScores",
    "UnitTable",
    "against",
    "agreement",
    "alternative",
    "combined",
    "consistency",
    "drop",
    "drop_authors",
    "experts",
    "needed",
    "positional",
    "pyramid",
    "rank_raters",
    "rater_pairs",
    "raters_for",
    "severity",
    "spearman_brown",
    "unit_kappas",
]  # fmt: skip
