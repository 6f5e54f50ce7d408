"""A decision tree that was grown elsewhere: stored as numbers and names, asked without scikit-learn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import explain_errors, read_arrays
from ....errors import FormatError, InputError
from ....extras import find_model
from ....files import whole_file, write_whole

_PARTS = ("feature", "yes", "no", "first", "classes", "counts")


@dataclass(frozen=True)
class Cart:
    """Nodes that ask whether a feature is true (`yes` and `no` are the next node; feature -1: a leaf).

    The classes of a leaf, the most frequent first, stand in `classes` and `counts` from `first` of the leaf to `first`
    of the next node.
    """

    features: dict[str, int]
    labels: tuple[str, ...]
    feature: Sequence[int]
    yes: Sequence[int]
    no: Sequence[int]
    first: Sequence[int]
    classes: Sequence[int]
    counts: Sequence[float]
    about: dict[str, Any]

    def leaf(self, names: Iterable[str]) -> int:
        """Find the leaf for a case with these features."""
        known = self.features
        true = {known[f] for f in names if f in known}
        node, feature = 0, self.feature
        while (question := feature[node]) >= 0:
            node = self.yes[node] if question in true else self.no[node]
        return node

    def choices(self, leaf: int) -> list[tuple[int, float]]:
        """Return the classes at a leaf with their counts there, the most frequent first."""
        span = range(self.first[leaf], self.first[leaf + 1])
        return [(self.classes[k], self.counts[k]) for k in span]

    def save(self, path: Path) -> None:
        """Write path.npz and path.json."""
        path.parent.mkdir(parents=True, exist_ok=True)
        small = {name: np.asarray(getattr(self, name), dtype=np.int32) for name in _PARTS}
        with whole_file(path.with_suffix(".npz")) as file:
            np.savez_compressed(file, **small)  # type: ignore[arg-type]
        names = {"about": self.about, "labels": list(self.labels), "features": list(self.features)}
        write_whole(path.with_suffix(".json"), json.dumps(names, indent=0, ensure_ascii=False) + "\n")


def find_shipped(name: str, model: str) -> Path:
    """Return the path, without its ending, of a model: the one that comes with Assay (google), or a user's."""
    if model == "google":
        return find_model(f"compress/{name}.npz", f"the compressor {name}", extra="text").with_suffix("")
    return Path(model).with_suffix("")


@lru_cache(maxsize=4)
def load_cart(path: Path) -> Cart:
    """Read what `save` wrote."""
    file, listed = path.with_suffix(".npz"), path.with_suffix(".json")
    for part in (file, listed):
        if not part.is_file():
            raise InputError(f"there is no decision tree {path} (.npz and .json): {part} is missing")
    arrays = read_arrays(file, path=file, needed=_PARTS)
    with explain_errors("the names of a decision tree cannot be read", listed):
        names = json.loads(listed.read_text("utf-8"))
        features = {str(name): k for k, name in enumerate(names["features"])}
        labels = tuple(str(label) for label in names["labels"])
        _check(arrays, len(features), len(labels), file)
        return Cart(features, labels, **{name: arrays[name].tolist() for name in _PARTS}, about=dict(names["about"]))


def _check(arrays: dict[str, NDArray[Any]], features: int, labels: int, path: Path) -> None:
    """Check that every node leads further down, and that every class has a name."""
    feature, yes, no, first, classes, counts = (arrays[name] for name in _PARTS)
    nodes = np.arange(len(feature))
    inner = feature >= 0
    if (
        any(a.ndim != 1 or a.dtype.kind not in "iu" for a in (feature, yes, no, first, classes, counts))
        or not len(feature) == len(yes) == len(no) == len(first) - 1 > 0
        or not -1 <= feature.min() <= feature.max() < features
        or any((to[inner] <= nodes[inner]).any() or (to[inner] >= len(nodes)).any() for to in (yes, no))
        or first[0] != 0
        or first[-1] != len(classes)
        or (np.diff(first) < 0).any()
        or len(classes) != len(counts)
        or not ((classes >= 0) & (classes < labels)).all()
    ):
        raise FormatError("its arrays do not make a decision tree; train it again", path=path)
