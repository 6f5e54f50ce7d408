"""Word alignment of two texts in one language: which words of one say what which words of the other say, and why.

A hidden Markov model in both directions (Vogel et al. 1996) with likeness as emissions, not a learnt table: equal
words, stems, WordNet senses, spelling and numbers, phrases, alike neighbours, place. A link's score is the geometric
mean of its two posteriors (Liang et al. 2006), so that align(a, b) is align(b, a) turned over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import NamedTuple

from ... import _core
from ..tokens.offsets import Token, split_lexical_tokens
from .word_features import describe_words

KINDS = ("exact", "stem", "synonym", "spelling", "phrase", "context")  # as the core counts them


@dataclass(frozen=True)
class AlignerWeights:
    """Log weights of the model against a word that goes nowhere (0); tuned on half of the hand-aligned pairs.

    The order is that of the core's struct. `least`, `least_phrase` and `gap` are scores.
    """

    exact: float = 5.0
    exact_function: float = 2.5
    exact_mark: float = 1.0
    stem: float = 4.5
    synonym: float = 3.0
    spelling: float = 4.0
    phrase: float = 4.0
    unlike: float = -1.25
    unlike_function: float = -1.5
    mixed: float = -4.25
    beside: float = 1.0
    around: float = 0.3
    function_around: float = 0.4
    position: float = 0.9
    stay: float = -1.0
    forward: float = 0.6
    back: float = 1.5
    back_more: float = 0.5
    least: float = 0.4
    least_phrase: float = 0.4
    gap: float = 0.3


class Link(NamedTuple):
    """Token `a` of the first text goes with token `b` of the second; `kind` says why, `score` (0 to 1) how surely."""

    a: int
    b: int
    kind: str
    score: float


class Phrase(NamedTuple):
    """Tokens that go together: the linked places on either side; one to many and many to many are one phrase."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class AnalysedText:
    """A text with its tokens and what is known of each; can be aligned with many others."""

    text: str
    tokens: tuple[Token, ...]
    core: _core.MonoText = field(repr=False, compare=False)


@dataclass(frozen=True)
class WordAlignment:
    """The links of two texts, by a and then b; token offsets are those of the original texts."""

    a: AnalysedText
    b: AnalysedText
    links: tuple[Link, ...]

    def reverse(self) -> WordAlignment:
        """Return the alignment of b with a."""
        return WordAlignment(self.b, self.a, tuple(sorted(Link(k.b, k.a, k.kind, k.score) for k in self.links)))

    @cached_property
    def of_a(self) -> dict[int, list[Link]]:
        """The links of each linked token of a."""
        return _group_links((link.a, link) for link in self.links)

    @cached_property
    def of_b(self) -> dict[int, list[Link]]:
        """The links of each linked token of b."""
        return _group_links((link.b, link) for link in self.links)

    def phrases(self) -> tuple[Phrase, ...]:
        """Group what is linked, however indirectly; in the order of a.

        >>> alignment = align("He stepped down today.", "Today he resigned.")
        >>> [(alignment.words_a(p), alignment.words_b(p), p.kinds) for p in alignment.phrases()][1]
        ('stepped down', 'resigned', ('phrase',))
        """
        grouped: set[int] = set()
        phrases = []
        for first in sorted(self.of_a):
            if first in grouped:
                continue
            in_a, in_b, todo = {first}, set[int](), [first]
            while todo:
                new = {k.b for k in self.of_a[todo.pop()]} - in_b
                in_b |= new
                more = {k.a for b in new for k in self.of_b[b]} - in_a
                in_a |= more
                todo += more
            grouped |= in_a
            kinds = {k.kind for a in in_a for k in self.of_a[a]}
            phrases.append(Phrase(tuple(sorted(in_a)), tuple(sorted(in_b)), tuple(k for k in KINDS if k in kinds)))
        return tuple(phrases)

    def words_a(self, phrase: Phrase) -> str:
        """Return the phrase's words in a, as they stand there; … for what is left out between them."""
        return _words(self.a, phrase.a)

    def words_b(self, phrase: Phrase) -> str:
        """Return the phrase's words in b."""
        return _words(self.b, phrase.b)


def analyse(text: str) -> AnalysedText:
    """Find the tokens of a text and the features of each: stem, senses, value, phrases it may be part of."""
    tokens = split_lexical_tokens(text)
    return AnalysedText(text, tokens, describe_words([token.text for token in tokens]))


def align(a: str | AnalysedText, b: str | AnalysedText, *, weights: AlignerWeights | None = None) -> WordAlignment:
    """Align two texts (sentences or short paragraphs; time grows with the cube of their length).

    Equal texts align word by word. A text without words has no links.

    >>> alignment = align("Police are looking for a white van.", "The police seek a white van.")
    >>> [(alignment.words_a(p), alignment.words_b(p), p.kinds[0]) for p in alignment.phrases()][:3]
    [('Police', 'police', 'exact'), ('looking for', 'seek', 'phrase'), ('a', 'a', 'exact')]
    """
    left, right = (analyse(text) if isinstance(text, str) else text for text in (a, b))
    if [t.text.lower() for t in left.tokens] == [t.text.lower() for t in right.tokens]:
        return WordAlignment(left, right, tuple(Link(i, i, "exact", 1.0) for i in range(len(left.tokens))))
    links = _core.monoalign(left.core, right.core, astuple(weights or WEIGHTS))
    return WordAlignment(left, right, tuple(Link(i, j, KINDS[kind], score) for i, j, kind, score in links))


def align_all(pairs: Iterable[tuple[str, str]], *, weights: AlignerWeights | None = None) -> Iterator[WordAlignment]:
    """Align pair after pair; what repeats (one source, many outputs) is analysed once while it does."""
    last: dict[str, AnalysedText] = {}
    for a, b in pairs:
        last = {text: last.get(text) or analyse(text) for text in (a, b)}
        yield align(last[a], last[b], weights=weights)


WEIGHTS = AlignerWeights()


def _group_links(pairs: Iterable[tuple[int, Link]]) -> dict[int, list[Link]]:
    groups: dict[int, list[Link]] = {}
    for key, link in pairs:
        groups.setdefault(key, []).append(link)
    return groups


def _words(side: AnalysedText, places: tuple[int, ...]) -> str:
    parts, start = [], places[0]
    for k, place in enumerate(places):
        if k + 1 == len(places) or places[k + 1] != place + 1:
            parts.append(side.text[side.tokens[start].start : side.tokens[place].end])
            start = places[k + 1] if k + 1 < len(places) else start
    return " … ".join(parts)
