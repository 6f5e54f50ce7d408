"""Paraphrases from the test set itself: sources and references as a bitext (Owczarzak et al. 2006)."""

from .expand import HOW, Variant, alternatives, expand, nearest, scored, variants
from .sets import EquivalenceSet, Member, Paraphrases, Replacement, paraphrases

__all__ = [
    "HOW",
    "EquivalenceSet",
    "Member",
    "Paraphrases",
    "Replacement",
    "Variant",
    "alternatives",
    "expand",
    "nearest",
    "paraphrases",
    "scored",
    "variants",
]
