"""Paraphrases from the test set itself: sources and references as a bitext (Owczarzak et al. 2006)."""

from .equivalence_sets import EquivalenceSet, Member, Paraphrases, Replacement, paraphrases
from .expand import HOW, Variant, alternatives, expand, nearest, score_expanded, variants
from .explain import ParaphraseEffects, explain_scores

__all__ = [
    "HOW",
    "EquivalenceSet",
    "Member",
    "ParaphraseEffects",
    "Paraphrases",
    "Replacement",
    "Variant",
    "alternatives",
    "expand",
    "explain_scores",
    "nearest",
    "paraphrases",
    "score_expanded",
    "variants",
]
