"""Parses the 200k Google pairs with Assay's own parser and writes numbers for train.py.

    python training/systems/compress/prepare.py /tmp/assay-tagger          # about 10 minutes on one core

The pairs are lower-cased, with ## for numbers and <unk> for rare words. Before parsing, words that Google tagged as
names are capitalised, ## becomes a number and <unk> a rare word with the same tag, so that the parser meets what it
will meet in use.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assay.systems.compress.neural._tagger_input import UNKNOWN, Unit, Vocabulary, units
from assay.text.parse.spacy import SpacyEngine, one_thread, span_words

ROOT = Path(__file__).resolve().parents[3]
NAMES = frozenset(("NNP", "NNPS"))
LONGEST = 120  # words; the 0.2 % above cost more than they teach


def data_folder() -> Path:
    return Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))


class Pair(NamedTuple):
    """A sentence with Google's tags and dependency labels, and which words the compression keeps."""

    words: list[str]
    tags: list[str]
    labels: list[str]
    keep: list[int]


def read_pairs(name: str) -> Iterator[Pair]:
    with gzip.open(data_folder() / "google-compression-200k" / name, "rt", encoding="utf-8") as file:
        for line in file:
            words, tags, labels, keep = (column.split() for column in line.rstrip("\n").split("\t"))
            if len(words) <= LONGEST:
                yield Pair(words, tags, labels, [int(bit) for bit in keep])


def rare_words(pairs: list[Pair]) -> dict[str, list[str]]:
    """Words that occur at most three times, by tag: what stands in for <unk> while parsing."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        counts.update(pair.words)
    found: dict[str, list[str]] = {}
    for pair in pairs:
        for word, tag in zip(pair.words, pair.tags, strict=True):
            if counts[word] <= 3 and word.isalpha():
                found.setdefault(tag, []).append(word)
    return found


def restore_case(pair: Pair, rare: dict[str, list[str]], rng: random.Random) -> list[str]:
    """The words as they may have looked in print."""
    found = []
    for i, (word, tag) in enumerate(zip(pair.words, pair.tags, strict=True)):
        if word == UNKNOWN:
            word = rng.choice(rare.get(tag) or rare["NN"])
        elif word == "##":
            if tag == "JJ":
                word = rng.choice(("15-year-old", "20-year-old", "10-year", "5th", "20th"))
            elif tag == "NN":
                word = rng.choice(("34-year-old", "7", "40", "3D"))
            elif tag == "NNP":
                word = rng.choice(("2014", "4", "27", "A1"))
            elif tag == "NNS":
                word = "1980s"
            else:
                word = rng.choice(("2", "12", "25", "3.5", "100", "2,500", "2013"))
        elif word in ("``", "''"):
            word = '"'
        if tag in NAMES:
            word = "-".join(part[:1].upper() + part[1:] for part in word.split("-"))
        if i == 0:
            word = word[:1].upper() + word[1:]
        found.append(word)
    return found


class Parsed(NamedTuple):
    """The units of a sentence, Google's tag and label of each, and which are kept."""

    units: list[Unit]
    tags: list[str]
    labels: list[str]
    keep: list[int]


def parse_pairs(pairs: list[Pair], rare: dict[str, list[str]], seed: int) -> Iterator[Parsed]:
    from spacy.tokens import Doc

    rng = random.Random(seed)
    nlp = SpacyEngine("en", Path(__file__).parents[2] / "text" / "parse" / "en").nlp
    pieces: dict[str, list[str]] = {}

    def split(word: str) -> list[str]:
        if word not in pieces:
            pieces[word] = [token.text for token in nlp.tokenizer(word)] or [word]
        return pieces[word]

    def docs() -> Iterator[tuple[Doc, tuple[Pair, list[int]]]]:
        for pair in pairs:
            words: list[str] = []
            spaces: list[bool] = []
            origin: list[int] = []
            for i, word in enumerate(restore_case(pair, rare, rng)):
                parts = split(word)
                words += parts
                spaces += [False] * (len(parts) - 1) + [True]
                origin += [i] * len(parts)
            yield Doc(nlp.vocab, words, spaces), (pair, origin)

    with one_thread():
        for doc, (pair, origin) in nlp.pipe(docs(), as_tuples=True, batch_size=512):
            words = []
            for span in doc.sents:  # one sentence in this data, whatever the parser says
                shift = span.start
                words += [w._replace(head=w.head + shift if w.head >= 0 else -1) for w in span_words(span)]
            found = units(tuple(words))
            at, first = 0, []
            for unit in found:
                first.append(origin[at])
                at += unit.words
            yield Parsed(
                [
                    unit._replace(form=pair.words[i]) if pair.words[i] in ("##", UNKNOWN) else unit
                    for unit, i in zip(found, first, strict=True)
                ],
                [pair.tags[i] for i in first],
                [pair.labels[i] for i in first],
                [pair.keep[i] for i in first],
            )


