"""The tags of `edit`: what may be put in the place of a word, or before it."""

from __future__ import annotations

from collections.abc import Sequence

from ....text.lexicon.wordnet import synsets
from ....text.parse.sentence import Word
from ._inflections import inflect_noun, inflect_verb

FORMS = ("VB", "VBZ", "VBD", "VBG", "NN", "NNS")
_VERBS = ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")


def list_tags(phrases: Sequence[str]) -> list[str]:
    """List the tags: the word as it is, another form of it, a phrase in its place, a phrase before it.

    >>> list_tags(["over"])[-2:]
    ['replace over', 'insert over']
    """
    forms = [f"inflect {form}" for form in FORMS]
    return ["", *forms, *(f"replace {phrase}" for phrase in phrases), *(f"insert {phrase}" for phrase in phrases)]


def inflect(word: Word, form: str) -> str | None:
    """Return a word in another form; None if it has none or its spelling cannot be told.

    >>> inflect(Word("proposed", "propose", "VERB", "VBD", "", -1, "root"), "VBZ")
    'proposes'
    """
    lemma = word.lemma.lower()
    if not synsets(lemma, "v" if word.pos == "VERB" else "n"):  # what the parser takes for a lemma may be no word
        return None
    if word.pos == "VERB" and word.tag in _VERBS and form in _VERBS:
        return inflect_verb(lemma, form)
    if word.pos == "NOUN" and form in ("NN", "NNS"):
        return lemma if form == "NN" else inflect_noun(lemma)
    return None


def find_form(word: Word | None, text: str) -> str | None:
    """Return the form of a word that a text is; None if it is none of them, or the word itself."""
    if word is None or word.form.lower() == text:
        return None
    return next((form for form in FORMS if inflect(word, form) == text), None)
