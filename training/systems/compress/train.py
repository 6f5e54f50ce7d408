"""Trains the headline tagger, or the paper's sequence-to-sequence form, on what prepare.py wrote.

python training/systems/compress/train.py /tmp/assay-tagger                              # the one that is shipped
python training/systems/compress/train.py /tmp/assay-tagger --form seq2seq --parent      # Filippova et al. (2015)
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from loop import fit
from network import Network, Shape
from seq2seq import Seq2Seq, label_all, loss_of
from torch import Tensor, nn

from corpus import Corpus, figures, predict, read

LISTS = ("words", "tags", "relations", "google_tags", "google_labels")


def word_vectors(words: list[str], width: int, seed: int) -> np.ndarray:
    """GloVe where it knows the word, else at random."""
    from assay.text.vectors.words import word_vectors as load

    vectors = np.random.default_rng(seed).normal(0, 0.3, (len(words), width)).astype(np.float32)
    rows, known = load("glove").matrix(words)
    vectors[known] = rows[known]
    return vectors


def tagger_loss(
    network: Network, corpus: Corpus, unknown: Tensor, side: float, fast: bool = True
) -> Callable[[np.ndarray], Tensor]:
    """Cross-entropy of the bits and, weighed by `side`, of Google's tags and labels.

    Now and then a word is read as unknown (`unknown`: how often, by its number), and 2 % of the tags and relations.
    """

    def loss(places: np.ndarray) -> Tensor:
        batch = corpus.take(places)
        features = torch.from_numpy(batch[:, :6]).contiguous()
        words = features[:, 0]
        words[torch.rand(words.shape) < unknown[words]] = 0
        for row in (1, 2):
            features[:, row][torch.rand(words.shape) < 0.02] = 0
        with torch.autocast("cpu", torch.bfloat16, enabled=fast):  # 1.6 times as fast where the processor has it
            answers = network(features, torch.from_numpy(batch[:, 6]).long())
        logits, tag, label = (answer.float() for answer in answers)
        value = nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(corpus.keep[places]))
        if side:
            tags, labels = torch.from_numpy(batch[:, 7]).long(), torch.from_numpy(batch[:, 8]).long()
            value = value + side * nn.functional.cross_entropy(tag.flatten(0, 1), tags.flatten())
            value = value + side * nn.functional.cross_entropy(label.flatten(0, 1), labels.flatten())
        return value

    return loss


def reporter(path: Path, network: nn.Module, about: dict[str, Any], answers: Callable[[], Any]) -> Callable[..., None]:
    """Prints how training goes, and saves the network."""
    begun = time.process_time()

    def look(step: int, total: int, loss: float) -> None:
        torch.save({"state": network.state_dict(), **about}, path)
        spent = time.process_time() - begun
        print(f"{step}/{total} loss {loss:.4f} {answers()} {spent:.0f} s", flush=True)

    return look


def main() -> None:
    options = argparse.ArgumentParser(description="train the headline tagger")
    options.add_argument("folder", type=Path)
    options.add_argument("--form", choices=("tagger", "seq2seq"), default="tagger")
    options.add_argument("--epochs", type=float, default=5)
    options.add_argument("--rate", type=float, default=0.002)
    options.add_argument("--hidden", type=int, help="128 for the tagger, 256 for seq2seq")
    options.add_argument("--dropout", type=float, default=0.25)
    options.add_argument("--side", type=float, default=0.1, help="weight of Google's tags and labels")
    options.add_argument("--parent", action="store_true", help="seq2seq: also read the head of each word (LSTM+PAR)")
    options.add_argument("--layers", type=int, default=3, help="seq2seq: LSTMs in the stack")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--limit", type=int, help="only so many training sentences")
    options.add_argument("--name", help="of the .pt file; headline or seq2seq")
    options.add_argument("--check", type=int, default=500, help="batches between two looks at the validation part")
    args = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    lists = json.loads((args.folder / "lists.json").read_text())
    train, val = read(args.folder / "train.npz"), read(args.folder / "val.npz")
    if args.limit:
        train = train.first(args.limit)
    plan = {"epochs": args.epochs, "rate": args.rate, "seed": args.seed, "every": args.check}
    if args.form == "seq2seq":
        about = {"hidden": args.hidden or 256, "layers": args.layers, "parent": args.parent}
        paper = Seq2Seq(len(lists["words"]), dropout=args.dropout, **about)
        few = val.first(500)
        look = reporter(
            args.folder / f"{args.name or 'seq2seq'}.pt",
            paper,
            about,
            lambda: figures(label_all(paper, few), few, np.array([0.5])),
        )
        fit(paper, train, loss_of(paper, train), look=look, **plan)
        return
    hidden = args.hidden or 128
    network = Network(Shape(*(len(lists[name]) for name in LISTS), hidden=hidden), args.dropout)
    network.word.weight.data.copy_(torch.from_numpy(word_vectors(lists["words"], 50, args.seed)))
    counts = torch.tensor(lists["counts"], dtype=torch.float)
    unknown = 0.25 / (0.25 + counts) + 0.01
    few = val.first(4000)
    path = args.folder / f"{args.name or 'headline'}.pt"
    look = reporter(path, network, {"hidden": hidden}, lambda: figures(predict(network, few), few))
    fit(network, train, tagger_loss(network, train, unknown, args.side), look=look, **plan)
    print("validation", figures(predict(network, val), val))


if __name__ == "__main__":
    main()
