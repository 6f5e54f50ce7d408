"""Training documents of treebanks and pairs as arrays, in an order that a seed fixes."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from held_back import PAIRS, is_held_back, split_documents
from lemmas import edit_script
from neighbours import (
    AMALGUM,
    EWT_TRAIN,
    GUM,
    NEWLINE,
    Conventions,
    Pair,
    Sentence,
    augment,
    data_folder,
    find_kept,
    groups,
    rare_words,
    read_pairs,
    restore_case,
    sentences,
    treebank,
)
from pieces import Pieces, cut_words

IGNORED = -100  # a label that no loss looks at
COLUMNS = ("pos", "tag", "feats", "lemma", "dep")
LONGEST = 240  # words of a training document
SEEN = frozenset({"google01217", "google01947", "google04438"})  # cased pairs that are in the 200k too


class Lists(NamedTuple):
    """The values that each column of a tree can have."""

    pos: list[str]
    tag: list[str]
    feats: list[str]
    lemma: list[str]
    dep: list[str]

    def number(self, column: str) -> dict[str, int]:
        """Return the number of each value."""
        return {value: i for i, value in enumerate(getattr(self, column))}


class Example(NamedTuple):
    """A document: its pieces, rows of labels (pos, tag, feats, lemma, dep, head, starts, sentence), and words to keep.

    `labels` is None for a pair, `keep` for a tree.
    """

    pieces: Pieces
    labels: np.ndarray | None
    keep: np.ndarray | None


def collect_lists(gold: Iterable[Sentence]) -> Lists:
    """List the values of gold data, the frequent first; edit scripts must occur twice."""
    counts: dict[str, Counter[str]] = {column: Counter() for column in COLUMNS}
    for sentence in gold:
        for word in sentence.words:
            for column in COLUMNS:
                value = edit_script(word.form, word.lemma) if column == "lemma" else getattr(word, column)
                counts[column][value] += 1
    least = {"lemma": 2}
    return Lists(*([v for v, n in counts[column].most_common() if n >= least.get(column, 1)] for column in COLUMNS))


@dataclass
class Numbering:
    """Turns documents into examples."""

    lists: Lists

    def __post_init__(self) -> None:
        self.numbers = {column: self.lists.number(column) for column in COLUMNS}

    def example(self, run: Sequence[Sentence], lines: bool = False) -> Example:
        """Number the words of neighbouring sentences, each on a line of its own if `lines`."""
        rows: list[list[int]] = [[] for _ in range(8)]
        forms, spaces, starts = [], [], []
        for number, sentence in enumerate(run):
            offset = len(forms)
            for i, word in enumerate(sentence.words):
                values = (word.pos, word.tag, word.feats, None, word.dep)
                for row, column, value in zip(rows, COLUMNS, values, strict=False):
                    if column == "lemma":
                        value = edit_script(word.form, word.lemma) if word.lemma else None
                    row.append(self.numbers[column].get(value, IGNORED) if value is not None else IGNORED)
                rows[5].append(offset + word.head if word.head != i else -1)
                rows[6].append(i == 0)
                rows[7].append(number)
                forms.append(word.form)
                spaces.append(word.space)
                starts.append(i == 0 and (lines or number == 0))
        return Example(cut_words(forms, spaces, starts), np.array(rows, np.int32), None)


def limit_words(run: list[Sentence], most: int = LONGEST) -> list[Sentence]:
    """Return as many of the first sentences as fit, at least one."""
    kept: list[Sentence] = []
    total = 0
    for sentence in run:
        total += len(sentence.words)
        if kept and total > most:
            break
        kept.append(sentence)
    return kept


@cache
def gold_banks() -> dict[str, tuple[list[Sentence], list[Sentence]]]:
    """Read EWT train and GUM: what to train on, and what is kept back."""
    return {name: split_documents(sentences(treebank(file))) for name, file in (("ewt", EWT_TRAIN), ("gum", GUM))}


def silver_bank() -> list[Sentence]:
    """Read the sentences of AMALGUM to train on, in the conventions of the gold treebanks."""
    conventions = Conventions(sentence for train, _ in gold_banks().values() for sentence in train)
    train, _ = split_documents(sentences(treebank(AMALGUM)))
    return [kept for sentence in train if (kept := conventions.convert(sentence))]


def tree_stream(bank: list[Sentence], numbering: Numbering, seed: str) -> Iterator[Callable[[], Example]]:
    """Yield the documents of epoch after epoch, each cut and varied anew; a call makes the example."""
    epoch = 0
    while True:
        rng = random.Random(f"{seed}-{epoch}")
        runs = list(groups(bank, rng))
        rng.shuffle(runs)
        for run in runs:
            lines = len(run) > 1 and rng.random() < NEWLINE
            run = limit_words(augment(run, rng))
            yield lambda run=run, lines=lines: numbering.example(run, lines)  # type: ignore[misc]
        epoch += 1


class Marked(NamedTuple):
    """A sentence in print, its tokens, and which of them its compression keeps."""

    forms: list[str]
    spaces: list[bool]
    keep: list[int]

    def example(self) -> Example:
        """Cut the words into pieces."""
        return Example(cut_words(*Tokens.single(self.forms, self.spaces)), None, np.array(self.keep, np.float32))


@cache
def _tokenizer() -> Any:
    from assay.text.parse.engines import engine

    return engine(f"spacy:{Path(__file__).parents[1] / 'parse' / 'en'}").nlp.tokenizer  # type: ignore[attr-defined]


@cache
def _split(word: str) -> list[str]:
    return [token.text for token in _tokenizer()(word)] or [word]


class Tokens(NamedTuple):
    """The words of a text; `starts` says which begin a line, and so a sentence."""

    forms: list[str]
    spaces: list[bool]
    starts: list[bool]

    @classmethod
    def single(cls, forms: Sequence[str], spaces: Sequence[bool]) -> Tokens:
        """One line."""
        return cls(list(forms), list(spaces), [i == 0 for i in range(len(forms))])


def tokenize(text: str) -> Tokens:
    """Split a text as the parser does; a line break is not a token."""
    tokens = Tokens([], [], [])
    starts = True
    for token in _tokenizer()(text):
        if token.is_space:
            starts = starts or "\n" in token.text
            continue
        tokens.forms.append(token.text)
        tokens.spaces.append(bool(token.whitespace_))
        tokens.starts.append(starts)
        starts = False
    return tokens


def mark(pair: Pair, rare: dict[str, list[str]], rng: random.Random) -> Marked:
    """Restore the print of a lower-cased pair and split its words as the parser does."""
    forms: list[str] = []
    spaces: list[bool] = []
    keep: list[int] = []
    for word, bit in zip(restore_case(pair, rare, rng), pair.keep, strict=True):
        parts = _split(word)
        forms += parts
        spaces += [False] * (len(parts) - 1) + [True]
        keep += [bit] * len(parts)
    return Marked(forms, spaces, keep)


def cased_pairs(*, held_back: bool) -> list[Marked]:
    """Read the cased pairs that only delete, of the part to train on or of that kept back."""
    with gzip.open(data_folder() / "google-compression-9k.jsonl.gz", "rt", encoding="utf-8") as file:
        items = [item for item in map(json.loads, file) if item["id"] not in SEEN]
    marked = []
    for item in items:
        forms, spaces, _ = tokenize(item["source"])
        if is_held_back(forms, PAIRS) != held_back:
            continue
        wanted = [form.lower() for form in tokenize(item["references"][0]).forms]
        keep = find_kept([form.lower() for form in forms], wanted)
        if keep is not None:
            marked.append(Marked(forms, spaces, keep))
    return marked


def pair_stream(seed: str) -> Iterator[Callable[[], Example]]:
    """Yield the 180,000 lower-cased pairs and the cased ones, epoch after epoch."""
    packed: list[Any] = [zlib.compress(json.dumps(pair).encode(), 1) for pair in read_pairs("train.tsv.gz")]
    rare = rare_words([unpack(pair) for pair in packed[::10]])
    cased = cased_pairs(held_back=False)
    epoch = 0
    while True:
        rng = random.Random(f"{seed}-{epoch}")
        order = [*packed, *cased]
        rng.shuffle(order)
        for pair in order:
            draw = rng.randrange(2**32)
            if isinstance(pair, Marked):
                yield pair.example
            else:
                yield lambda pair=pair, draw=draw: mark(unpack(pair), rare, random.Random(draw)).example()  # type: ignore[misc]
        epoch += 1


def unpack(packed: bytes) -> Pair:
    """Read a pair that was packed to save memory: as lists of strings all of them take 3 GB."""
    return Pair(*json.loads(zlib.decompress(packed)))


class Batch(NamedTuple):
    """Examples of one kind, padded: pieces x examples, words x examples, and labels or words to keep."""

    ids: np.ndarray
    piece_shape: np.ndarray
    first: np.ndarray
    last: np.ndarray
    shape: np.ndarray
    words: np.ndarray  # 1 for words, 0 for padding
    labels: np.ndarray | None
    keep: np.ndarray | None


def pad(rows: Sequence[np.ndarray], value: int = 0) -> np.ndarray:
    """Stack arrays that differ in the length of their last dimension."""
    width = max(row.shape[-1] for row in rows)
    stacked = np.full((len(rows), *rows[0].shape[:-1], width), value, rows[0].dtype)
    for target, row in zip(stacked, rows, strict=True):
        target[..., : row.shape[-1]] = row
    return stacked


def collate(examples: Sequence[Example]) -> Batch:
    """Pad the examples of a batch; all of them are trees or all are pairs."""
    pieces = [example.pieces for example in examples]
    shapes = [np.where(p.owner >= 0, p.shape[np.maximum(p.owner, 0)] + 1, 0) for p in pieces]
    labels = [example.labels for example in examples if example.labels is not None]
    keep = [example.keep for example in examples if example.keep is not None]
    return Batch(
        pad([p.ids for p in pieces]),
        pad(shapes),
        pad([p.first for p in pieces]),
        pad([p.last for p in pieces]),
        pad([p.shape + 1 for p in pieces]),
        pad([np.ones(len(p.first), np.int32) for p in pieces]),
        pad(labels, IGNORED) if labels else None,
        pad(keep) if keep else None,
    )


def cut_batches(examples: list[Example], size: int) -> list[list[Example]]:
    """Sort by length and cut where a batch would have more than `size` pieces, padding included."""
    batches: list[list[Example]] = []
    for example in sorted(examples, key=lambda e: len(e.pieces.ids)):
        if not batches or (len(batches[-1]) + 1) * len(example.pieces.ids) > size:
            batches.append([])
        batches[-1].append(example)
    return batches
