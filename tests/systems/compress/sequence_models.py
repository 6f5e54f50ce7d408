"""Small random models of seq2seq and namas, written as training writes them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

TRAINING = Path(__file__).parents[3] / "training" / "systems" / "compress"


def write_arrays(path, *, words=None, about=None, **arrays):
    """Write a model, or other words or arrays into one that is there."""
    text = json.loads(path.read_text()) if path.exists() else {}
    text |= {**(about or {}), **({"words": words} if words else {})}
    path.write_text(json.dumps(text))
    file = path.with_suffix(".npz")
    stored = dict(np.load(file)) if file.exists() else {}
    np.savez(file, **{**stored, **arrays})
    return path


def quantize(name, table):
    """Turn a table into int8 with a scale for each row."""
    scale = np.abs(table).max(1) / 127
    return {name: np.rint(table / scale[:, None]).astype(np.int8), f"{name}.scale": scale.astype(np.float32)}


def random_seq2seq(path, *, words=("<unk>", "a", "b", "c"), hidden=5, width=3, seed=0, **others):
    """Write a random network for seq2seq; `others` replace arrays (layer1_enter)."""
    rng = np.random.default_rng(seed)
    arrays = quantize("word", rng.normal(size=(len(words) + 1, width)))
    for i in range(3):
        size = hidden if i else width + 3
        shapes = {"enter": (size, 4 * hidden), "again": (hidden, 4 * hidden), "bias": (4 * hidden,)}
        arrays |= {f"layer{i}.{part}": rng.normal(size=shape) for part, shape in shapes.items()}
    arrays |= {"label": rng.normal(size=(hidden, 3)), "label.bias": rng.normal(size=3)}
    arrays |= {name.replace("_", "."): values for name, values in others.items()}
    return write_arrays(path, words=list(words), about={"name": "seq2seq"}, **arrays)


def random_namas(path, *, words, encoder="attention", hidden=5, width=4, seed=0, weights=None):
    """Write a random network for namas."""
    rng = np.random.default_rng(seed)
    size = len(words)
    arrays = quantize("context", rng.normal(size=(size, width))) | quantize("source", rng.normal(size=(size, width)))
    arrays |= quantize("leave", rng.normal(size=(size, hidden + width)))
    shapes = {
        "enter": (5 * width, hidden),
        "enter.bias": (hidden,),
        "encode": (width, width),
        "encode.bias": (width,),
        "leave.bias": (size,),
    }
    if encoder == "attention":
        arrays |= quantize("query", rng.normal(size=(size, width)))
        shapes["match"] = (5 * width, width)
    if encoder == "convolution":
        shapes |= {f"layer{i}": (5, width, width) for i in range(3)} | {f"layer{i}.bias": (width,) for i in range(3)}
    arrays |= {name: rng.normal(0, 0.4, size=shape) for name, shape in shapes.items()}
    kinds = weights or {"paper": [1, 0.5, 0.4, 0.3, -0.2, 0.1], "released": [1, 0.5, 0.4, 0.3, -0.2, 0.1]}
    return write_arrays(path, words=list(words), about={"encoder": encoder, "weights": kinds}, **arrays)