def write(path: Path, sentences: list[Parsed], vocabulary: Vocabulary, tags: list[str], labels: list[str]) -> None:
    columns: list[list[int]] = [[] for _ in range(10)]
    tag_number = {tag: i for i, tag in enumerate(tags)}
    label_number = {label: i for i, label in enumerate(labels)}
    ends = []
    for sentence in sentences:
        for column, values in zip(columns, vocabulary.features(sentence.units), strict=False):
            column += values
        columns[7] += [tag_number.get(tag, 0) for tag in sentence.tags]
        columns[8] += [label_number.get(label, 0) for label in sentence.labels]
        columns[9] += sentence.keep
        ends.append(len(columns[0]))
    np.savez(path, table=np.array(columns, np.int32), ends=np.array(ends))


def main() -> None:
    options = argparse.ArgumentParser(description="parse the 200k pairs")
    options.add_argument("folder", type=Path)
    options.add_argument("--part", help="i/n: parse only this part of the training pairs, for several processes")
    options.add_argument("--join", type=int, help="join this many parts")
    args = options.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.join is None:
        train, val = list(read_pairs("train.tsv.gz")), list(read_pairs("val.tsv.gz"))
        rare = rare_words(train)
        i, n = map(int, (args.part or "0/1").split("/"))
        order = list(range(len(train)))
        random.Random(0).shuffle(order)
        found = list(parse_pairs([train[k] for k in order[i::n]], rare, i))
        found_val = list(parse_pairs(val[i::n], rare, 1000 + i))
        (args.folder / f"part{i}.json").write_text(json.dumps([found, found_val]))
        if args.part:
            return
    train_parsed: list[Parsed] = []
    val_parsed: list[Parsed] = []
    for i in range(args.join or 1):
        parts = json.loads((args.folder / f"part{i}.json").read_text())
        for target, part in zip((train_parsed, val_parsed), parts, strict=True):
            target += [Parsed([Unit(*unit) for unit in first], *rest) for first, *rest in part]
    forms: Counter[str] = Counter()
    own_tags: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for pair in read_pairs("train.tsv.gz"):
        forms.update(pair.words)
    for s in train_parsed:
        own_tags.update(unit.tag for unit in s.units)
        relations.update(unit.relation for unit in s.units)
        tags.update(s.tags)
        labels.update(s.labels)

    def names(counts: Counter[str], least: int) -> list[str]:
        return [UNKNOWN, *sorted(name for name, count in counts.items() if count >= least and name != UNKNOWN)]

    lists = {
        "words": names(forms, 2),
        "tags": names(own_tags, 20),
        "relations": names(relations, 20),
        "google_tags": names(tags, 20),
        "google_labels": names(labels, 20),
    }
    vocabulary = Vocabulary(lists["words"], lists["tags"], lists["relations"])
    write(args.folder / "train.npz", train_parsed, vocabulary, lists["google_tags"], lists["google_labels"])
    write(args.folder / "val.npz", val_parsed, vocabulary, lists["google_tags"], lists["google_labels"])
    lists["counts"] = [forms[word] for word in lists["words"]]  # type: ignore[misc]
    (args.folder / "lists.json").write_text(json.dumps(lists))


if __name__ == "__main__":
    main()
