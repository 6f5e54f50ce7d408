"""Senses of word forms: what a form may be a form of, and the WordNet synsets of that, as any part of speech."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..stems import irregular_forms
from .wordnet import multiwords, synsets

_ENDINGS = {  # WordNet's rules of detachment (morphy)
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


@lru_cache(maxsize=2**17)
def senses_of(word: str) -> tuple[int, ...]:
    """Return the WordNet synsets of a word form, as any part of speech.

    >>> set(senses_of("cars")) & set(senses_of("automobile"))
    {102958343}
    """
    return tuple(sorted({s for lemma, pos in _lemmas(word) for s in synsets(lemma, pos)}))


def multiword_senses(words: tuple[str, ...]) -> tuple[int, ...]:
    """Return the synsets of several words as one: inflected in the first (verbs) or the last (nouns).

    >>> set(multiword_senses(("stepped", "down"))) & set(senses_of("resigned"))
    {202382385}
    >>> multiword_senses(("the", "house"))
    ()
    """
    entries = multiwords()
    rest, start = "_".join(words[1:]), "_".join(words[:-1])
    keys = {("v", f"{lemma}_{rest}") for lemma, pos in _lemmas(words[0]) if pos == "v"}
    keys |= {("n", f"{start}_{lemma}") for lemma, pos in _lemmas(words[-1]) if pos == "n"}
    keys |= {(pos, "_".join(words)) for pos in "ar"}
    return tuple(sorted({s for pos, key in keys if f"{pos} {key}" in entries for s in synsets(key, pos)}))


def _lemmas(word: str) -> Iterator[tuple[str, str]]:
    """Return what the word may be a form of."""
    irregular = irregular_forms().get(word)
    for pos, endings in _ENDINGS.items():
        yield word, pos
        if irregular is not None:
            yield irregular, pos
        for ending, instead in endings:
            if word.endswith(ending) and len(word) > len(ending):
                yield word[: len(word) - len(ending)] + instead, pos
