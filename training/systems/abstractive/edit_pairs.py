"""The rewrites that `edit` learns from: MSR's single sentences, split by source, and the steps between two texts."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NamedTuple

import Stemmer

from assay.text.lexicon.numbers import WORDS as NUMBERS
from assay.text.stems import irregular_forms

ROOT = Path(__file__).resolve().parents[3]
MIN_SOURCES = 5  # different sources that must have a phrase


class Rewrites(NamedTuple):
    """A source and what people made of it, as words."""

    id: str
    words: list[str]
    texts: list[list[str]]


class Step(NamedTuple):
    """Words i to j of the source become words k to m of the text; `kind` is equal, delete, replace or insert."""

    kind: str
    i: int
    j: int
    k: int
    m: int


def data_folder() -> Path:
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


def read_rewrites() -> list[Rewrites]:
    """All sources of one sentence; where an id names two (81_82), the source was cut: its rewrites are not pairs."""
    path = data_folder() / "msr-compression" / "train-text.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Rewrites(str(row["id"]), row["source"].split(), [text.split() for text in row["compressions"]])
        for row in rows
        if "_" not in str(row["id"])
    ]


def part_of(words: Sequence[str]) -> str:
    """Return dev, test or train: a tenth, a tenth and the rest, by the letters and digits of the source."""
    normal = re.sub(r"\W+", " ", " ".join(words).lower()).strip()
    place = int(hashlib.sha256(normal.encode()).hexdigest(), 16) % 10
    return {0: "dev", 1: "test"}.get(place, "train")


def split_rewrites() -> dict[str, list[Rewrites]]:
    parts: dict[str, list[Rewrites]] = {"train": [], "dev": [], "test": []}
    for row in read_rewrites():
        parts[part_of(row.words)].append(row)
    return parts


def find_steps(words: Sequence[str], text: Sequence[str]) -> list[Step]:
    """The steps from one text to another, case aside; a word and an inflection of it are a step of their own.

    >>> [tuple(s) for s in find_steps("he has made plans".split(), "He plans".split())]
    [('equal', 0, 1, 0, 1), ('delete', 1, 3, 1, 1), ('equal', 3, 4, 1, 2)]
    """
    a, b = [w.lower() for w in words], [w.lower() for w in text]
    steps: list[Step] = []
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        steps += _by_stem(a, b, i, j, k, m) if kind == "replace" else [Step(kind, i, j, k, m)]
    return steps


def _by_stem(a: list[str], b: list[str], i: int, j: int, k: int, m: int) -> Iterator[Step]:
    """Cut a replacement at words that share their stem."""
    stems = [find_stems(part) for part in (a[i:j], b[k:m])]
    for kind, x, y, u, v in SequenceMatcher(None, *stems, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Step("replace", i + x + n, i + x + n + 1, k + u + n, k + u + n + 1) for n in range(y - x))
        else:
            yield Step(kind, i + x, i + y, k + u, k + v)


def find_stems(words: Sequence[str]) -> list[str]:
    """The stems of words in lower case, irregular forms under their base."""
    irregular = irregular_forms()
    stems: list[str] = _stemmer().stemWords([irregular.get(word, word) for word in words])
    return stems


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


def is_inflection(old: Sequence[str], new: Sequence[str]) -> bool:
    return len(old) == len(new) == 1 and old[0].isalpha() and find_stems(old) == find_stems(new)


@cache
def find_names(rows: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Words in lower case that stand with a capital letter in most places but the first of a sentence."""
    capital: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for words in rows:
        for word in words[1:]:
            total[word.lower()] += 1
            capital[word.lower()] += word[:1].isupper()
    return frozenset(word for word, count in total.items() if capital[word] > count / 2)


def count_phrases(rows: Iterable[Rewrites]) -> dict[str, set[str]]:
    """Phrases that rewrites put in, each with the sources that have it; none with a name, a number or no letter."""
    rows = list(rows)
    names = find_names(tuple(tuple(text) for row in rows for text in [row.words, *row.texts]))
    sources: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for text in row.texts:
            for step in find_steps(row.words, text):
                new = [w.lower() for w in text[step.k : step.m]]
                if step.kind not in ("replace", "insert") or is_inflection(row.words[step.i : step.j], new):
                    continue
                if not any(_is_private(word, names) for word in new):
                    sources[" ".join(new)].add(row.id)
    return sources


def _is_private(word: str, names: frozenset[str]) -> bool:
    plain = any(c.isalpha() for c in word) or word == "&"
    return not plain or word in names or word in NUMBERS or any(c.isdigit() for c in word) or word.startswith("-")


def list_phrases(rows: Iterable[Rewrites], most: int | None = None, least: int = MIN_SOURCES) -> list[str]:
    """The phrases that at least so many sources have, most frequent first."""
    counts = sorted(count_phrases(rows).items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [phrase for phrase, sources in counts if len(sources) >= least][:most]


def list_pairs(rows: Iterable[Rewrites], phrases: Iterable[str], least: int = MIN_SOURCES) -> list[tuple[str, str]]:
    """What is replaced by a phrase of the list in at least so many sources; neither has a name or number."""
    rows, known = list(rows), frozenset(phrases)
    names = find_names(tuple(tuple(text) for row in rows for text in [row.words, *row.texts]))
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        for text in row.texts:
            for step in find_steps(row.words, text):
                old = [word.lower() for word in row.words[step.i : step.j]]
                new = " ".join(text[step.k : step.m]).lower()
                if step.kind == "replace" and new in known and not any(_is_private(word, names) for word in old):
                    sources[" ".join(old), new].add(row.id)
    return sorted(pair for pair, several in sources.items() if len(several) >= least)
