"""What is said of paraphrases."""

from __future__ import annotations

from assay.systems.paraphrase.equivalence_sets import EquivalenceSet, Member, Paraphrases
from assay.systems.paraphrase.explain import ParaphraseEffects, ReplacementEffect, ScoreChange


def test_members_stand_under_their_source():
    group = EquivalenceSet("antwort", 4, (Member("answer", 3, 0.75, 1.0), Member("reply", 1, 0.25, 1.0)))
    view = Paraphrases((group,), "least=2", 24, skipped=1).view()
    assert view.headline == (
        "1 set of equivalent words and phrases, 2 in all, from 24 lines. 1 line empty or too long, left out."
    )
    assert [row[:3] for row in view.tables[0].rows()] == [("antwort", "answer", "3"), ("", "reply", "1")]


def test_effects_quote_the_means():
    effect = ReplacementEffect("reply > answer", 1, 0.5, 0.5, "A", "1")
    effects = ParaphraseEffects("rouge1", "rouge1()", 1, (ScoreChange("A", 0.5, 1.0, 1),), (effect,))
    assert effects.view().headline.startswith(
        "rouge1: 0.5000 with the original references, 1.0000 with paraphrases (mean of 1 system)."
    )
