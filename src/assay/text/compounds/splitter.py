"""Split compounds: lexicalized entries first, then covers by the lexicon, then guesses (Owczarzak et al. 2014)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .files import find_lexicon, load_temperature, load_weights, open_lexicon
from .language import TAGS, Language, SplitLimits, load_language

if TYPE_CHECKING:
    from ..._core import Lexicon, Splitter

CANDIDATES = 8  # that a score compares
LEXICALIZED, DYNAMIC, GUESSED, UNSPLIT = "lexicon", "dynamic", "guesser", "unsplit"


@dataclass(frozen=True)
class CompoundPart:
    """One part of a compound: its letters, where they stand, what follows before the boundary, lemma and tag."""

    text: str
    start: int
    end: int
    link: str = ""
    ending: str = ""
    lemma: str = ""
    tag: str = "X"
    known: bool = True


@dataclass(frozen=True)
class CompoundSplit:
    """How a word is split; `score` is the probability of this split among the candidates.

    >>> part = CompoundPart("Haus", 0, 4, lemma="Haus"), CompoundPart("tür", 4, 7, lemma="Tür")
    >>> print(CompoundSplit("Haustür", part, 0.9, "dynamic"))
    Haus|tür
    """

    word: str
    parts: tuple[CompoundPart, ...]
    score: float
    source: str

    @property
    def boundaries(self) -> tuple[int, ...]:
        """Where parts begin, the first one left out."""
        return tuple(part.start for part in self.parts[1:])

    def mark(self, sign: str = "|") -> str:
        """Return the word with a sign at each boundary; a linking element stands left of it."""
        edges = (0, *self.boundaries, len(self.word))
        return sign.join(self.word[a:b] for a, b in pairwise(edges))

    def __str__(self) -> str:
        return self.mark()


@dataclass(frozen=True)
class CompoundSplitter:
    """A splitter of one language.

    `parts` limits the number of parts, `force` splits what can be split at all, `guess` allows parts that the lexicon
    does not have, `ranking` is `model` or `longest`, the paper's order: longest first part, fewest parts. Scores are
    calibrated: a temperature makes them as high as the share of words that are right.
    """

    language: Language
    lexicon_path: str
    parts: int = 0
    force: bool = False
    guess: bool = True
    ranking: str = "model"
    lexicalized: bool = True
    removed: tuple[str, ...] = ()
    calibrated: bool = True

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words it knows."""
        return open_lexicon(self.lexicon_path)

    def mark(self, words: Sequence[str], sign: str = "|") -> list[str]:
        """Return each word with a sign at the boundaries of its best split; the quick way."""
        marked = self._core(1).mark(list(words), sign)
        if self.lexicalized and (table := self._entries):
            for i, word in enumerate(words):
                if word.lower() in table:
                    marked[i] = self._read_entry(word).mark(sign)
        return marked

    def pieces(self, words: Sequence[str]) -> list[list[str]]:
        """Return the parts of each word with their endings, linking elements left out; an unsplit word is one part."""
        word, _, _, counts, begin, _, link, ending, *_ = self._core(1).split(list(words))
        out = [[text] for text in words]
        ends = np.cumsum(counts)
        for i in np.flatnonzero(counts > 1).tolist():
            text, here = words[word[i]], range(ends[i] - counts[i], ends[i])
            cuts = [0, *(int(begin[k]) for k in here[1:]), len(text)]
            links = [int(link[k]) if not ending[k] else 0 for k in here]
            out[word[i]] = [text[a : b - n] for (a, b), n in zip(pairwise(cuts), links, strict=True)]
        for i, text in enumerate(words):
            if self.lexicalized and text.lower() in self._entries:
                out[i] = [part.text for part in self._read_entry(text).parts]
        return out

    def split(self, words: Sequence[str]) -> list[CompoundSplit]:
        """Return the best split of each word."""
        return [splits[0] for splits in self.best(words, 1)]

    def best(self, words: Sequence[str], n: int = 1) -> list[list[CompoundSplit]]:
        """Return the n best splits of each word, best first; the word unsplit is among the candidates."""
        out: list[list[CompoundSplit]] = []
        for word, splits in zip(words, self._candidates(list(words), max(n, CANDIDATES)), strict=True):
            if self.lexicalized and word.lower() in self._entries:
                splits = [self._read_entry(word), *(replace(s, score=0.0) for s in splits)]
            out.append(splits[:n])
        return out

    def _candidates(self, words: list[str], most: int) -> Iterator[list[CompoundSplit]]:
        word, score, guessed, counts, *parts = self._core(most).split(words)
        bounds = np.searchsorted(word, np.arange(len(words) + 1))
        offsets = np.concatenate([[0], np.cumsum(counts)])
        temperature = load_temperature(self.language) if self.calibrated else 1.0
        rows = list(zip(*(column.tolist() for column in parts), strict=True))
        for i, text in enumerate(words):
            here = range(bounds[i], bounds[i + 1])
            chances = _softmax(score[bounds[i] : bounds[i + 1]] / temperature)
            splits = [
                self._read(text, rows[offsets[c] : offsets[c + 1]], float(p), bool(guessed[c]))
                for c, p in zip(here, chances, strict=True)
            ]
            yield splits or [CompoundSplit(text, (CompoundPart(text, 0, len(text), known=False),), 1.0, UNSPLIT)]

    def _read(self, word: str, rows: list[tuple[int, ...]], chance: float, guessed: bool) -> CompoundSplit:
        parts = tuple(self._part(word, *row) for row in rows)
        source = UNSPLIT if len(parts) == 1 else GUESSED if guessed else DYNAMIC
        return CompoundSplit(word, parts, chance, source)

    def _part(self, word: str, begin: int, end: int, link: int, ending: int, entry: int, tag: int) -> CompoundPart:
        text = word[begin:end]
        known = entry >= 0
        return CompoundPart(
            text,
            begin,
            end,
            word[end : end + link],
            word[end + link : end + link + ending],
            self.lexicon.lemma(text.lower(), entry) if known else self.guess_lemma(text),
            TAGS[tag],
            known,
        )

    def guess_lemma(self, text: str) -> str:
        """Guess the lemma of a part that the lexicon does not have.

        A linking element or an ending is taken off if that leaves a form that ends as words of the lexicon do.
        """
        return self.lexicon.guess_lemma(text.lower())

    @cached_property
    def _entries(self) -> dict[str, str]:
        return dict(self.language.lexicalized)

    def _read_entry(self, word: str) -> CompoundSplit:
        """Read an entry such as "børn:barn|e+bog": parts with lemma and tag, linking elements after a bar."""
        parts, at = [], 0
        for piece in self._entries[word.lower()].split("+"):
            analysis, _, link = piece.partition("|")
            text, lemma, tag = (*analysis.split(":"), "", "")[:3]
            end = at + len(text)
            parts.append(CompoundPart(word[at:end], at, end, link, "", lemma or text, tag or "X"))
            at = end + len(link)
        return CompoundSplit(word, tuple(parts), 1.0, LEXICALIZED)

    def _core(self, candidates: int) -> Splitter:
        if candidates not in self._cores:
            self._cores[candidates] = self.make_core(candidates)
        return self._cores[candidates]

    @cached_property
    def _cores(self) -> dict[int, Splitter]:
        return {}

    def make_core(self, candidates: int) -> Splitter:
        """Make the compiled splitter, which keeps n candidates."""
        from ..._core import Splitter

        language = self.language
        core = Splitter(
            self.lexicon,
            ["", *language.links],
            list(language.endings),
            language.pairs(),
            self._limit(language.limits).array(),
            self._limit(language.guesser).array(),
            load_weights(language),
            self.guess,
            not self.force,
            self.ranking == "longest",
            language.hyphens,
            candidates,
            language.tagged,
        )
        if self.removed:
            core.remove(list(self.removed))
        return core

    def removed_forms(self) -> int:
        """Count the forms of the lexicon that are not used."""
        return self._core(1).remove(list(self.removed)) if self.removed else 0

    def _limit(self, limits: SplitLimits) -> SplitLimits:
        return replace(limits, parts=min(self.parts, limits.parts)) if self.parts else limits


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(scores):
        return scores
    chances: NDArray[np.float64] = np.exp(scores - scores.max())
    chances /= chances.sum()
    return chances


@lru_cache(maxsize=32)
def load_splitter(
    code: str,
    *,
    lexicon: str | None = None,
    parts: int = 0,
    force: bool = False,
    guess: bool = True,
    ranking: str = "model",
) -> CompoundSplitter:
    """Load the splitter of a language, with its lexicon or another one.

    >>> load_splitter("de").mark(["Prüfungsprogramm", "vielleicht"])
    ['Prüfungs|programm', 'vielleicht']
    """
    language = load_language(code)
    return CompoundSplitter(language, os.fspath(lexicon or find_lexicon(language)), parts, force, guess, ranking)
