"""Sentences that something in Assay is evaluated on: the language model must not have read them."""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

SHORTEST = 5  # words: shorter sentences ("He said no.") are said by many
SETS = ("broadcast-news", "google-compression-9k", "tac2008", "summeval")
_WORD = re.compile(r"[a-z]+|#+")


def spell(sentence: str) -> str:
    """Return the words alone, in lower case, each number as #: the same for every way of cutting and spacing.

    >>> spell("It 's 1,200 km , he said ."), spell("It's 1,200 km, he said.")
    ('it s # km he said', 'it s # km he said')
    """
    numbers = re.sub(r"\d[\d.,]*|#+", "#", sentence.lower().replace("’", "'"))
    return " ".join(_WORD.findall(numbers))


def evaluated_sentences(data: Path) -> frozenset[str]:
    """Return every evaluated sentence of at least five words, as `spell` writes it."""
    sentences = {spell(sentence) for text in _texts(data) for sentence in _split(text)}
    return frozenset(s for s in sentences if s.count(" ") + 1 >= SHORTEST)


def mask_rare(sentences: frozenset[str], vocabulary: Set[str]) -> frozenset[str]:
    """Return the sentences with unk for each word that is not in the vocabulary, as a text with <unk> spells them."""
    return frozenset(" ".join(w if w in vocabulary else "unk" for w in s.split()) for s in sentences)


def _texts(data: Path) -> Iterator[str]:
    for name in SETS:
        with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            for line in file:
                yield from _strings(json.loads(line))
    with gzip.open(data / "fusion-english-pairs.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield from line.rstrip("\n").split("\t")
    with open(data / "msr-compression" / "RawData" / "valid.tsv", encoding="utf-8-sig", newline="") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from row


def _strings(value: Any) -> Iterator[str]:
    """Yield every text in a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def _split(text: str) -> Iterator[str]:
    """Yield the text, its lines and its sentences: a cheap cut is enough, since whole texts count too."""
    yield text
    lines = text.split("\n")
    if len(lines) > 1:
        yield from lines
    for line in lines:
        parts = re.split(r"(?<=[.!?])[\"')\s]*\s", line)
        if len(parts) > 1:
            yield from parts
