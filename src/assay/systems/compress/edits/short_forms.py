"""Short forms: fewer words that say the same, by lists and rules; no model is involved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ....errors import UnknownName
from ....text.lexicon.numbers import WORDS as NUMBERS
from ....text.lexicon.numbers import value_of
from ....text.logic.numbers import MONTHS
from ....text.parse.flat import ParsedText
from ._inflections import inflect_verb

KINDS = ("phrase", "nominalization", "numeral", "date", "abbreviation", "contraction")
DEFAULT_KINDS = "phrase+nominalization+numeral+date+abbreviation"
_AUXILIARY_WORDS = "is are was were do does did has have had would could should"
_AUXILIARIES = {word: f"{word}n't" for word in _AUXILIARY_WORDS.split()}
_AUXILIARIES |= {"will": "won't", "can": "can't"}
_CLITICS = {"is": "'s", "are": "'re", "am": "'m", "will": "'ll", "have": "'ve", "would": "'d"}
_PRONOUNS = frozenset(["i", "you", "he", "she", "it", "we", "they", "that", "there"])
_ORDINAL = re.compile(r"([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)")
# no more than 5 is not no over 5
_DEGREES = frozenset(
    {"no", "not", "n't", "never", "little", "much", "far", "any", "rather", "nothing", "even", "slightly"}
)
_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "DET", "NUM", "PRON"})


class ShortForm(NamedTuple):
    """Tokens `first` to `last` (excluded) and the text that may stand for them."""

    first: int
    last: int
    text: str
    kind: str


def parse_form_kinds(text: str) -> frozenset[str]:
    """Parse a setting of kinds joined by +: all, none, or some of them.

    >>> sorted(parse_form_kinds("date+numeral")), len(parse_form_kinds("all"))
    (['date', 'numeral'], 6)
    """
    if text in ("all", "none"):
        return frozenset(KINDS if text == "all" else ())
    kinds = [part.strip() for part in text.split("+")]
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownName("kind of short form", kind, KINDS, hint=f"(all, none, or of {', '.join(KINDS)} with +)")
    return frozenset(kinds)


def find_short_forms(a: ParsedText, kinds: frozenset[str]) -> list[ShortForm]:
    """Find the short forms that a text has room for, first and longest first; they do not overlap.

    >>> from assay.text.parse.flat import parse_texts
    >>> [a] = parse_texts(["They made a decision to stay for one hundred and fifty days in order to help."])
    >>> [(form.text, form.kind) for form in find_short_forms(a, frozenset(KINDS))]
    [('decided to', 'nominalization'), ('150', 'numeral'), ('to', 'phrase')]
    """
    words = [token.text.lower() for token in a.tokens]
    forms = [
        *(form for form in _phrases(a, words) if form.kind in kinds),
        *(_nominalizations(a, words) if "nominalization" in kinds else ()),
        *(_numerals(words) if "numeral" in kinds else ()),
        *(_dates(a, words) if "date" in kinds else ()),
        *(_abbreviations(a) if "abbreviation" in kinds else ()),
        *(_contractions(words) if "contraction" in kinds else ()),
    ]
    selection: list[ShortForm] = []
    for form in sorted(forms, key=lambda form: (form.first, -form.last)):
        if not selection or form.first >= selection[-1].last:
            selection.append(form)
    return selection


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    new: str
    following: str


@cache
def _read(name: str) -> dict[str, list[_Phrase]]:
    """Read a list by the first word of each phrase, longest first."""
    phrases: dict[str, list[_Phrase]] = {}
    for line in (files("assay.systems.compress.edits") / "data" / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            old, new, following = (*line.split("\t"), "")[:3]
            words = tuple(old.split())
            phrases.setdefault(words[0], []).append(_Phrase(words, new, following))
    for several in phrases.values():
        several.sort(key=lambda phrase: -len(phrase.words))
    return phrases


def _phrases(a: ParsedText, words: Sequence[str]) -> Iterator[ShortForm]:
    table = _read("short-forms.tsv")
    for i, word in enumerate(words):
        for phrase in table.get(word, ()):
            last = i + len(phrase.words)
            if tuple(words[i:last]) == phrase.words and _follows(a, last, phrase.following):
                if phrase.following == "number" and i and words[i - 1] in _DEGREES:
                    continue
                if phrase.new == "%" and not (i and words[i - 1][-1:].isdigit()):
                    continue
                kind = "abbreviation" if phrase.new.isupper() or phrase.new == "%" else "phrase"
                if kind == "abbreviation" and phrase.new != "%" and not a.tokens[i].text[0].isupper():
                    continue
                yield ShortForm(i, last, phrase.new, kind)
                break


def _follows(a: ParsedText, i: int, wanted: str) -> bool:
    """Check if the token at a place is what a phrase asks for: a number, a verb, a noun or its modifier."""
    if not wanted:
        return True
    if i >= len(a.words):
        return False
    pos = a.words[i].pos
    if wanted == "number":
        return pos == "NUM" or a.tokens[i].text[0].isdigit() or a.tokens[i].text in ("$", "£", "€")
    return pos in ("VERB", "AUX", "ADV") if wanted == "verb" else pos in _NOMINAL


def _nominalizations(a: ParsedText, words: Sequence[str]) -> Iterator[ShortForm]:
    table = _read("light-verbs.tsv")
    for i, word in enumerate(a.words):
        if word.pos not in ("VERB", "AUX"):
            continue
        for phrase in table.get(word.lemma.lower(), ()):
            last = i + len(phrase.words)
            if tuple(words[i + 1 : last]) == phrase.words[1:]:
                verb, _, rest = phrase.new.partition(" ")
                form = inflect_verb(verb, word.tag)
                if form is not None and not (phrase.words[-1] == "to" and not _follows(a, last, "verb")):
                    yield ShortForm(i, last, f"{form} {rest}".strip(), "nominalization")
                    break


def _numerals(words: Sequence[str]) -> Iterator[ShortForm]:
    """Find numbers of several words: one hundred and fifty. Millions stay words: 2 million is what people write."""
    i = 0
    while i < len(words):
        last = i
        while last < len(words) and (words[last] in NUMBERS or (last > i and words[last] in ("-", "and"))):
            last += 1
        while last > i and words[last - 1] in ("-", "and"):
            last -= 1
        if last - i > 1 and not {"million", "billion", "trillion"} & set(words[i:last]):
            value = value_of([word for word in words[i:last] if word != "and"])
            if value.isdigit() and words[i] != "dozen" and ("and" not in words[i:last] or "hundred" in words[i:last]):
                yield ShortForm(i, last, f"{int(value):,}" if int(value) > 9999 else value, "numeral")
        i = max(last, i + 1)


def _dates(a: ParsedText, words: Sequence[str]) -> Iterator[ShortForm]:
    """Find the 3rd of January, January the 3rd: January 3."""
    for i, word in enumerate(words):
        if word not in MONTHS or not a.tokens[i].text[0].isupper():
            continue
        month = a.tokens[i].text
        if i >= 2 and words[i - 1] == "of" and (day := _ORDINAL.fullmatch(words[i - 2])):
            first = i - 3 if i >= 3 and words[i - 3] == "the" else i - 2
            yield ShortForm(first, i + 1, f"{month} {day[1]}", "date")
        elif i + 2 < len(words) and words[i + 1] == "the" and (day := _ORDINAL.fullmatch(words[i + 2])):
            yield ShortForm(i, i + 3, f"{month} {day[1]}", "date")


def _abbreviations(a: ParsedText) -> Iterator[ShortForm]:
    """Find later mentions of a name that the text itself abbreviates: World Health Organization (WHO)."""
    forms = [token.text for token in a.tokens]
    for i in range(1, len(forms) - 2):
        short = forms[i + 1]
        if forms[i] != "(" or forms[i + 2] != ")" or not (short.isupper() and short.isalpha() and len(short) >= 2):
            continue
        if (first := _stands_for(forms, i, short)) is None:
            continue
        name = forms[first:i]
        for j in range(i + 3, len(forms) - len(name) + 1):
            if forms[j : j + len(name)] == name:
                yield ShortForm(j, j + len(name), short, "abbreviation")


def _stands_for(forms: Sequence[str], end: int, short: str) -> int | None:
    """Return where the name before a place begins that has these capital letters."""
    letters = list(short)
    for first in range(end - 1, max(-1, end - 2 * len(short) - 3), -1):
        word = forms[first]
        if letters and word[:1] == letters[-1]:
            letters.pop()
            if not letters:
                return first if end - first > 1 else None
        elif word[:1].isupper():
            return None
    return None


def _contractions(words: Sequence[str]) -> Iterator[ShortForm]:
    for i in range(len(words) - 1):
        if words[i] in _AUXILIARIES and words[i + 1] == "not":
            yield ShortForm(i, i + 2, _AUXILIARIES[words[i]], "contraction")
        elif words[i] == "can" and words[i + 1] == "not":
            yield ShortForm(i, i + 2, "can't", "contraction")
        elif words[i] in _PRONOUNS and words[i + 1] in _CLITICS and i + 2 < len(words) and words[i + 2].isalpha():
            yield ShortForm(i, i + 2, words[i] + _CLITICS[words[i + 1]], "contraction")
