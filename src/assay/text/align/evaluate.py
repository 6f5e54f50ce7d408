"""How good links are: precision, recall and F1 against links made by hand, and the baseline of equal words."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from .monolingual import AnalysedText

Pairs = Set[tuple[int, int]]


@dataclass(frozen=True)
class LinkScores:
    """Counts of links over all pairs of texts together."""

    found: int
    gold: int
    right: int

    @property
    def precision(self) -> float:
        """Right links / found links; NaN if none was found."""
        return self.right / self.found if self.found else float("nan")

    @property
    def recall(self) -> float:
        """Right links / links made by hand; NaN if there are none."""
        return self.right / self.gold if self.gold else float("nan")

    @property
    def f1(self) -> float:
        """2 right / (found + gold); NaN if there are neither."""
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else float("nan")


def score_links(pairs: Iterable[tuple[Pairs, Pairs]]) -> LinkScores:
    """Found links against gold links, pair of texts by pair.

    >>> score_links([({(0, 0), (1, 1)}, {(0, 0), (1, 2)})]).f1
    0.5
    """
    counts = [(len(found), len(gold), len(found & gold)) for found, gold in pairs]
    return LinkScores(*(sum(column) for column in zip(*counts, strict=True))) if counts else LinkScores(0, 0, 0)


def exact_links(a: AnalysedText, b: AnalysedText) -> set[tuple[int, int]]:
    """The baseline: each token of b goes to the first equal token of a that is still free, case apart."""
    free: dict[str, list[int]] = {}
    for place, token in reversed(list(enumerate(a.tokens))):
        free.setdefault(token.text.lower(), []).append(place)
    found = set()
    for place, token in enumerate(b.tokens):
        if free.get(token.text.lower()):
            found.add((free[token.text.lower()].pop(), place))
    return found
