"""Sources of words: packages and word lists on this machine, each read into forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...extras import import_extra, install_line
from ...text.compounds.language import Language
from . import _hunspell
from ._forms import Form

DICTIONARIES = Path("/usr/share/dict")


@dataclass(frozen=True)
class WordSource:
    """Where words come from: whether it is there, how to read it, how to install it."""

    is_there: Callable[[Language], bool]
    read: Callable[[Language], Iterator[Form]]
    install: str


def read_wordfreq(language: Language) -> Iterator[Form]:
    """Read words and frequencies of wordfreq, and for German verbs and adjectives that their forms give away.

    A small list is filled up with the words of a close language, taken for ten times rarer.
    """
    read = import_extra("wordfreq", "compounds", "the lexicon").get_frequency_dict
    frequencies: dict[str, float] = read(language.sources["wordfreq"], "best")
    for word, frequency in frequencies.items():
        yield Form(word, zipf=math.log10(frequency) + 9)
    close: dict[str, float] = read(near, "best") if (near := language.sources.get("wordfreq_near")) else {}
    for word in close.keys() - frequencies.keys():
        yield Form(word, zipf=max(math.log10(close[word]) + 8, language.sources["least_zipf"]))
    if language.code == "de":
        yield from _german_classes(frequencies)
    if least := language.sources.get("paradigms"):
        yield from find_paradigms({*frequencies, *close}, language.endings, least)


def find_paradigms(words: Iterable[str], endings: Sequence[str], least: int) -> Iterator[Form]:
    """Find words with at least n inflected forms among the words: a corpus has them, and they are not noise.

    >>> [(f.text, f.lemma) for f in find_paradigms(["hus", "huse", "huset", "husets"], ["e", "et", "ets", "s"], 3)]
    [('hus', 'hus'), ('huse', 'hus'), ('huset', 'hus'), ('husets', 'hus')]
    """
    every, inflected = set(words), set[str]()
    for word in sorted(every, key=lambda word: (len(word), word)):
        if len(word) < 3 or word in inflected or not word.isalpha():
            continue
        forms = [form for ending in endings if (form := word + ending) in every and form not in inflected]
        if len(forms) >= least:
            inflected.update(forms)
            yield from (Form(form, word, dictionary=True) for form in (word, *forms))


def _german_classes(frequencies: dict[str, float]) -> Iterator[Form]:
    """Find German verbs and adjectives by their paradigms: sagen, sagt, sagte; klein, kleine, kleinem, kleines."""
    common = {word for word, frequency in frequencies.items() if frequency > 1e-8}
    for word in sorted(common):
        for ending, stem in (("eln", word[:-1]), ("ern", word[:-1]), ("en", word[:-2])):
            forms = [stem + suffix for suffix in ("t", "te", "ten", "end", "e", "st")]
            if word.endswith(ending) and len(stem) > 2 and sum(form in common for form in forms) >= 3:
                yield from (Form(form, word, "V", dictionary=True) for form in (word, *forms) if form in common)
                break
        forms = [word + ending for ending in ("e", "en", "er", "es", "em")]
        if len(word) > 2 and sum(form in common for form in forms) >= 4:
            yield from (Form(form, word, "A", dictionary=True) for form in (word, *forms) if form in common)


def read_german_nouns(language: Language) -> Iterator[Form]:
    """Read nouns and their forms from german-nouns."""
    import csv

    package = import_extra("german_nouns", "compounds", "the lexicon")
    path = Path(str(package.__path__[0])) / "nouns.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield from _noun_forms(row)


def _noun_forms(row: dict[str, str]) -> Iterator[Form]:
    lemma = row["lemma"]
    if any(kind in row["pos"] for kind in ("Nachname", "Vorname", "Abkürzung", "Eigenname")):
        return
    forms = {lemma, *(value for key, value in row.items() if value and key.startswith(_CASES))}
    yield from (Form(form, lemma, "N", dictionary=True) for form in sorted(forms))


_CASES = ("nominativ", "genitiv", "dativ", "akkusativ")


def read_simplemma(language: Language) -> Iterator[Form]:
    """Read forms and lemmas of simplemma; German ones show their part of speech."""
    strategies = import_extra("simplemma.strategies.dictionaries.dictionary_factory", "compounds", "the lexicon")
    table: dict[bytes, bytes] = strategies._load_dictionary_from_disk(language.sources["simplemma"])
    for key, value in table.items():
        form, lemma = key.decode("utf-8"), value.decode("utf-8")
        yield Form(form, lemma, _class_of(lemma) if language.capital_nouns else "", dictionary=True)


def _class_of(lemma: str) -> str:
    if lemma[:1].isupper():
        return "N"
    return "V" if lemma.endswith(("en", "eln", "ern")) else "A"


def read_word_list(language: Language) -> Iterator[Form]:
    """Read one of Debian's word lists."""
    yield from (Form(word, dictionary=True) for word in read_list(DICTIONARIES / language.sources["word_list"]))


def read_list(path: Path) -> list[str]:
    """Read the lines of a list in UTF-8 or, as the Norwegian one of Debian, in Latin 1."""
    content = path.read_bytes()
    try:
        return content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return content.decode("latin-1").split("\n")


def _has_package(name: str) -> Callable[[Any], bool]:
    return lambda _: find_spec(name) is not None


_EXTRA = install_line("compounds")
# In order: of several lemmas of a form the first stays.
SOURCES = {
    "german_nouns": WordSource(_has_package("german_nouns"), read_german_nouns, _EXTRA),
    "simplemma": WordSource(_has_package("simplemma"), read_simplemma, _EXTRA),
    "wordfreq": WordSource(_has_package("wordfreq"), read_wordfreq, _EXTRA),
    "word_list": WordSource(
        lambda language: (DICTIONARIES / language.sources["word_list"]).is_file(),
        read_word_list,
        "apt install the word list (wngerman, wdanish, wswedish, wdutch, wnorwegian)",
    ),
    "hunspell": WordSource(
        lambda language: (_hunspell.HUNSPELL / f"{language.sources['hunspell']}.dic").is_file(),
        _hunspell.read_hunspell,
        "apt install the hunspell dictionary (hunspell-de-de, hunspell-da, hunspell-sv, hunspell-no, hunspell-hu)",
    ),
}
