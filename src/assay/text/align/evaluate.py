"""How good links are: precision, recall and F1 against links made by hand, and the baseline of equal words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Set
from dataclasses import dataclass

from .monolingual import AnalysedText, WordAlignment

LinkSet = Set[tuple[int, int]]


@dataclass(frozen=True)
class LinkScores:
    """Counts of links over all pairs of texts together."""

    predicted: int
    gold: int
    right: int

    @property
    def precision(self) -> float:
        """Right links / predicted links; NaN if there are none."""
        return self.right / self.predicted if self.predicted else float("nan")

    @property
    def recall(self) -> float:
        """Right links / links made by hand; NaN if there are none."""
        return self.right / self.gold if self.gold else float("nan")

    @property
    def f1(self) -> float:
        """2 right / (predicted + gold); NaN if there are neither."""
        return 2 * self.right / (self.predicted + self.gold) if self.predicted + self.gold else float("nan")


def score_links(pairs: Iterable[tuple[LinkSet, LinkSet]]) -> LinkScores:
    """Count the links that were found, those made by hand, and those that are both, over all pairs of texts.

    >>> score_links([({(0, 0), (1, 1)}, {(0, 0), (1, 2)})]).f1
    0.5
    """
    counts = [(len(predicted), len(gold), len(predicted & gold)) for predicted, gold in pairs]
    return LinkScores(*(sum(column) for column in zip(*counts, strict=True))) if counts else LinkScores(0, 0, 0)


def exact_links(a: AnalysedText, b: AnalysedText) -> set[tuple[int, int]]:
    """Link equal words, as a baseline: each token of b with the first free token of a that equals it, ignoring case."""
    free: dict[str, list[int]] = {}
    for place, token in reversed(list(enumerate(a.tokens))):
        free.setdefault(token.text.lower(), []).append(place)
    links = set()
    for place, token in enumerate(b.tokens):
        if free.get(token.text.lower()):
            links.add((free[token.text.lower()].pop(), place))
    return links


def links_between_words(alignment: WordAlignment, links: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return links of tokens as links of the words between spaces, which is how links made by hand are counted.

    The aligner may split such a word into several tokens (state-of-the-art, $5); a link of one of them is its link.

    >>> from assay.text.align.monolingual import align
    >>> alignment = align("a lost-aircraft alarm", "a lost aircraft alarm")
    >>> sorted(links_between_words(alignment, {(link.a, link.b) for link in alignment.links}))
    [(0, 0), (1, 1), (1, 2), (2, 3)]
    """
    a, b = _words_of(alignment.a), _words_of(alignment.b)
    return {(a[i], b[j]) for i, j in links}


def _words_of(side: AnalysedText) -> list[int]:
    """Return for each token the place of the word between spaces that it begins in."""
    starts = [match.start() for match in re.finditer(r"\S+", side.text)]
    return [bisect_right(starts, token.start) - 1 for token in side.tokens]
