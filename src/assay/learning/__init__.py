"""Training scorers: from judged sets and features to a metric in a file, with honest figures beside it."""

from .dataset import Material, fingerprint, judged, material
from .fit import AgainstBest, Lesson, against_best, learn, taught
from .selection import Years, learn_years, on_third_set, worst_assessors

__all__ = [
    "AgainstBest",
    "Lesson",
    "Material",
    "Years",
    "against_best",
    "fingerprint",
    "judged",
    "learn",
    "learn_years",
    "material",
    "on_third_set",
    "taught",
    "worst_assessors",
]  # fmt: skip
