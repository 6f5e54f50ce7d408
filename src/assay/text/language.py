"""Whether a text can be English: its words under the profiles of 26 languages, its letters under their scripts."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arrays import read_arrays
from ..extras import find_model

_NAMES = """
    ca Catalan, cs Czech, da Danish, de German, en English, es Spanish, fi Finnish, fil Filipino, fr French,
    hu Hungarian, id Indonesian, is Icelandic, it Italian, lt Lithuanian, lv Latvian, ms Malay, nb Norwegian, nl Dutch,
    pl Polish, pt Portuguese, ro Romanian, sh Serbo-Croatian, sk Slovak, sl Slovenian, sv Swedish,
    tr Turkish, vi Vietnamese
"""
NAMES = dict(map(str.split, _NAMES.split(",")))
STEP = 0.1  # logarithms are stored in these steps below 0, in 8 bits
SEEN = 0.9  # weight of a word's own frequency; the rest is for its trigrams of letters
RARE = 1e-12  # added to every probability
ARRAYS = ("trigrams", "trigram_scores", "words", "word_ends", "word_languages", "word_scores")

_WORD = re.compile(r"[^\W\d_]+")
# Addresses, paths, names of files, markup and whatever has a digit are written alike in all languages.
_NEUTRAL = re.compile(r"\S*[@/\\#_<>=]\S*|\S+\.\w\S*|\S*\d\S*")
_PART = re.compile(r'[:;.!?"„“”()\n]+')  # between what may be in two languages
_CAPITALIZED = 0.1  # weight of a word with a capital: mostly names, which come from everywhere
_MAX_EVIDENCE = 12.0  # of one word: the logarithm of how much likelier a language makes it than English does
_FEW_WORDS = 5
_LEAST_PART = 4  # a part that has at least a quarter of the words is looked at by itself
# Evidence above which a text is not English; of two to four words, or where a part of it speaks against the rest, more.
_BOUND, _BOUND_OF_FEW, _BOUND_OF_PART = 0.0, 4.0, 10.0


def code_trigram(trigram: str) -> int:
    """Return the number under which three characters are stored."""
    a, b, c = map(ord, trigram)
    return a << 42 | b << 21 | c


def code_word(word: str) -> int:
    """Return the number under which a word is stored."""
    return zlib.crc32(word.encode())


def is_latin(word: str) -> bool:
    """Whether every letter is one of the Latin alphabet, with or without accents."""
    return all(c < "\u0250" or "\u1e00" <= c <= "\u1eff" for c in word)


@dataclass(frozen=True, eq=False)
class Profiles:
    """Logarithms of how often words and trigrams of letters are written in each language."""

    languages: tuple[str, ...]
    trigrams: NDArray[np.int64]  # sorted codes
    trigram_scores: NDArray[np.float64]  # a row each, a column for each language; the last row: any other trigram
    words: NDArray[np.uint32]  # sorted codes
    word_ends: NDArray[np.int64]  # where the entries of each word end
    word_languages: NDArray[np.uint8]
    word_scores: NDArray[np.float64]

    @classmethod
    def load(cls, path: Path) -> Profiles:
        """Load profiles from an .npz file."""
        arrays = read_arrays(path, path=path, needed=ARRAYS)
        return cls(
            tuple(NAMES),
            arrays["trigrams"],
            -STEP * arrays["trigram_scores"],
            arrays["words"],
            arrays["word_ends"].astype(np.int64),
            arrays["word_languages"],
            -STEP * arrays["word_scores"],
        )

    def score(self, word: str) -> NDArray[np.float64]:
        """Compute the logarithm of a word's probability in each language.

        A word is either one of the language's frequent ones or a chain of letters, of which each follows two others.
        """
        framed = f"^^{word}$"
        codes = np.array([code_trigram(framed[i : i + 3]) for i in range(len(framed) - 2)], dtype=np.int64)
        rows = np.searchsorted(self.trigrams, codes)
        known = rows < len(self.trigrams)
        known[known] = self.trigrams[rows[known]] == codes[known]
        rows[~known] = -1
        probability = (1 - SEEN) * np.exp(self.trigram_scores[rows].sum(0)) + RARE
        code = code_word(word)
        row = int(np.searchsorted(self.words, code))
        if row < len(self.words) and self.words[row] == code:
            entries = slice(self.word_ends[row - 1] if row else 0, self.word_ends[row])
            probability[self.word_languages[entries]] += SEEN * np.exp(self.word_scores[entries])
        return np.asarray(np.log(probability))

    def compare_to_english(self, weights: Mapping[str, float]) -> tuple[float, str]:
        """Return the language other than English that most speaks for, and its evidence against English.

        Each word counts once, by its weight; above 0 the language makes the words likelier than English does.
        """
        english = self.languages.index("en")
        evidence = np.zeros(len(self.languages))
        for word, weight in weights.items():
            scores = _score(self, word)
            evidence += weight * np.clip(scores - scores[english], -_MAX_EVIDENCE, _MAX_EVIDENCE)
        evidence[english] = -np.inf
        best = int(evidence.argmax())
        return float(evidence[best]), self.languages[best]


@lru_cache(maxsize=1 << 14)
def _score(profiles: Profiles, word: str) -> NDArray[np.float64]:
    return profiles.score(word)


@cache
def load_profiles() -> Profiles:
    """Load the profiles that come with the models."""
    return Profiles.load(find_model("language/profiles.npz", "to recognize languages"))


def name_foreign(text: str) -> str:
    """Return the language of a text that is not English, or that in part is not, or "" for one that may be English.

    The name is of the closest of 26 languages in Latin letters, or says which other letters most of the text has. A
    text of one word, or of names alone, may always be English.

    >>> name_foreign("Der Hund lief schnell nach Hause."), name_foreign("The dog ran home quickly.")
    ('German', '')
    """
    plain = _NEUTRAL.sub(" ", unicodedata.normalize("NFC", text))
    words = _WORD.findall(plain)
    if 2 * sum(len(word) for word in words if is_latin(word)) < sum(map(len, words)):
        return _name_letters(words)
    evidence, language, count = _find_evidence(words)
    if evidence > (_BOUND if count >= _FEW_WORDS else _BOUND_OF_FEW):
        return NAMES[language]
    parts = [_WORD.findall(part) for part in _PART.split(plain)] if count else []
    large = [part for part in parts if _LEAST_PART * len(part) >= len(words)]
    evidence, language, _ = max(map(_find_evidence, large), default=(0.0, "en", 0))
    return NAMES[language] if evidence > _BOUND_OF_PART else ""


def _find_evidence(words: Sequence[str]) -> tuple[float, str, int]:
    """Return the evidence against English, for which language, and of how many words."""
    weights = _weigh([word for word in words if is_latin(word)])
    if len(weights) < 2 or max(weights.values()) < 1:
        return -np.inf, "en", 0
    return (*load_profiles().compare_to_english(weights), len(weights))


def _weigh(words: Sequence[str]) -> dict[str, float]:
    """Return the weight of each word, in lower case; words all in capitals count only where the whole text is."""
    if all(word.isupper() for word in words):
        return {word.lower(): 1.0 for word in words}
    weights: dict[str, float] = {}
    for word in words:
        if len(word) > 1 and word.isupper():
            continue
        weight = 1.0 if word[0].islower() else _CAPITALIZED
        weights[word.lower()] = max(weight, weights.get(word.lower(), 0.0))
    return weights


def _name_letters(words: Iterable[str]) -> str:
    """Name the script of most letters."""
    counts: dict[str, int] = {}
    for character in "".join(words):
        script = unicodedata.name(character, "other").split(" ")[0].split("-")[0]
        counts[script] = counts.get(script, 0) + 1
    script = max(counts, key=lambda name: counts[name])
    name = {"CJK": "Chinese or Japanese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}.get(
        script
    )
    return name or f"{script.capitalize()} letters"
