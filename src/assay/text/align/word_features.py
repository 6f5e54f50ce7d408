"""Features of words for the monolingual aligner: stem, senses, value and class; phrases that could be one word."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from ... import _core
from ..lexicon.numbers import WORDS as NUMBER_WORDS
from ..lexicon.numbers import value_of
from ..lexicon.senses import multiword_senses, senses_of
from ..stems import irregular_forms

CONTENT, FUNCTION, MARK = range(3)  # as the core counts them
_MAX_PHRASE = 5  # words in a phrase
_FUNCTION_WORDS = """
    a an the this that these those some any no every each all both either neither such what which who whom whose
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs myself yourself
    himself herself itself ourselves themselves one 's s ' am is are was were be been being do does did have has had
    having will would shall should can could may might must ca wo n't not 'll 're 've 'm 'd and or but nor so yet if
    than then as because since although though while whereas unless until till when where why how whether that of in
    on at by for with about against between into through during before after above below to from up down out off over
    under upon onto within without across along among around behind beside besides beyond despite except inside near
    per since toward towards via there here also too very just only even still already again more most less least much
    many few other another own same &"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_SIGNS = frozenset("%$€£")  # marks that are words
_Word = tuple[str, str, str, list[int], int]
_Span = tuple[int, int, str, str, str, list[int]]


def describe_words(forms: list[str]) -> _core.MonoText:
    """Describe words, and spans of up to five that could be one word or name, for the core."""
    lower = [form.lower().replace("’", "'") for form in forms]
    words = [_word(form) for form in lower]
    return _core.MonoText(words, [span for start in range(len(forms)) for span in _spans(forms, lower, words, start)])


@lru_cache(maxsize=2**17)
def _word(form: str) -> _Word:
    kind = word_class(form)
    senses = [] if kind != CONTENT else list(senses_of(form.replace(".", "")))
    stem = form if kind == MARK else stem_of(form)
    return form, stem, value_of([form]), sorted({*senses, *_equivalent(form), *_equivalent(_base(form))}), kind


def word_class(form: str) -> int:
    """Return the class of a lower-case form: content word (0), function word (1) or mark (2).

    >>> [word_class(w) for w in ("house", "the", ",", "%")]
    [0, 1, 2, 0]
    """
    if form in _FUNCTION:
        return FUNCTION
    return CONTENT if form in _SIGNS or any(c.isalnum() for c in form) else MARK


def _spans(forms: list[str], lower: list[str], words: list[_Word], start: int) -> list[_Span]:
    spans = []
    for end in range(start + 2, min(len(forms), start + _MAX_PHRASE) + 1):
        part = lower[start:end]
        if words[start][4] == MARK or words[end - 1][4] == MARK:
            continue
        joined = "".join(part) if end - start == 2 else "".join([part[0], *part[2:]]) if part[1] == "-" else ""
        if len(joined) < 4 or end - start > 3:
            joined = ""
        initials, value = _initials(forms[start:end]), _value(tuple(part))
        senses = _phrase(tuple(part))
        if joined or initials or value or senses:
            spans.append((start, end, joined, initials, value, list(senses)))
    return spans


def _initials(forms: list[str]) -> str:
    """Return the initials of a name, UN of United Nations; small words between capitals are left out."""
    capitals = [form[0].lower() for form in forms if form[0].isupper()]
    small = all(form[0].isupper() or form.lower() in _FUNCTION for form in forms)
    whole = small and forms[0][0].isupper() and forms[-1][0].isupper() and len(capitals) > 1
    return "".join(capitals) if whole else ""


def _value(part: tuple[str, ...]) -> str:
    return value_of(part) if part[-1] in NUMBER_WORDS or part[0].isdecimal() else ""


@lru_cache(maxsize=2**17)
def _phrase(part: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sorted({*multiword_senses(part), *_equivalent(" ".join(part))}))


def _equivalent(text: str) -> tuple[int, ...]:
    return _groups().get(text, ())


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[int, ...]]:
    """Map each word or phrase of the table to its groups, as numbers that no synset has."""
    groups: dict[str, tuple[int, ...]] = {}
    lines = (files("assay.text") / "data" / "equivalents.txt").read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("#"):
            for text in line.split(" = "):
                groups[text] = (*groups.get(text, ()), -number)
    return groups


@lru_cache(maxsize=2**17)
def stem_of(form: str) -> str:
    """Return the Porter stem of a lower-case form, or of the form that it is irregular for.

    >>> stem_of("buying"), stem_of("bought")
    ('buy', 'buy')
    """
    return _core.porter(irregular_forms().get(form, form))


def _base(form: str) -> str:
    """Return the likely dictionary form, to look it up in the table."""
    if form in irregular_forms():
        return irregular_forms()[form]
    for ending in ("s", "ed", "ing", "es", "d"):
        if form.endswith(ending) and form[: -len(ending)] in _groups():
            return form[: -len(ending)]
    return form
