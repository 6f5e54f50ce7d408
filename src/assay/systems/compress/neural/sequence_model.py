"""Sequence models on disk: a JSON file with the words, an .npz file with matrices in float16 and tables in int8."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError
from ....extras import RESEARCH, find_model

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SequenceModel:
    """What a model file holds: its words by number, and its arrays as float32."""

    words: tuple[str, ...]
    arrays: dict[str, Floats]


def model_path(name: str, model: str) -> Path:
    """Return the file of a model: the one given, or the one of this name in the package of models for research."""
    if model:
        return Path(model)
    return find_model(f"abstractive/{name}.json", f"the compressor {name}", package=RESEARCH)


def read_about(path: Path) -> dict[str, Any]:
    """Read the JSON file of a model: its words and what else is to be known of it."""
    if not path.is_file():
        raise InputError(f"no model at {path}; give the .json file that its training script wrote")
    with explain_errors("is not a model that Assay can read", path):
        about = json.loads(path.read_text(encoding="utf-8"))
        words = about["words"]
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise FormatError("its list of words does not hold words", path=path)
    return dict(about)


def read_model(path: Path, matrices: Sequence[str], tables: Sequence[str]) -> SequenceModel:
    """Read a model; each table is int8 with a scale for every row, an array of its own called NAME.scale."""
    words = tuple(read_about(path)["words"])
    file = path.with_suffix(".npz")
    stored = read_arrays(file, path=file, needed=[*matrices, *tables, *(f"{name}.scale" for name in tables)])
    arrays = {name: np.ascontiguousarray(stored[name], np.float32) for name in matrices}
    for name in tables:
        values, scale = stored[name], stored[f"{name}.scale"]
        if values.ndim != 2 or scale.shape != values.shape[:1]:
            raise FormatError(f"its table {name} has {values.shape} numbers and {scale.shape} scales", path=file)
        arrays[name] = values.astype(np.float32) * scale.astype(np.float32)[:, None]
    return SequenceModel(words, arrays)


def check_shapes(model: SequenceModel, shapes: dict[str, tuple[int, ...]], path: Path) -> None:
    """Raise a FormatError if an array has another shape than the model needs."""
    for name, shape in shapes.items():
        if model.arrays[name].shape != shape:
            raise FormatError(f"its array {name} has the shape {model.arrays[name].shape}, not {shape}", path=path)
