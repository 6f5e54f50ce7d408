"""Sentences and their compressions as plain words, in the spelling of the Google pairs; no parser is needed.

The training part and the held-back tenth of MSR's pairs are told apart by the text of the source, so that all rewrites
of one source are on the same side.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from deletions import find_kept
from google_pairs import DATA

from assay.systems.compress.neural._tagger_input import NUMBER, UNKNOWN
from assay.systems.compress.neural.word_units import spell_words
from corpus import Corpus

TENTH, TWENTIETH = 10, 20


class Pair(NamedTuple):
    """The words of a source and of its compression."""

    source: tuple[str, ...]
    target: tuple[str, ...]


class Labels(NamedTuple):
    """A sentence and which of its words a compression keeps."""

    words: Sequence[str]
    bits: Sequence[int]

    def as_pair(self) -> Pair:
        """Write out the compression."""
        target = tuple(word for word, bit in zip(self.words, self.bits, strict=True) if bit)
        return Pair(tuple(self.words), target)


class Rewrites(NamedTuple):
    """A source of MSR and what people made of it."""

    source: str
    compressions: tuple[str, ...]

    @property
    def is_held_back(self) -> bool:
        """Whether it belongs to the tenth that nothing is trained on."""
        return _hash(self.source) % TENTH == 0


def _hash(source: str) -> int:
    """Number a source by its text, white space and case aside."""
    return zlib.crc32(" ".join(source.lower().split()).encode())


def is_for_tuning(pair: Rewrites) -> bool:
    """Check if a source belongs to the twentieth of the training part that weights are tuned on."""
    return _hash(pair.source) % TWENTIETH == 1


def google(name: str = "train", step: int = 1) -> Iterator[Labels]:
    """Read every `step`-th pair of train.tsv.gz or val.tsv.gz that keeps a word; the file is sorted by length."""
    with gzip.open(DATA / "google-compression-200k" / f"{name}.tsv.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % step == 0:
                words, _, _, bits = (column.split(" ") for column in line.rstrip("\n").split("\t"))
                if "1" in bits:
                    yield Labels(words, [int(bit == "1") for bit in bits])


def msr(held_back: bool) -> list[Rewrites]:
    """Read the sources of MSR that are whole (ids without _), of the training part or of the held-back tenth."""
    with gzip.open(DATA / "msr-compression" / "train-text.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows: Iterable[dict[str, Any]] = map(json.loads, lines)
        pairs = [Rewrites(row["source"], tuple(row["compressions"])) for row in rows if "_" not in row["id"]]
    return [pair for pair in pairs if pair.is_held_back == held_back]


def deletions(pairs: Iterable[Rewrites]) -> Iterator[Labels]:
    """Select the rewrites that only delete."""
    for pair in pairs:
        words = spell_words(pair.source.split())
        for text in pair.compressions:
            bits = find_kept(words, spell_words(text.split()))
            if bits is not None and not all(bits):
                yield Labels(words, bits)


def rewrites(pairs: Iterable[Rewrites]) -> Iterator[Pair]:
    """List every source with each of its compressions."""
    for pair in pairs:
        source = tuple(spell_words(pair.source.split()))
        for text in pair.compressions:
            if target := tuple(spell_words(text.split())):
                yield Pair(source, target)


def count_words(sentences: Iterable[Sequence[str]], most: int) -> list[str]:
    """List the most frequent words, the one for unknown words first."""
    counts = Counter(word for sentence in sentences for word in sentence)
    del counts[UNKNOWN]
    counts[NUMBER] += 1  # so that it is there however small the sample
    order = sorted(counts, key=lambda word: (-counts[word], word))
    return [UNKNOWN, *order[: most - 1]]


def number_words(pairs: Iterable[Labels], words: Sequence[str]) -> Corpus:
    """Build the corpus that `seq2seq.loss_of` reads: rows for words and, without a parser, no heads."""
    places = {word: i for i, word in enumerate(words)}
    rows: list[int] = []
    kept: list[int] = []
    ends: list[int] = []
    for pair in pairs:
        rows += [places.get(word, 0) for word in pair.words]
        kept += pair.bits
        ends.append(len(rows))
    table = np.zeros((7, len(rows)), np.int32)
    table[0], table[6] = rows, -1
    return Corpus(table, np.array(ends), np.array(kept, np.float32))
