"""Trains the compressor `namas` of Rush et al. (2015), and writes its model.

    python training/systems/compress/train_namas.py OUT                            # the one that is shipped
    python training/systems/compress/train_namas.py OUT --encoder convolution      # or bow

It reads MSR's rewrites (but for the held-back tenth of the sources, and a twentieth to tune weights on), and the Google
pairs. The paper's plain SGD over 4 million pairs is Adam with a sampled softmax here, for 190,000.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from export_sequences import namas_arrays, write_sequence_model
from loop import fit
from namas import ENCODERS, Namas, read_contexts
from text_pairs import Pair, count_words, google, is_for_tuning, msr, rewrites
from torch import Tensor, nn
from train import reporter, word_vectors
from tune_namas import START as START_WEIGHTS
from tune_namas import write_weights

WORDS = 15_000
SPECIAL = ("<unk>", "<s>", "</s>")
UNKNOWN, START, END = range(3)
SAMPLE = 2048  # words that the sampled softmax compares with, for each batch
LONGEST = 60  # words of a source
BATCH = 2500  # words of sources in a batch


class Corpus(NamedTuple):
    """Pairs as numbers, one after another; `source_ends` and `target_ends` tell where each ends."""

    sources: np.ndarray
    source_ends: np.ndarray
    targets: np.ndarray  # each closed by END
    target_ends: np.ndarray

    def batches(self, rng: np.random.Generator | None, size: int = BATCH) -> Iterator[np.ndarray]:
        """Yield the numbers of pairs whose sources have one length, in random order if there is a generator."""
        lengths = np.diff(self.source_ends, prepend=0)
        order = np.arange(len(lengths)) if rng is None else rng.permutation(len(lengths))
        order = order[np.argsort(lengths[order], kind="stable")]
        groups: list[np.ndarray] = []
        for group in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
            step = max(1, size // int(lengths[group[0]]))
            groups += [group[i : i + step] for i in range(0, len(group), step)]
        if rng is not None:
            rng.shuffle(groups)  # type: ignore[arg-type]
        yield from groups

    def take(self, pairs: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
        """Return sources, contexts of the targets, and targets; -1 where a target is shorter than the longest."""
        sources = np.stack([_part(self.sources, self.source_ends, i) for i in pairs])
        rows = [_part(self.targets, self.target_ends, i) for i in pairs]
        targets = np.full((len(rows), max(map(len, rows))), -1, np.int64)
        for row, values in zip(targets, rows, strict=True):
            row[: len(values)] = values
        contexts = read_contexts(np.maximum(targets, 0), START)
        return torch.from_numpy(sources), torch.from_numpy(contexts), torch.from_numpy(targets)


def _part(values: np.ndarray, ends: np.ndarray, i: int) -> np.ndarray:
    return values[ends[i - 1] if i else 0 : ends[i]].astype(np.int64)


def number_pairs(pairs: Sequence[Pair], words: Sequence[str]) -> Corpus:
    """Turn pairs of words into numbers."""
    places = {word: i for i, word in enumerate(words)}
    columns: list[tuple[np.ndarray, np.ndarray]] = []
    for sentences in ([p.source for p in pairs], [(*p.target, SPECIAL[END]) for p in pairs]):
        numbers = [places.get(word, UNKNOWN) for sentence in sentences for word in sentence]
        columns.append((np.array(numbers, np.int32), np.cumsum([len(sentence) for sentence in sentences])))
    return Corpus(*columns[0], *columns[1])


def read_pairs(limit: int | None, repeat: int) -> list[Pair]:
    """List the Google pairs, or about so many, and MSR's rewrites `repeat` times."""
    step = 1 if limit is None else max(1, round(180_000 / limit))
    own = list(rewrites(source for source in msr(held_back=False) if not is_for_tuning(source)))
    pairs = [pair.as_pair() for pair in google("train", step)] + repeat * own
    return [pair for pair in pairs if len(pair.source) <= LONGEST]


