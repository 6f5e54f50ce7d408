"""Gold splits to learn from: the part of every set that is not kept back."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from assay.formats import text_lines
from assay.systems.compounds.gold import GoldSplit, is_held_back, parse_gold

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[4] / "shared" / "data")) / "compounds"

FOLDS = 4


def read_part(name: str, keep: Callable[[str], bool] = lambda _: True) -> list[GoldSplit]:
    """Read the words of a set that may be learned from, of those to keep."""
    path = DATA / f"{name}.jsonl.gz"
    gold = parse_gold(text_lines(path), path=path)
    return [g for g in gold if not is_held_back(g.word) and keep(g.word)]


def fold_of(word: str) -> int:
    """Return the fold of a word that may be learned from, for cross-validation."""
    return hashlib.sha256(word.lower().encode()).digest()[1] % FOLDS


def expand(gold: list[GoldSplit]) -> tuple[list[GoldSplit], list[GoldSplit]]:
    """Look the parts of two-part compounds up among the compounds: full splits, and those of two short parts."""
    table = {g.word.lower(): g.boundaries[0] for g in gold}

    def boundaries(word: str, depth: int = 0) -> set[int]:
        if word not in table or depth > 3:
            return set()
        place = table[word]
        left = next((cut for cut in (word[:place], word[: place - 1], word[: place - 2]) if cut in table), "")
        return boundaries(left, depth + 1) | {place} | {place + b for b in boundaries(word[place:], depth + 1)}

    full = [GoldSplit(g.word, tuple(sorted(boundaries(g.word.lower())))) for g in gold]
    deep = [g for g in full if len(g.boundaries) > 1]
    flat = [g for g in full if len(g.boundaries) == 1 and g.boundaries[0] <= 7 and len(g.word) - g.boundaries[0] <= 6]
    return deep, flat
