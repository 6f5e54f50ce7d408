"""Inflections: a verb or noun in another form, where its spelling can be told."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# Base, past, past participle; what is not here and irregular in WordNet's list is not inflected.
_IRREGULAR = """
be was been|bear bore born|begin began begun|break broke broken|bring brought brought|build built built
buy bought bought|choose chose chosen|come came come|cut cut cut|do did done|draw drew drawn
drive drove driven|eat ate eaten|fall fell fallen|feel felt felt|fight fought fought|find found found
fly flew flown|get got gotten|give gave given|go went gone|grow grew grown|have had had|hear heard heard
hit hit hit|hold held held|keep kept kept|know knew known|lead led led|leave left left|lose lost lost
make made made|mean meant meant|meet met met|pay paid paid|put put put|read read read|rise rose risen
run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set
show showed shown|sit sat sat|speak spoke spoken|spend spent spent|stand stood stood|take took taken
teach taught taught|tell told told|think thought thought|understand understood understood|win won won
write wrote written
"""
_VERBS = {
    forms[0]: (forms[1], forms[2])
    for line in _IRREGULAR.strip().splitlines()
    for forms in [part.split() for part in line.split("|")]
}
_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_DOUBLE = frozenset({"stop", "plan", "refer", "permit", "admit", "commit", "occur", "prefer", "control", "cancel"})
_TAGS = ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")


def inflect_verb(lemma: str, tag: str) -> str | None:
    """Return the form of a verb with this tag of the Penn Treebank; None if its spelling cannot be told.

    >>> [inflect_verb("decide", tag) for tag in ("VB", "VBZ", "VBD", "VBG")], inflect_verb("meet", "VBN")
    (['decide', 'decides', 'decided', 'deciding'], 'met')
    >>> inflect_verb("forsake", "VBD") is None
    True
    """
    if tag not in _TAGS or not lemma.isalpha():
        return None
    if tag in ("VB", "VBP"):
        return ("are" if tag == "VBP" else "be") if lemma == "be" else lemma
    if tag == "VBZ":
        return _THIRD.get(lemma) or _add_s(lemma)
    stem = lemma + lemma[-1] if _doubles(lemma) else lemma
    if tag == "VBG":
        return _add_ing(stem)
    if lemma in _VERBS:
        return _VERBS[lemma][tag == "VBN"]
    return None if lemma in _irregular_bases() else _add_ed(stem)


def inflect_noun(lemma: str) -> str | None:
    """Return the plural of a noun; None if it is irregular.

    >>> inflect_noun("service"), inflect_noun("city"), inflect_noun("child")
    ('services', 'cities', None)
    """
    return None if not lemma.isalpha() or lemma in _irregular_bases() else _add_s(lemma)


def _add_s(word: str) -> str:
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", word) else "s")


def _add_ing(stem: str) -> str:
    if stem.endswith("ie"):
        return stem[:-2] + "ying"
    return (stem[:-1] if re.search(r".[^aeiouy]e$|ue$", stem) else stem) + "ing"  # be: being


def _add_ed(stem: str) -> str:
    if re.search(r"[^aeiou]y$", stem):
        return stem[:-1] + "ied"
    return stem + ("d" if stem.endswith("e") else "ed")


def _doubles(lemma: str) -> bool:
    """Whether the last consonant is doubled: always in a short verb (cut), else where the list says so."""
    return lemma in _DOUBLE or re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", lemma) is not None


@cache
def _irregular_bases() -> frozenset[str]:
    lines = (files("assay.text") / "data" / "wordnet-exceptions.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    regular = {form for _, *bases in rows for base in bases for form in (_add_s(base), _add_ed(base), _add_ing(base))}
    doubled = {form for _, *bases in rows for b in bases for form in (_add_ed(b + b[-1]), _add_ing(b + b[-1]))}
    return frozenset(base for form, *bases in rows for base in bases if form not in regular | doubled)