def loss_of(network: Namas, corpus: Corpus, sample: int = SAMPLE, seed: int = 0) -> Callable[[np.ndarray], Tensor]:
    """Cross-entropy of the targets by sampled softmax, for `loop.fit`; words are drawn by their counts to the .75."""
    shares = np.bincount(corpus.targets, minlength=network.leave.out_features) ** 0.75 + 1e-3
    shares /= shares.sum()
    cumulative = np.cumsum(shares)
    offsets = torch.from_numpy(np.log(-np.expm1(sample * np.log1p(-shares))).astype(np.float32))
    rng = np.random.default_rng(seed)

    def loss(pairs: np.ndarray) -> Tensor:
        sources, contexts, targets = corpus.take(pairs)
        words = torch.from_numpy(np.minimum(np.searchsorted(cumulative, rng.random(sample)), len(shares) - 1))
        with torch.autocast("cpu", torch.bfloat16):
            states = network.states(sources, contexts)[targets >= 0]
            return network.sampled_loss(states, targets[targets >= 0], words, offsets)

    return loss


@torch.no_grad()
def perplexity(network: Namas, corpus: Corpus) -> float:
    """Compute the perplexity of the targets, over all words."""
    network.eval()
    total = 0.0
    for pairs in corpus.batches(None):
        sources, contexts, targets = corpus.take(pairs)
        logits = network(sources, contexts)[targets >= 0]
        total += float(nn.functional.cross_entropy(logits, targets[targets >= 0], reduction="sum"))
    network.train()
    return float(np.exp(total / len(corpus.targets)))


def build(words: Sequence[str], width: int, hidden: int, encoder: str, seed: int) -> Namas:
    """Build the network; the first columns of its tables are GloVe's."""
    network = Namas(len(words), width, hidden, encoder)
    vectors = torch.from_numpy(word_vectors(list(words), 50, seed))
    for table in network.children():
        if isinstance(table, nn.Embedding):
            table.weight.data[:, : vectors.shape[1]] = 0.5 * vectors
    return network


def export(folder: Path, weights: dict[str, list[float]]) -> None:
    """Write the model of a folder: namas.json, with these weights of the features, and namas.npz."""
    saved = torch.load(folder / "namas.pt", weights_only=True)
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    about = {"name": "namas", **{key: saved[key] for key in ("encoder", "hidden", "width")}, "weights": weights}
    write_sequence_model(folder / "namas.json", words, *namas_arrays(saved["state"]), about)


def main() -> None:
    options = argparse.ArgumentParser(description="train the compressor namas")
    options.add_argument("folder", type=Path, help="where namas.pt and the model are written")
    options.add_argument("--encoder", choices=ENCODERS, default="attention")
    options.add_argument("--epochs", type=float, default=3)
    options.add_argument("--rate", type=float, default=0.002)
    options.add_argument("--hidden", type=int, default=160)
    options.add_argument("--width", type=int, default=96, help="numbers for each word")
    options.add_argument("--words", type=int, default=WORDS)
    options.add_argument("--limit", type=int, help="about so many of the Google pairs")
    options.add_argument("--repeat", type=int, default=4, help="how often MSR's rewrites are read in an epoch")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--check", type=int, default=1000, help="batches between two looks at the pairs for tuning")
    args = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.folder.mkdir(parents=True, exist_ok=True)
    pairs = read_pairs(args.limit, args.repeat)
    frequent = count_words((words for pair in pairs for words in pair), args.words - 2)
    words = [*SPECIAL, *frequent[1:]]
    (args.folder / "words.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    train = number_pairs(pairs, words)
    tune = number_pairs(list(rewrites(source for source in msr(held_back=False) if is_for_tuning(source))), words)
    network = build(words, args.width, args.hidden, args.encoder, args.seed)
    about = {"hidden": args.hidden, "width": args.width, "encoder": args.encoder}
    look = reporter(
        args.folder / "namas.pt", network, about, lambda: f"perplexity for tuning {perplexity(network, tune):.2f}"
    )
    loss = loss_of(network, train, seed=args.seed)
    fit(network, train, loss, epochs=args.epochs, rate=args.rate, seed=args.seed, look=look, every=args.check)  # type: ignore[arg-type]
    export(args.folder, {"paper": list(START_WEIGHTS), "released": list(START_WEIGHTS)})
    if args.encoder == "attention":
        write_weights(args.folder / "namas.json")


if __name__ == "__main__":
    main()
