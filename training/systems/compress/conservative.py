"""Turns the headline tagger into the conservative one: careful deletions in spoken and written news.

    python training/systems/compress/conservative.py /tmp/assay-tagger tune  # MSR's rewrites, then Broadcast News
    python training/systems/compress/conservative.py /tmp/assay-tagger folds  # five models, each without some stories

Both start from headline.pt; the table of words stays as it is, so that the two taggers share it.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from deletions import find_kept
from loop import fit
from network import Network, Shape
from prepare import data_folder
from train import LISTS, tagger_loss

from assay.systems.compress.neural._tagger_input import Features, Vocabulary, segments, units
from assay.text.parse.parser import parse
from corpus import Corpus, predict

FOLDS = 5
MIN_SHARE, MAX_SHARE = 0.3, 0.95  # of the words: rewrites of MSR that keep less or more are another task


class Example(NamedTuple):
    """A sentence, the share of people who kept each of its words, and the story it is from."""

    id: str
    story: str
    words: list[str]
    keeps: list[list[int]]


def broadcast() -> list[Example]:
    found = []
    for item in _lines("broadcast-news.jsonl.gz"):
        words = item["source"].split()
        keeps = [find_kept(words, reference["text"].split()) for reference in item["references"]]
        found.append(Example(item["id"], item["group"], words, [bits for bits in keeps if bits is not None]))
    return found


def msr(cut: bool = False) -> list[Example]:
    """Sources of which there are rewrites that only delete.

    Where the id names two sentences (81_82), the source was cut to the first of them, so its rewrites are of another
    text: these rows are left out unless `cut`.
    """
    found = []
    for item in _lines("msr-compression/train-text.jsonl.gz"):
        if "_" in str(item["id"]) and not cut:
            continue
        words = item["source"].split()
        keeps = []
        for text in item["compressions"]:
            shorter = text.split()
            if MIN_SHARE * len(words) <= len(shorter) <= MAX_SHARE * len(words):
                bits = find_kept([word.lower() for word in words], [word.lower() for word in shorter])
                if bits is not None:
                    keeps.append(bits)
        if keeps:
            found.append(Example(str(item["id"]), str(item["id"]), words, keeps))
    return found


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(data_folder() / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def overlaps(parts: Sequence[str], words: Sequence[str]) -> list[list[int]]:
    """For each part the words that share a character with it, where both spell the same text."""
    owner = [i for i, word in enumerate(words) for _ in word]
    found, at = [], 0
    for part in parts:
        found.append(sorted(set(owner[at : at + len(part)])))
        at += len(part)
    if at != len(owner):
        raise ValueError(f"the parser read {''.join(parts)!r}, not {''.join(words)!r}")
    return found


class Prepared(NamedTuple):
    """Sentences as the network takes them; `places[i]` are the units that hold each word of the i-th sentence."""

    features: list[Features]
    shares: list[list[float]]
    places: list[list[list[int]]]

    def corpus(self, chosen: Sequence[int]) -> Corpus:
        rows = [[value for i in chosen for value in self.features[i][row]] for row in range(7)]
        ends = np.cumsum([len(self.shares[i]) for i in chosen])
        keep = np.array([share for i in chosen for share in self.shares[i]], np.float32)
        return Corpus(np.array([*rows, rows[0], rows[0]], np.int32), ends, keep)


def prepare(examples: Sequence[Example], vocabulary: Vocabulary) -> Prepared:
    """The parser's words are matched with the corpus's by their characters."""
    found = Prepared([], [], [])
    for example, parsed in zip(examples, parse([" ".join(example.words) for example in examples]), strict=True):
        shares = np.mean(example.keeps, 0)
        features: list[list[int]] = [[] for _ in range(7)]
        parts: list[str] = []
        for segment in segments(parsed):
            at, shift, of_units = 0, len(parts), units(segment)
            for unit in of_units:
                parts.append("".join(word.form for word in segment[at : at + unit.words]))
                at += unit.words
            for row, values in enumerate(vocabulary.features(of_units)):
                features[row] += [v + shift if row == 6 and v >= 0 else v for v in values]
        found.features.append(Features(*features))
        found.shares.append([float(shares[words].mean()) for words in overlaps(parts, example.words)])
        found.places.append(overlaps(example.words, parts))
    return found


def tune(network: Network, corpus: Corpus, epochs: int, rate: float, seed: int, size: int = 1000) -> None:
    """Trains everything but the table of words."""
    network.word.weight.requires_grad_(False)
    unknown = torch.full((network.shape.words,), 0.05)
    fit(
        network,
        corpus,
        tagger_loss(network, corpus, unknown, side=0),
        epochs=epochs,
        rate=rate,
        seed=seed,
        size=size,
        decay=0.98,
    )


class DeletionFigures(NamedTuple):
    """Micro F1 of deletions, mean over annotators, and the share of words kept."""

    f1: float
    rate: float


def deletion_f1(keeps: Sequence[Sequence[Sequence[int]]], kept_words: Sequence[np.ndarray]) -> DeletionFigures:
    """`keeps[i][a]`: bits of annotator a for sentence i."""
    own = ~np.concatenate(kept_words).astype(bool)
    values = []
    for annotator in range(len(keeps[0])):
        gold = ~np.concatenate([np.array(k[annotator], bool) for k in keeps])
        values.append(2 * (own & gold).sum() / max(1, own.sum() + gold.sum()))
    return DeletionFigures(float(np.mean(values)), float(1 - own.mean()))


def word_values(p: np.ndarray, prepared: Prepared, chosen: Sequence[int]) -> list[np.ndarray]:
    """p(keep) of the words from that of the units that hold them."""
    found, at = [], 0
    for i in chosen:
        own = p[at : at + len(prepared.shares[i])]
        at += len(prepared.shares[i])
        found.append(np.array([own[places].mean() for places in prepared.places[i]]))
    return found


def fold_of(examples: Sequence[Example]) -> list[int]:
    """The fold of each sentence: that of its story."""
    stories = sorted({example.story for example in examples})
    order = np.random.default_rng(0).permutation(len(stories))
    fold = {stories[i]: place % FOLDS for place, i in enumerate(order.tolist())}
    return [fold[example.story] for example in examples]


THRESHOLDS = np.arange(0.3, 0.95, 0.01)


def best_threshold(keeps: list[list[list[int]]], p: list[np.ndarray], low: float = 0.70, high: float = 0.80) -> float:
    """The threshold with the best deletion F1 of those with a rate in between; the nearest to .75 if none has."""
    rows = [(deletion_f1(keeps, [values >= t for values in p]), t) for t in THRESHOLDS]
    lawful = [(found.f1, t) for found, t in rows if low <= found.rate <= high]
    return float(max(lawful)[1]) if lawful else float(min(rows, key=lambda row: abs(row[0].rate - 0.75))[1])


def load(folder: Path, name: str) -> Network:
    lists = json.loads((folder / "lists.json").read_text())
    saved = torch.load(folder / f"{name}.pt", weights_only=True)
    network = Network(Shape(*(len(lists[name]) for name in LISTS), hidden=saved["hidden"]), 0.3)
    network.load_state_dict(saved["state"])
    return network


def save(network: Network, path: Path) -> None:
    torch.save({"state": network.state_dict(), "hidden": network.shape.hidden}, path)


def main() -> None:
    options = argparse.ArgumentParser(description="train the conservative tagger")
    options.add_argument("folder", type=Path)
    options.add_argument("task", choices=("tune", "folds"))
    options.add_argument("--start", default="headline")
    options.add_argument("--epochs", type=int, default=15)
    options.add_argument("--rate", type=float, default=0.002)
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--cut", action="store_true", help="also learn from sources that were cut, as before")
    options.add_argument("--out", type=Path, help="where the out-of-fold predictions go; FOLDER/broadcast-folds.jsonl")
    args = options.parse_args()
    torch.set_num_threads(1)
    lists = json.loads((args.folder / "lists.json").read_text())
    vocabulary = Vocabulary(lists["words"], lists["tags"], lists["relations"])
    middle = args.folder / f"msr-{args.start}{'-cut' if args.cut else ''}.pt"
    if not middle.exists():
        network, rewrites = load(args.folder, args.start), prepare(msr(args.cut), vocabulary)
        tune(network, rewrites.corpus(range(len(rewrites.features))), 4, 0.001, 0, 1500)
        save(network, middle)
    examples = broadcast()
    prepared = prepare(examples, vocabulary)
    everything = list(range(len(examples)))
    if args.task == "tune":
        network = load(args.folder, middle.stem)
        tune(network, prepared.corpus(everything), args.epochs, args.rate, 0)
        save(network, args.folder / "conservative.pt")
        return
    folds = fold_of(examples)
    values: list[np.ndarray] = [np.zeros(0)] * len(examples)
    for fold in range(FOLDS):
        inside = [i for i in everything if folds[i] != fold]
        outside = [i for i in everything if folds[i] == fold]
        found: list[list[np.ndarray]] = []
        for seed in range(args.seeds):
            network = load(args.folder, middle.stem)
            tune(network, prepared.corpus(inside), args.epochs, args.rate, seed)
            found.append(word_values(predict(network, prepared.corpus(outside)), prepared, outside))
        for i, *several in zip(outside, *found, strict=True):
            values[i] = np.mean(several, 0)
    keeps = [example.keeps for example in examples]
    kept_words: list[np.ndarray] = [np.zeros(0)] * len(examples)
    thresholds = []
    for fold in range(FOLDS):  # each fold's threshold is chosen on the other four
        others = [i for i in everything if folds[i] != fold]
        thresholds.append(best_threshold([keeps[i] for i in others], [values[i] for i in others]))
        for i in everything:
            if folds[i] == fold:
                kept_words[i] = values[i] >= thresholds[fold]
    print("own thresholds", " ".join(f"{t:.2f}" for t in thresholds), deletion_f1(keeps, kept_words))
    for threshold in np.arange(0.5, 0.8, 0.02):
        print(f"threshold {threshold:.2f}", deletion_f1(keeps, [p >= threshold for p in values]))
    with (args.out or args.folder / "broadcast-folds.jsonl").open("w", encoding="utf-8") as file:
        for example, fold, p in zip(examples, folds, values, strict=True):
            row = {"id": example.id, "fold": fold, "threshold": thresholds[fold], "words": example.words}
            file.write(json.dumps({**row, "p": [round(float(x), 6) for x in p]}) + "\n")


if __name__ == "__main__":
    main()
