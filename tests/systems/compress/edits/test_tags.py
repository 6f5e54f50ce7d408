"""Tags of `edit`: which form of a word a text is."""

from __future__ import annotations

import pytest

from assay.systems.compress.edits._tags import FORMS, find_form, inflect, list_tags
from assay.text.parse.sentence import Word


def word(form, lemma, pos, tag):
    return Word(form, lemma, pos, tag, "", -1, "root")


PROPOSED, CITIES = word("proposed", "Propose", "VERB", "VBD"), word("Cities", "city", "NOUN", "NNS")


def test_tags_in_order():
    tags = list_tags(["over", "due to"])
    assert tags[:7] == ["", *(f"inflect {form}" for form in FORMS)]
    assert tags[7:] == ["replace over", "replace due to", "insert over", "insert due to"]


@pytest.mark.parametrize(
    ("changed", "form", "text"),
    [
        (PROPOSED, "VBZ", "proposes"),
        (PROPOSED, "NN", None),
        (CITIES, "NN", "city"),
        (CITIES, "NNS", "cities"),
        (CITIES, "VBZ", None),
        (word("must", "must", "VERB", "MD"), "VBZ", None),
        (word("Xqzs", "xqz", "NOUN", "NNS"), "NN", None),  # no word of the lexicon
        (word("quick", "quick", "ADJ", "JJ"), "NN", None),
    ],
)
def test_another_form(changed, form, text):
    assert inflect(changed, form) == text


def test_the_form_that_a_text_is():
    assert find_form(PROPOSED, "proposing") == "VBG"
    assert find_form(PROPOSED, "propose") == "VB"
    assert find_form(PROPOSED, "proposed") is None  # the word itself
    assert find_form(CITIES, "cities") is None
    assert find_form(CITIES, "city") == "NN"
    assert find_form(CITIES, "town") is find_form(None, "city") is None
