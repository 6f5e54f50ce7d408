"""Questions about raters, people and LLM judges alike, each answered as a Result with a sentence.

Every function takes an EvalSet (or anything with `dimensions` and `ratings(dimension)`) and a dimension, or Ratings.
"""

from ._input import Judged, combined, positional
from .agreement import Agreement, agreement
from .alt_test import AgainstHuman, Alternative, alternative
from .authors import DroppedAuthors, drop_authors
from .consistency import Consistency, RaterConsistency, consistency
from .drop import Dropped, MetricChange, drop
from .experts import Experts, Matched, experts
from .ranking import Ranking, rank_raters
from .rater_pairs import RaterPair, rater_pairs
from .sample_size import Needed, needed, raters_for, spearman_brown
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
    "Ranking",
    "RaterConsistency",
    "RaterPair",
    "RaterProfile",
    "Severity",
    "agreement",
    "alternative",
    "combined",
    "consistency",
    "drop",
    "drop_authors",
    "experts",
    "needed",
    "positional",
    "rank_raters",
    "rater_pairs",
    "raters_for",
    "severity",
    "spearman_brown",
]  # fmt: skip
