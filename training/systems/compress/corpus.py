"""Sentences as numbers, in batches of one length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from network import Network

BATCH = 2500  # units in a batch
THRESHOLDS = np.arange(0.2, 0.6, 0.01)


class Corpus(NamedTuple):
    """Sentences one after another: rows are word, tag, relation, distance, depth, size, head, Google's tag and label.

    `keep` is 1 for a unit that is kept, or the share of people who kept it.
    """

    table: np.ndarray
    ends: np.ndarray
    keep: np.ndarray

    def batches(self, rng: np.random.Generator | None, size: int = BATCH) -> Iterator[np.ndarray]:
        """Places (sentences x length) of sentences of one length, in random order if there is a generator."""
        starts = np.concatenate([[0], self.ends[:-1]])
        lengths = self.ends - starts
        order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
        order = order[np.argsort(lengths[order], kind="stable")]
        cuts = np.flatnonzero(np.diff(lengths[order])) + 1
        groups = []
        for group in np.split(order, cuts):
            step = max(1, size // int(lengths[group[0]]))
            groups += [group[i : i + step] for i in range(0, len(group), step)]
        if rng is not None:
            rng.shuffle(groups)  # type: ignore[arg-type]
        for group in groups:
            yield starts[group][:, None] + np.arange(lengths[group[0]])

    def take(self, places: np.ndarray) -> np.ndarray:
        """batch x rows x length"""
        return self.table[:, places].transpose(1, 0, 2)

    def first(self, sentences: int) -> Corpus:
        """The first so many sentences."""
        ends = self.ends[:sentences]
        return Corpus(self.table[:, : ends[-1]], ends, self.keep[: ends[-1]])


def read(path: Path) -> Corpus:
    with np.load(path) as file:
        return Corpus(file["table"][:9], file["ends"], file["table"][9].astype(np.float32))


def predict(network: Network, corpus: Corpus) -> np.ndarray:
    """p(keep) of every unit of a corpus."""
    network.eval()
    found = np.zeros(corpus.table.shape[1], np.float32)
    with torch.no_grad():
        for places in corpus.batches(None, 8000):
            batch = corpus.take(places)
            logits = network(torch.from_numpy(batch[:, :6]), torch.from_numpy(batch[:, 6]).long())[0]
            found[places] = torch.sigmoid(logits).numpy()
    network.train()
    return found


class Figures(NamedTuple):
    """Index F1, mean over sentences, with the threshold that is best for it."""

    f1: float
    threshold: float
    rate: float
    exact: float


def figures(p: np.ndarray, corpus: Corpus, thresholds: np.ndarray = THRESHOLDS) -> Figures:
    starts = np.concatenate([[0], corpus.ends[:-1]])
    kept = corpus.keep > 0.5
    gold = np.add.reduceat(kept.astype(int), starts)
    best = Figures(-1, 0, 0, 0)
    for threshold in thresholds:
        y = p >= threshold
        both, own = np.add.reduceat((y & kept).astype(int), starts), np.add.reduceat(y.astype(int), starts)
        f1 = np.where(gold + own > 0, 2 * both / np.maximum(gold + own, 1), 1.0).mean()
        wrong = np.add.reduceat((y != kept).astype(int), starts)
        if f1 > best.f1:
            rate = np.mean(own / (corpus.ends - starts))
            best = Figures(float(f1), float(threshold), float(rate), float((wrong == 0).mean()))
    return best
