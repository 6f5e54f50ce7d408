"""Pairs of the 200k Google set as text the parser can read: case put back from the tags, numbers for ##."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


@dataclass(frozen=True)
class Pair:
    """A sentence as words, and which of them its compression keeps."""

    words: tuple[str, ...]
    kept: tuple[bool, ...]

    @property
    def text(self) -> str:
        """The sentence."""
        return " ".join(self.words)


def pairs(name: str = "train", *, step: int = 1, start: int = 0) -> Iterator[Pair]:
    """Every `step`-th pair of train.tsv.gz or val.tsv.gz that keeps a word; the file is sorted by length."""
    with gzip.open(DATA / "google-compression-200k" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % step != start:
                continue
            words, tags, _, bits = (column.split(" ") for column in line.rstrip("\n").split("\t"))
            kept = tuple(bit == "1" for bit in bits)
            if any(kept):
                yield Pair(tuple(natural(words, tags)), kept)


def natural(words: list[str], tags: list[str]) -> Iterator[str]:
    """The words as they may have stood in the paper: names and the first word with a capital, ## as a number.

    >>> list(natural(["obama", "won", "##", "states", "in", "<unk>"], ["NNP", "VBD", "CD", "NNS", "IN", "NNP"]))
    ['Obama', 'won', '12', 'states', 'in', 'Unk']
    """
    for i, (word, tag) in enumerate(zip(words, tags, strict=True)):
        plain = word.replace("##", "12").replace("<unk>", "unk")
        name = tag.startswith("NNP") or plain == "i"
        yield plain[:1].upper() + plain[1:] if i == 0 or name else plain
