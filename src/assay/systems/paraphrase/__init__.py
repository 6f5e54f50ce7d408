"""Paraphrases from the test set itself: sources and references as a bitext (Owczarzak et al. 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .equivalence_sets import EquivalenceSet as EquivalenceSet
    from .equivalence_sets import Member as Member
    from .equivalence_sets import Paraphrases as Paraphrases
    from .equivalence_sets import Replacement as Replacement
    from .equivalence_sets import paraphrases as paraphrases
    from .expand import HOW as HOW
    from .expand import Variant as Variant
    from .expand import alternatives as alternatives
    from .expand import expand as expand
    from .expand import nearest as nearest
    from .expand import score_expanded as score_expanded
    from .expand import variants as variants
    from .explain import ParaphraseEffects as ParaphraseEffects
    from .explain import explain_scores as explain_scores

    __all__: list[str]  # these names
else:
    from ...lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".equivalence_sets": "EquivalenceSet Member Paraphrases Replacement paraphrases",
            ".expand": "HOW Variant alternatives expand nearest score_expanded variants",
            ".explain": "ParaphraseEffects explain_scores",
        },
    )
