"""A decision tree that was grown elsewhere: stored as numbers and names, asked without scikit-learn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError

MODELS = Path(__file__).parent / "models"
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

    def leaf(self, said: Iterable[str]) -> int:
        """The leaf that a case with these features comes to."""
        known = self.features
        true = {known[f] for f in said if f in known}
        node, feature = 0, self.feature
        while (asked := feature[node]) >= 0:
            node = self.yes[node] if asked in true else self.no[node]
        return node

    def choices(self, leaf: int) -> list[tuple[int, float]]:
        """The classes at a leaf with how often they were right there, the most frequent first."""
        span = range(self.first[leaf], self.first[leaf + 1])
        return [(self.classes[k], self.counts[k]) for k in span]

    def save(self, path: Path) -> None:
        """Writes path.npz and path.json."""
        path.parent.mkdir(parents=True, exist_ok=True)
        small = {name: np.asarray(getattr(self, name), dtype=np.int32) for name in _PARTS}
        np.savez_compressed(path.with_suffix(".npz"), **small)  # type: ignore[arg-type]
        names = {"about": self.about, "labels": list(self.labels), "features": list(self.features)}
        path.with_suffix(".json").write_text(json.dumps(names, indent=0, ensure_ascii=False) + "\n", "utf-8")


@lru_cache(maxsize=4)
def load_cart(path: Path) -> Cart:
    """What `save` wrote."""
    try:
        names = json.loads(path.with_suffix(".json").read_text("utf-8"))
        with np.load(path.with_suffix(".npz")) as found:
            arrays = {name: found[name].tolist() for name in _PARTS}
        features = {name: k for k, name in enumerate(names["features"])}
        return Cart(features, tuple(names["labels"]), **arrays, about=names["about"])
    except FileNotFoundError as error:
        raise InputError(f"there is no decision tree {path} (.npz and .json): {error.filename} is missing") from None
    except (OSError, ValueError, KeyError, RecursionError) as error:
        raise InputError(f"the decision tree {path} (.npz and .json) cannot be read: {error}") from None
