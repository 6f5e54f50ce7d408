"""Taggers that may be installed: HanTa (German, Dutch), Voikko (Finnish), Vabamorf of EstNLTK (Estonian).

None is a list of words: they are asked for lemma and part of speech of forms that other sources have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from ...extras import import_extra
from ...text.compounds.language import Language
from ._forms import Form

MAX_FORMS = 60_000  # forms that a tagger is asked for, the most frequent ones: HanTa takes about a millisecond each


@dataclass(frozen=True)
class WordTagger:
    """Where parts of speech come from: whether it is there, how to ask it, how to install it."""

    is_there: Callable[[], bool]
    tag: Callable[[Language, Iterable[str]], Iterator[Form]]
    install: str


HANTA_TAGS = {"NN": "N", "NE": "N", "N": "N", "VV": "V", "VA": "V", "VM": "V", "V": "V", "WW": "V", "VZ": "P"}
HANTA_TAGS |= {"ADJ": "A", "ADV": "R", "BW": "R", "CARD": "C", "TW": "C", "APPR": "P", "AP": "P", "PTK": "P"}
HANTA_TAGS |= {"KO": "F", "VG": "F", "ART": "F", "LID": "F", "P": "F"}


def tag_with_hanta(language: Language, words: Iterable[str]) -> Iterator[Form]:
    """Ask HanTa; its tags are those of STTS for German and of the CGN for Dutch."""
    tagger = import_extra("HanTa.HanoverTagger", "compounds", "HanTa").HanoverTagger(language.sources["hanta"])
    for word in words:
        lemma, tag = tagger.analyze(word)
        yield Form(word, lemma, find_by_start(HANTA_TAGS, tag))


def find_by_start(table: dict[str, str], tag: str) -> str:
    """Return the entry of the longest key that a tag begins with, else nothing.

    >>> find_by_start(HANTA_TAGS, "VV(FIN)"), find_by_start(HANTA_TAGS, "PDS"), find_by_start(HANTA_TAGS, "$.")
    ('V', 'F', '')
    """
    keys = [key for key in table if tag.startswith(key)]
    return table[max(keys, key=len)] if keys else ""


VOIKKO_TAGS = {"nimisana": "N", "etunimi": "N", "sukunimi": "N", "paikannimi": "N", "nimi": "N", "teonsana": "V"}
VOIKKO_TAGS |= {"laatusana": "A", "nimisana_laatusana": "NA", "seikkasana": "R", "lukusana": "C", "suhdesana": "P"}
VOIKKO_TAGS |= {"asemosana": "F", "sidesana": "F", "kieltosana": "F"}


def tag_with_voikko(language: Language, words: Iterable[str]) -> Iterator[Form]:
    """Ask Voikko; a form that it does not know gets nothing."""
    voikko = import_extra("libvoikko", "compounds", "Voikko").Voikko("fi")
    try:
        for word in words:
            analyses = voikko.analyze(word)
            tags = {tag for a in analyses for tag in VOIKKO_TAGS.get(a.get("CLASS", ""), "")}
            if tags:
                yield Form(word, analyses[0].get("BASEFORM", ""), "".join(sorted(tags)))
    finally:
        voikko.terminate()


VABAMORF_TAGS = {"S": "N", "H": "N", "V": "V", "A": "A", "C": "A", "U": "A", "G": "A", "D": "R", "N": "C", "O": "C"}
VABAMORF_TAGS |= {"K": "P", "J": "F", "P": "F"}


def tag_with_vabamorf(language: Language, words: Iterable[str]) -> Iterator[Form]:
    """Ask Vabamorf for every analysis of each form, without guesses at unknown ones."""
    morph = import_extra("estnltk.vabamorf.morf", "compounds", "Vabamorf").Vabamorf.instance()
    for row in morph.analyze(list(words), disambiguate=False, guess=False, propername=False):
        analyses = [a for a in row["analysis"] if a["partofspeech"] in VABAMORF_TAGS]
        if analyses:
            tags = {VABAMORF_TAGS[a["partofspeech"]] for a in analyses}
            yield Form(row["text"], analyses[0]["lemma"], "".join(sorted(tags)))


@cache
def _has_voikko() -> bool:
    """Check if the package, the library and the dictionary are there: the last two are not of PyPI."""
    try:
        module: Any = import_extra("libvoikko", "compounds", "Voikko")
        return "fi" in module.Voikko.listSupportedSpellingLanguages()
    except (ImportError, OSError):
        return False


TAGGERS = {
    "hanta": WordTagger(lambda: find_spec("HanTa") is not None, tag_with_hanta, "pip install HanTa"),
    "voikko": WordTagger(_has_voikko, tag_with_voikko, "pip install libvoikko && apt install libvoikko1 voikko-fi"),
    "vabamorf": WordTagger(lambda: find_spec("estnltk") is not None, tag_with_vabamorf, "pip install estnltk"),
}
