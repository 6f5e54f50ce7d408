"""Writes a tagger that comes with Assay as the files that training starts from: lists.json and NAME.pt.

python training/systems/compress/shipped.py /tmp/assay-tagger headline        # instead of prepare.py and train.py

The weights are those of the package: float16, and the words' vectors int8. Google's tags and labels, which only
training the headline tagger needs, are not among them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from export import ORDER
from network import Network, Shape

from assay.systems.compress.neural._tagger_network import TABLES, Lstm
from assay.systems.compress.neural.tagger import Tagger


def load_network(tagger: Tagger) -> Network:
    """The network of a tagger, in PyTorch."""
    weights = tagger.network
    tables = dict(zip(TABLES, weights.tables, strict=True))
    hidden = weights.first.again.shape[1]
    shape = Shape(len(tables["word"]), len(tables["tag"]), len(tables["relation"]), 1, 1, hidden=hidden)
    network = Network(shape)
    state = network.state_dict()
    for name, table in tables.items():
        state[f"{name}.weight"] = torch.from_numpy(table.copy())
    for name, lstm in (("first", weights.first), ("second", weights.second)):
        state |= lstm_state(name, lstm)
    state["middle.weight"] = torch.from_numpy(weights.middle.T.copy())
    state["middle.bias"] = torch.from_numpy(weights.middle_bias.copy())
    state["last.weight"] = torch.from_numpy(weights.last[None].copy())
    state["last.bias"] = torch.tensor([weights.last_bias])
    network.load_state_dict(state)
    return network


def lstm_state(name: str, lstm: Lstm) -> dict[str, torch.Tensor]:
    """The weights of a bidirectional LSTM as PyTorch has them: the reverse of export.lstm_arrays."""
    state = {}
    half = lstm.enter.shape[1] // 2
    for place, end in enumerate(("l0", "l0_reverse")):
        part = slice(place * half, (place + 1) * half)
        state[f"{name}.weight_ih_{end}"] = _gates(lstm.enter[:, part].T)
        state[f"{name}.weight_hh_{end}"] = _gates(lstm.again[place].T)
        state[f"{name}.bias_ih_{end}"] = _gates(lstm.bias[part])
        state[f"{name}.bias_hh_{end}"] = torch.zeros(half)
    return state


def _gates(values: np.ndarray) -> torch.Tensor:
    parts = values.reshape(4, -1, *values.shape[1:]).astype(np.float32)
    parts = np.concatenate([parts[:3] * 2, parts[3:]])  # halved for NumPy's single tanh
    back = np.argsort(ORDER)
    return torch.from_numpy(parts[back].reshape(values.shape).copy())


def main() -> None:
    options = argparse.ArgumentParser(description="write a shipped tagger for further training")
    options.add_argument("folder", type=Path)
    options.add_argument("name")
    args = options.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    tagger = Tagger.load(args.name)
    network = load_network(tagger)
    vocabulary = tagger.vocabulary
    lists = {
        "words": list(vocabulary.words),
        "tags": list(vocabulary.tags),
        "relations": list(vocabulary.relations),
        "google_tags": ["<unk>"],
        "google_labels": ["<unk>"],
    }
    (args.folder / "lists.json").write_text(json.dumps(lists))
    torch.save({"state": network.state_dict(), "hidden": network.shape.hidden}, args.folder / f"{args.name}.pt")


if __name__ == "__main__":
    main()
