"""Trains the headline tagger on what prepare.py wrote.

python training/compress/train.py /tmp/assay-tagger --epochs 6
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from corpus import figures, predict, read
from network import Network, Shape
from torch import Tensor, nn


def word_vectors(words: list[str], width: int, rng: np.random.Generator, glove: Path | None) -> np.ndarray:
    vectors = rng.normal(0, 0.3, (len(words), width)).astype(np.float32)
    if glove is not None:
        with np.load(glove) as file:
            vectors[file["known"]] = file["rows"][file["known"]]
        return vectors
    from assay.text.vectors import word_vectors as load

    rows, known = load("glove").matrix(words)
    vectors[known] = rows[known]
    return vectors


def losses(network: Network, batch: np.ndarray, features: Tensor, keep: Tensor, side: float) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):  # half as long again as fast, where the processor has it
        answers = network(features, torch.from_numpy(batch[:, 6]).long())
    logits, tag, label = (answer.float() for answer in answers)
    loss = nn.functional.binary_cross_entropy_with_logits(logits, keep)
    if side:
        tags, labels = torch.from_numpy(batch[:, 7]).long(), torch.from_numpy(batch[:, 8]).long()
        loss = loss + side * nn.functional.cross_entropy(tag.flatten(0, 1), tags.flatten())
        loss = loss + side * nn.functional.cross_entropy(label.flatten(0, 1), labels.flatten())
    return loss


def main() -> None:
    options = argparse.ArgumentParser(description="train the headline tagger")
    options.add_argument("folder", type=Path)
    options.add_argument("--epochs", type=float, default=6)
    options.add_argument("--rate", type=float, default=0.002)
    options.add_argument("--hidden", type=int, default=128)
    options.add_argument("--dropout", type=float, default=0.25)
    options.add_argument("--side", type=float, default=0.1, help="weight of Google's tags and labels")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--limit", type=int, help="only so many training sentences")
    options.add_argument("--glove", type=Path, help="npz with rows and known, instead of assay[vectors]")
    options.add_argument("--start", type=Path, help="go on from this .pt instead of from nothing")
    options.add_argument("--steady", action="store_true", help="do not lower the learning rate")
    options.add_argument("--name", default="headline")
    options.add_argument("--check", type=int, default=1000, help="batches between two looks at the validation part")
    args = options.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    lists = json.loads((args.folder / "lists.json").read_text())
    train, val = read(args.folder / "train.npz"), read(args.folder / "val.npz")
    if args.limit:
        train = train.first(args.limit)
    few = val.first(4000)
    names = ("words", "tags", "relations", "google_tags", "google_labels")
    network = Network(Shape(*(len(lists[name]) for name in names), hidden=args.hidden), args.dropout)
    network.word.weight.data.copy_(torch.from_numpy(word_vectors(lists["words"], 50, rng, args.glove)))
    if args.start:
        network.load_state_dict(torch.load(args.start, weights_only=True)["state"])
    counts = torch.tensor(lists["counts"], dtype=torch.float)
    unknown = 0.25 / (0.25 + counts) + 0.01  # how often a word is read as unknown
    unknown[0] = 0
    optimizer = torch.optim.Adam(network.parameters(), lr=args.rate, betas=(0.9, 0.98))
    total = int(args.epochs * sum(1 for _ in train.batches(rng)))
    mean = {name: values.detach().clone() for name, values in network.state_dict().items()}
    step, begun, seen, loss_sum = 0, time.process_time(), 0, 0.0
    while step < total:
        for places in train.batches(rng):
            batch = train.take(places)
            features = torch.from_numpy(batch[:, :6]).contiguous()
            words = features[:, 0]
            words[torch.rand(words.shape) < unknown[words]] = 0
            for row in (1, 2):
                features[:, row][torch.rand(words.shape) < 0.02] = 0
            for part in optimizer.param_groups:
                part["lr"] = args.rate * min(1, (step + 1) / 300) * (1 if args.steady else max(0.01, 1 - step / total))
            optimizer.zero_grad(set_to_none=True)
            loss = losses(network, batch, features, torch.from_numpy(train.keep[places]), args.side)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            seen += words.numel()
            loss_sum += loss.item()
            if step % 10 == 0:
                decay = min(0.99, step / (step + 100))
                for name, values in network.state_dict().items():
                    mean[name].lerp_(values, 1 - decay) if values.is_floating_point() else None
            if step % args.check == 0 or step == total:
                live = {name: values.detach().clone() for name, values in network.state_dict().items()}
                network.load_state_dict(mean)
                found = figures(predict(network, few), few)
                spent = time.process_time() - begun
                print(
                    f"{step}/{total} loss {loss_sum / args.check:.4f} f1 {found.f1:.4f} at {found.threshold:.2f} "
                    f"rate {found.rate:.3f} exact {found.exact:.3f} {spent:.0f} s {seen / spent:.0f} units/s",
                    flush=True,
                )
                torch.save({"state": mean, "hidden": args.hidden}, args.folder / f"{args.name}.pt")
                network.load_state_dict(live)
                loss_sum = 0.0
            if step >= total:
                break
    network.load_state_dict(mean)
    found = figures(predict(network, val), val)
    print("validation", found)


if __name__ == "__main__":
    main()
