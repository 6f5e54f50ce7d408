"""Read gold splits, and keep a fifth of every set back: by a hash of the word, so that no word is in both parts."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[4] / "shared" / "data")) / "compounds"


def is_held_back(word: str) -> bool:
    """Tell whether a word belongs to the part that is looked at once, at the end."""
    return hashlib.sha256(word.lower().encode()).digest()[0] % 5 == 0


def read_gold(name: str, *, held_back: bool) -> list[tuple[str, tuple[int, ...]]]:
    """Read the words of one part of a set with their boundaries."""
    from assay.systems.compounds.gold import read_gold as read

    return [(g.word, g.boundaries) for g in read(DATA / f"{name}.jsonl.gz") if is_held_back(g.word) == held_back]
