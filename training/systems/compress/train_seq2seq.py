"""Trains the compressor `seq2seq` of Filippova et al. (2015), as Toutanova et al. (2016) used it, and writes its model.

    python training/systems/compress/train_seq2seq.py OUT                         # the one that is shipped
    python training/systems/compress/train_seq2seq.py OUT --paper                 # three layers of 512, 50,000 pairs
    python training/systems/compress/train_seq2seq.py OUT --export                # writes the model of OUT/seq2seq.pt

It reads plain words, so that no parser is needed: the Google pairs, and MSR's rewrites that only delete. The held-back
tenth of MSR's sources is never trained on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from export_sequences import seq2seq_arrays, write_sequence_model
from loop import fit
from seq2seq import Seq2Seq, label_all, loss_of
from text_pairs import Labels, count_words, deletions, google, msr, number_words
from torch import Tensor
from train import reporter, word_vectors

from corpus import Corpus, figures

WORDS = 30_000
LONGEST = 60  # words of a training sentence: 1 % are longer, and a batch of them takes long
PAPER_PAIRS = 50_000


def read_pairs(limit: int | None, repeat: int) -> list[Labels]:
    """List the Google pairs, or about so many, and MSR's deletions `repeat` times."""
    step = 1 if limit is None else max(1, round(180_000 / limit))
    pairs = [pair for pair in google("train", step) if len(pair.words) <= LONGEST]
    own = [pair for pair in deletions(msr(held_back=False)) if len(pair.words) <= LONGEST]
    return pairs + repeat * own


def build(words: list[str], hidden: int, width: int, dropout: float, seed: int) -> Seq2Seq:
    """Build the network; the first columns of its table of words are GloVe's."""
    network = Seq2Seq(len(words), width=width, hidden=hidden, dropout=dropout)
    vectors = torch.from_numpy(word_vectors(words, 50, seed))
    network.word.weight.data[: len(words), : vectors.shape[1]] = vectors
    return network


def fast_loss(network: Seq2Seq, corpus: Corpus):  # type: ignore[no-untyped-def]
    """Compute the loss in bfloat16: 1.6 times as fast where the processor has it."""
    loss = loss_of(network, corpus)

    def value(places: np.ndarray) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return loss(places)

    return value


def export(folder: Path) -> None:
    """Write the model of a folder: seq2seq.json and seq2seq.npz."""
    saved = torch.load(folder / "seq2seq.pt", weights_only=True)
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    about = {"name": "seq2seq", "hidden": saved["hidden"], "width": saved["width"]}
    write_sequence_model(folder / "seq2seq.json", words, *seq2seq_arrays(saved["state"]), about)


def main() -> None:
    options = argparse.ArgumentParser(description="train the compressor seq2seq")
    options.add_argument("folder", type=Path, help="where seq2seq.pt and the model are written")
    options.add_argument("--epochs", type=float, default=2)
    options.add_argument("--rate", type=float, default=0.002)
    options.add_argument("--hidden", type=int, default=256)
    options.add_argument("--width", type=int, default=128, help="numbers for each word")
    options.add_argument("--dropout", type=float, default=0.15)
    options.add_argument("--limit", type=int, help="about so many of the Google pairs")
    options.add_argument("--repeat", type=int, default=4, help="how often MSR's deletions are read in an epoch")
    options.add_argument("--paper", action="store_true", help="512 units and 50,000 pairs, as in the paper")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--check", type=int, default=1000, help="batches between two looks at the validation part")
    options.add_argument("--export", action="store_true", help="do not train: write the model of seq2seq.pt")
    args = options.parse_args()
    if args.export:
        export(args.folder)
        return
    if args.paper:
        args.hidden, args.limit = 512, PAPER_PAIRS
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.folder.mkdir(parents=True, exist_ok=True)
    pairs = read_pairs(args.limit, args.repeat)
    words = count_words((pair.words for pair in pairs), WORDS)
    (args.folder / "words.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")
    train, val = number_words(pairs, words), number_words(google("val", 100), words)
    network = build(words, args.hidden, args.width, args.dropout, args.seed)
    about = {"hidden": args.hidden, "width": args.width}
    look = reporter(
        args.folder / "seq2seq.pt", network, about, lambda: figures(label_all(network, val), val, np.array([0.5]))
    )
    loss = fast_loss(network, train)
    fit(network, train, loss, epochs=args.epochs, rate=args.rate, seed=args.seed, look=look, every=args.check)
    export(args.folder)


if __name__ == "__main__":
    main()
