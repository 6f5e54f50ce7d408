"""Senses of inflected words and of phrases."""

from __future__ import annotations

import pytest

from assay.text.lexicon.senses import multiword_senses, senses_of


@pytest.mark.parametrize(("a", "b"), [("cars", "automobile"), ("bought", "purchase"), ("bigger", "large")])
def test_forms_share_the_senses_of_their_lemmas(a, b):
    assert set(senses_of(a)) & set(senses_of(b))


def test_what_has_no_sense():
    assert senses_of("qqqq") == senses_of("") == ()
    assert multiword_senses(("the", "house")) == ()


def test_phrases_are_inflected_in_their_first_or_last_word():
    assert set(multiword_senses(("stepped", "down"))) & set(senses_of("resigned"))
    assert set(multiword_senses(("prime", "ministers"))) & set(multiword_senses(("prime", "minister")))
