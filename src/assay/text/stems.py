"""Stemmers by name: two Porters that reference programs use, and Snowball for other languages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from .. import _core
from ..errors import UnknownName
from ..extras import find_data

_LANGUAGES = [
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "danish",
    "dutch",
    "english",
    "esperanto",
    "estonian",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
]

STEMMERS = {
    "none": "no stemming",
    "porter": "Porter with nltk's extensions, words of more than three letters, as rouge-score 0.1.2",
    "porter-nltk": "the same for words of more than two letters, as nltk",
    "porter155": "Porter as in ROUGE-1.5.5 without WordNet's exception lists, words of more than three letters",
    "porter155-wordnet": "ROUGE-1.5.5 -m: the same, irregular forms by WordNet 2.0's exception lists",
    **{language: f"Snowball {language}" for language in _LANGUAGES},
}

_BY_TOKENIZER = {"rouge": "porter", "rouge155": "porter155-wordnet"}


def resolve_stemmer(stem: str | bool, tokenizer: str) -> str:
    """Return the stemmer's name; True means the one that goes with the tokenizer (Snowball English where none does).

    >>> resolve_stemmer(True, "rouge"), resolve_stemmer(False, "rouge"), resolve_stemmer("german", "unicode")
    ('porter', 'none', 'german')
    """
    if stem is True:
        return _BY_TOKENIZER.get(tokenizer, "english")
    if stem is False:
        return "none"
    if stem not in STEMMERS:
        raise UnknownName(
            "stemmer", stem, STEMMERS, hint=f"(true, false, {', '.join(list(STEMMERS)[:5])} or a language)"
        )
    return stem


@lru_cache(maxsize=1)
def irregular_forms() -> dict[str, str]:
    """Return WordNet 2.0's exception lists as ROUGE-1.5.5 uses them: word to base form."""
    text = find_data("text/data/wordnet-exceptions.txt").read_text("utf-8")
    return dict(line.split(" ", 1) for line in text.splitlines())


STOP_LISTS = {"smart": "the SMART list as ROUGE-1.5.5 ships it", "short": "179 English function words, as nltk"}


def resolve_stop_list(stop: str | bool) -> str:
    """Return the list's name, or none; True is the short list.

    >>> resolve_stop_list(True), resolve_stop_list("smart"), resolve_stop_list(False)
    ('short', 'smart', 'none')
    """
    name = ("short" if stop else "none") if isinstance(stop, bool) else stop
    if name != "none":
        stop_words(name)
    return name


@cache
def foreign_stop_words() -> dict[str, frozenset[str]]:
    """Return the stop words of languages other than English, by language."""
    lines = find_data("text/data/stop-words.tsv").read_text("utf-8").splitlines()
    return {language: frozenset(words.split(" ")) for language, words in (line.split("\t") for line in lines)}


@cache
def stop_words(name: str = "smart") -> frozenset[str]:
    """Return a list of stop words by name."""
    if name not in STOP_LISTS:
        raise UnknownName("list of stop words", name, STOP_LISTS, hint=f"(there are {', '.join(STOP_LISTS)} and none)")
    return frozenset(find_data(f"text/data/{name}.txt").read_text("utf-8").split())


def extend_stems(word_map: _core.WordMap, vocab: _core.Vocab, stemmer: str) -> None:
    """Bring a word map up to date with the vocabulary: each word once, however often it occurs."""
    if stemmer == "porter":
        word_map.extend_porter(vocab)
    elif stemmer == "porter-nltk":
        word_map.extend_porter(vocab, 2)
    elif stemmer.startswith("porter155"):
        word_map.extend_porter155(vocab, irregular_forms() if stemmer == "porter155-wordnet" else {})
    else:
        _extend_snowball(word_map, vocab, stemmer)


def _extend_snowball(word_map: _core.WordMap, vocab: _core.Vocab, language: str) -> None:
    stem = _snowball(language)
    while len(word_map) < len(vocab):  # a stem may be a new word itself
        word_map.extend_words(vocab, stem(vocab.words(len(word_map))))


@cache
def _snowball(language: str) -> Callable[[list[str]], Any]:
    import Stemmer

    stemmer: Any = Stemmer.Stemmer(language)
    return stemmer.stemWords  # type: ignore[no-any-return]
