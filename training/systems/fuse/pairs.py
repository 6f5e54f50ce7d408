"""The pairs that fusion is trained on: read, gathered into clusters of the same story, and dealt into folds."""

from __future__ import annotations

import gzip
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from assay.text.parse.flat import ParsedText

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data")) / "fusion-english-pairs.tsv.gz"
FOLDS = 5
HELD = 4  # the fold that nothing was tuned on
RARE = 5  # pairs that a rare name is in at most


def read_pairs() -> list[list[str]]:
    """Two sentences and the human fusion of each pair."""
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def find_stories(pairs: Sequence[Sequence[str]], texts: Sequence[Sequence[ParsedText]]) -> list[int]:
    """A number for each pair, the same if two share an input sentence or two rare names, however indirectly."""
    top = list(range(len(pairs)))

    def find(i: int) -> int:
        while top[i] != i:
            top[i] = top[top[i]]
            i = top[i]
        return i

    by_sentence = defaultdict(list)
    by_name = defaultdict(list)
    names = [_names(both) for both in texts]
    spread = Counter(name for own in names for name in own)
    for i, pair in enumerate(pairs):
        for sentence in pair[:2]:
            by_sentence[sentence].append(i)
        for name in names[i]:
            if spread[name] <= RARE:
                by_name[name].append(i)
    shared = Counter(two for members in by_name.values() for two in combinations(members, 2))
    same = [two for members in by_sentence.values() for two in combinations(members, 2)]
    for i, j in [*same, *(two for two, count in shared.items() if count >= 2)]:
        top[find(i)] = find(j)
    return [find(i) for i in range(len(pairs))]


def _names(texts: Iterable[ParsedText]) -> set[str]:
    return {
        word.form.lower()
        for text in texts
        for word in text.words
        if word.pos == "PROPN" and len(word.form) > 2 and word.form[0].isupper()
    }


def deal_folds(stories: Sequence[int], seed: int = 0) -> np.ndarray:
    """The fold of each pair: stories whole, the largest first into the smallest fold."""
    members = defaultdict(list)
    for i, story in enumerate(stories):
        members[story].append(i)
    order = sorted(members, key=lambda story: members[story][0])
    np.random.default_rng(seed).shuffle(order)
    order.sort(key=lambda story: -len(members[story]))
    sizes, folds = [0] * FOLDS, np.zeros(len(stories), dtype=np.int64)
    for story in order:
        smallest = int(np.argmin(sizes))
        folds[members[story]] = smallest
        sizes[smallest] += len(members[story])
    return folds
