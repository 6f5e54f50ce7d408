"""Keyphrases of a cluster (Boudin and Morin 2013): runs of content words, scored by TextRank.

(1) score of a word: TextRank (Mihalcea and Tarau 2004) with d = .85 over content words, joined when they stand in one
    sentence, as often as they do.
(2) score of a phrase: the sum of its words' scores / (number of words + 1).
A phrase that is part of a better one, or has one as its part, is dropped: one of each cluster is left.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._graph import GraphWord

_DAMPING, _STEPS = 0.85, 100


def word_scores(sentences: Sequence[Sequence[GraphWord]]) -> dict[str, float]:
    """Compute TextRank of the content words (1); the mean is 1."""
    names = sorted({word.key for sentence in sentences for word in sentence if word.content})
    if not names:
        return {}
    place = {name: i for i, name in enumerate(names)}
    links = np.zeros((len(names), len(names)))
    for sentence in sentences:
        here = [place[word.key] for word in sentence if word.content]
        for i, a in enumerate(here):
            for b in here[i + 1 :]:
                if a != b:
                    links[a, b] += 1
                    links[b, a] += 1
    out = links.sum(axis=0)
    flow = np.divide(links, out, out=np.zeros_like(links), where=out > 0)
    rank = np.ones(len(names))
    for _ in range(_STEPS):
        new = (1 - _DAMPING) + _DAMPING * flow @ rank
        if np.abs(new - rank).max() < 1e-6:
            break
        rank = new
    return dict(zip(names, rank.tolist(), strict=True))


def keyphrases(sentences: Sequence[Sequence[GraphWord]], longest: int = 6) -> dict[tuple[str, ...], float]:
    """Find phrases with their scores (2), none a part of another."""
    scores = word_scores(sentences)
    candidates: dict[tuple[str, ...], float] = {}
    for sentence in sentences:
        run: list[str] = []
        for word in [*sentence, GraphWord("", False)]:
            if word.content and not word.verb:
                run.append(word.key)
                continue
            if 0 < len(run) <= longest:
                candidates[tuple(run)] = sum(scores[w] for w in run) / (len(run) + 1)
            run = []
    selected: dict[tuple[str, ...], float] = {}
    for phrase, score in sorted(candidates.items(), key=lambda c: (-c[1], c[0])):
        if not any(_holds(other, phrase) or _holds(phrase, other) for other in selected):
            selected[phrase] = score
    return selected


def _holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    width = len(shorter)
    return any(longer[i : i + width] == shorter for i in range(len(longer) - width + 1))
