"""Writes a trained network as the files that Assay ships: JSON, float16 matrices, and one int8 table of words for all.

python training/systems/compress/export.py /tmp/assay-tagger headline models/base/assay_models/compress --threshold 0.41
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

ORDER = (0, 1, 3, 2)  # PyTorch's gates: input, forget, cell, output; NumPy's: input, forget, output, cell


def lstm_arrays(state: dict[str, torch.Tensor], name: str) -> dict[str, np.ndarray]:
    """The weights of a bidirectional LSTM as tagger_network.Lstm has them."""
    enter, bias, again = [], [], []
    for end in ("l0", "l0_reverse"):
        enter.append(order_gates(state[f"{name}.weight_ih_{end}"]).T)
        bias.append(order_gates(state[f"{name}.bias_ih_{end}"] + state[f"{name}.bias_hh_{end}"]))
        again.append(order_gates(state[f"{name}.weight_hh_{end}"]).T)
    return {
        f"{name}.enter": np.concatenate(enter, 1),
        f"{name}.bias": np.concatenate(bias),
        f"{name}.again": np.stack(again),
    }


def order_gates(values: torch.Tensor) -> np.ndarray:
    """The four gates in another order, the three with a sigmoid halved."""
    parts = values.numpy().reshape(4, -1, *values.shape[1:])[list(ORDER)].copy()
    parts[:3] *= 0.5
    return parts.reshape(values.shape)


def arrays(state: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """All arrays of a model but the table of words."""
    found = {name: state[f"{name}.weight"].numpy() for name in ("tag", "relation", "distance", "depth", "size")}
    found |= lstm_arrays(state, "first") | lstm_arrays(state, "second")
    found["middle.weight"], found["middle.bias"] = state["middle.weight"].numpy().T, state["middle.bias"].numpy()
    found["last.weight"], found["last.bias"] = state["last.weight"].numpy()[0], state["last.bias"].numpy()[0]
    return found


def write_words(folder: Path, words: list[str], table: np.ndarray) -> None:
    """The words, one a line, and their vectors as int8 with a scale for each."""
    scale = np.maximum(np.abs(table).max(1), 1e-6) / 127
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.txt").write_text("\n".join(words), encoding="utf-8")
    values = np.rint(table / scale[:, None]).astype(np.int8)
    np.savez_compressed(folder / "words.npz", values=values, scale=scale.astype(np.float16))


def write_model(
    folder: Path, name: str, state: dict[str, torch.Tensor], about: dict[str, Any], exact: bool = False
) -> None:
    """A model's weights, as float16 unless `exact`, and what else is to be known of it."""
    kind = np.float32 if exact else np.float16
    np.savez_compressed(folder / f"{name}.npz", **{key: value.astype(kind) for key, value in arrays(state).items()})
    text = json.dumps({"name": name, "words": "words", **about}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description="write a trained tagger for shipping")
    options.add_argument("folder", type=Path)
    options.add_argument("name")
    options.add_argument("target", type=Path)
    options.add_argument("--threshold", type=float, required=True)
    options.add_argument("--as", dest="shipped", help="another name for it")
    options.add_argument("--words", action="store_true", help="write the table of words as well")
    args = options.parse_args()
    lists = json.loads((args.folder / "lists.json").read_text())
    state = torch.load(args.folder / f"{args.name}.pt", weights_only=True)["state"]
    if args.words:
        write_words(args.target, lists["words"], state["word.weight"].numpy())
    about = {"threshold": args.threshold, "tags": lists["tags"], "relations": lists["relations"]}
    write_model(args.target, args.shipped or args.name, state, about)


if __name__ == "__main__":
    main()
