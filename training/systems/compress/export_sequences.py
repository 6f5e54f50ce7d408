"""Writes the networks of seq2seq and namas as the files that Assay reads: JSON, float16 matrices and int8 tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from export import order_gates

State = dict[str, torch.Tensor]


def seq2seq_arrays(state: State) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the matrices and the tables of a Seq2Seq, as `_seq2seq_network` has them."""
    matrices = {"label": state["label.weight"].numpy().T, "label.bias": state["label.bias"].numpy()}
    for i in range(3):
        enter, again = state[f"stack.weight_ih_l{i}"], state[f"stack.weight_hh_l{i}"]
        matrices[f"layer{i}.enter"] = order_gates(enter).T
        matrices[f"layer{i}.again"] = order_gates(again).T
        matrices[f"layer{i}.bias"] = order_gates(state[f"stack.bias_ih_l{i}"] + state[f"stack.bias_hh_l{i}"])
    return matrices, {"word": state["word.weight"].numpy()}


def namas_arrays(state: State) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the matrices and the tables of a Namas, as `_namas_network` has them: those of words are tables."""
    tables = {
        name: state[f"{name}.weight"].numpy() for name in ("context", "source", "query") if f"{name}.weight" in state
    }
    tables["leave"] = state["leave.weight"].numpy()
    matrices = {"leave.bias": state["leave.bias"].numpy()}
    for name in ("enter", "encode", "match"):
        if f"{name}.weight" in state:
            matrices[name] = state[f"{name}.weight"].numpy().T
        if f"{name}.bias" in state:
            matrices[f"{name}.bias"] = state[f"{name}.bias"].numpy()
    for i in range(3):
        if f"layers.{i}.weight" in state:  # kernel x in x out
            matrices[f"layer{i}"] = state[f"layers.{i}.weight"].numpy().transpose(2, 1, 0)
            matrices[f"layer{i}.bias"] = state[f"layers.{i}.bias"].numpy()
    return matrices, tables


def write_sequence_model(
    path: Path,
    words: Sequence[str],
    matrices: dict[str, np.ndarray],
    tables: dict[str, np.ndarray],
    about: dict[str, Any],
    exact: bool = False,
) -> None:
    """Write a model; `exact` keeps matrices as float32, for tests (tables are int8 all the same)."""
    arrays = {name: values.astype(np.float32 if exact else np.float16) for name, values in matrices.items()}
    for name, table in tables.items():
        scale = (np.maximum(np.abs(table).max(1), 1e-6) / 127).astype(np.float32 if exact else np.float16)
        scale = np.maximum(scale, np.float16(1e-7)).astype(scale.dtype)
        arrays[name] = np.clip(np.rint(table / scale.astype(np.float32)[:, None]), -127, 127).astype(np.int8)
        arrays[f"{name}.scale"] = scale
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path.with_suffix(".npz"), **arrays)
    text = json.dumps({**about, "words": list(words)}, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
