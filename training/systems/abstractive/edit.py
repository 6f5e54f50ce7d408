"""Trains `edit`: the tagger's network with a second answer, what to put in the place of a word that stays.

python training/systems/abstractive/edit.py models/research/assay_research/abstractive    # 10 CPU-minutes, one thread

It starts from the headline tagger of the package, learns from eight tenths of the sources of MSR's training file (all
rewrites, not only those that delete), and prints its figures on the two tenths that are held back.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "compress"))

import numpy as np
import torch
from edit_labels import Example, label
from edit_pairs import list_pairs, list_phrases, split_rewrites
from export import arrays
from loop import fit
from network import Network
from shipped import load_network
from torch import Tensor, nn

from assay.systems.compress.edits._tags import list_tags
from assay.systems.compress.neural.tagger import Tagger
from assay.text.cache import default_cache
from assay.text.parse.parser import parse
from corpus import Corpus

EPOCHS, RATE, SIZE, SEED = 14, 0.001, 1200, 0
START = "headline"


class EditNetwork(nn.Module):
    """The tagger, and a layer that gives each tag a logit."""

    def __init__(self, tagger: Network, tags: int) -> None:
        super().__init__()
        self.tagger = tagger
        self.tags = nn.Linear(tagger.shape.hidden, tags)
        nn.init.zeros_(self.tags.bias)
        nn.init.normal_(self.tags.weight, std=0.02)

    def forward(self, features: Tensor, head: Tensor) -> tuple[Tensor, Tensor]:
        hidden, _ = self.tagger.encode(features, head)
        return self.tagger.last(hidden)[..., 0], self.tags(hidden)


def gather_corpus(examples: Sequence[Example]) -> tuple[Corpus, np.ndarray]:
    """The units of all examples, one after another, and the shares of their tags."""
    rows = [[value for example in examples for value in example.features[row]] for row in range(7)]
    ends = np.cumsum([len(example.keep) for example in examples])
    keep = np.array([share for example in examples for share in example.keep], np.float32)
    return Corpus(np.array([*rows, rows[0], rows[0]], np.int32), ends, keep), np.concatenate([e.tags for e in examples])


def edit_loss(network: EditNetwork, corpus: Corpus, tags: np.ndarray) -> Callable[[np.ndarray], Tensor]:
    """Cross-entropy of keeping, and of the tags of units that people kept, weighed by how many did."""

    def loss(places: np.ndarray) -> Tensor:
        batch = corpus.take(places)
        features = torch.from_numpy(batch[:, :6]).contiguous()
        if network.training:
            words = features[:, 0]
            words[torch.rand(words.shape) < 0.05] = 0
        logits, tag_logits = network(features, torch.from_numpy(batch[:, 6]).long())
        keep = torch.from_numpy(corpus.keep[places])
        value = nn.functional.binary_cross_entropy_with_logits(logits, keep)
        shares = torch.from_numpy(tags[places])
        return value + (-(shares * tag_logits.log_softmax(-1)).sum(-1) * keep).mean()

    return loss


class Figures(dict[str, float]):
    """Figures of a network on held-back sources."""

    def __str__(self) -> str:
        return " ".join(f"{name} {value:.3f}" for name, value in self.items())


def measure(network: EditNetwork, corpus: Corpus, tags: np.ndarray) -> Figures:
    """Loss, accuracy of keeping where most people agree, and how the likeliest tag that changes something does."""
    network.eval()
    losses, right, total, edits, hits, gold = [], 0, 0, 0, 0.0, 0.0
    with torch.no_grad():
        value = edit_loss(network, corpus, tags)
        for places in corpus.batches(None, 4000):
            losses.append((float(value(places)), places.size))
            batch = corpus.take(places)
            logits, tag_logits = network(torch.from_numpy(batch[:, :6]), torch.from_numpy(batch[:, 6]).long())
            keep = corpus.keep[places]
            right += int(((logits.numpy() > 0) == (keep > 0.5)).sum())
            total += keep.size
            p = tag_logits.softmax(-1).numpy()
            chosen = p.argmax(-1)
            shares = np.take_along_axis(tags[places], chosen[..., None], -1)[..., 0]
            proposals = (chosen > 0) & (keep > 0)  # of a word that no one keeps, no one asks what becomes of it
            edits += int(proposals.sum())
            hits += float(shares[proposals].sum())
            gold += float(((1 - tags[places][..., 0]) * (keep > 0)).sum())
    network.train()
    mean = sum(v * n for v, n in losses) / sum(n for _, n in losses)
    return Figures(
        loss=mean,
        keep_accuracy=right / total,
        edits=edits,
        precision=hits / edits if edits else float("nan"),
        recall=hits / gold,
    )


def write(
    folder: Path,
    network: EditNetwork,
    tagger: Tagger,
    phrases: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    exact: bool = False,
) -> None:
    """Write edit.json and edit.npz: float16 matrices unless `exact`; the table of words is the one of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    state = network.tagger.state_dict()
    found = {**arrays(state), "tags.weight": network.tags.weight.detach().numpy().T}
    found["tags.bias"] = network.tags.bias.detach().numpy()
    kind = np.float32 if exact else np.float16
    np.savez_compressed(folder / "edit.npz", **{name: values.astype(kind) for name, values in found.items()})
    vocabulary = tagger.vocabulary
    about = {"name": "edit", "tags": list(vocabulary.tags), "relations": list(vocabulary.relations)}
    text = json.dumps({**about, "phrases": list(phrases), "pairs": list(pairs)}, indent=1)
    (folder / "edit.json").write_text(text + "\n", encoding="utf-8")


def train(corpus: Corpus, tags: np.ndarray, tagger: Tagger, look: Callable[[EditNetwork], None]) -> EditNetwork:
    torch.manual_seed(SEED)
    network = EditNetwork(load_network(tagger), tags.shape[1])
    network.tagger.word.weight.requires_grad_(False)
    for unused in (network.tagger.google_tag, network.tagger.google_label):
        unused.requires_grad_(False)
    loss = edit_loss(network, corpus, tags)

    def report(step: int, steps: int, value: float) -> None:
        print(f"{step}/{steps} loss {value:.4f}", flush=True)
        look(network)

    plan = {"epochs": EPOCHS, "rate": RATE, "seed": SEED, "size": SIZE, "decay": 0.98, "every": 150}
    fit(network, corpus, loss, look=report, **plan)
    return network


def main() -> None:
    options = argparse.ArgumentParser(description="train the network of edit")
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--test", action="store_true", help="print the figures of the last tenth too: once, at the end"
    )
    args = options.parse_args()
    torch.set_num_threads(1)
    tagger = Tagger.load(START)
    parts = split_rewrites()
    phrases = list_phrases(parts["train"])
    print(f"{len(phrases)} phrases, {len(list_tags(phrases))} tags", flush=True)
    corpora = {}
    for name, rows in parts.items():
        parses = parse([" ".join(row.words) for row in rows], cache=default_cache())
        examples = [label(row, p, tagger.vocabulary, phrases) for row, p in zip(rows, parses, strict=True)]
        corpora[name] = gather_corpus(examples)
    print("before, dev:", measure(EditNetwork(load_network(tagger), len(list_tags(phrases))), *corpora["dev"]))
    network = train(*corpora["train"], tagger, lambda it: print("dev", measure(it, *corpora["dev"]), flush=True))
    write(args.folder, network, tagger, phrases, list_pairs(parts["train"], phrases))
    if args.test:
        print("test", measure(network, *corpora["test"]))


if __name__ == "__main__":
    main()
