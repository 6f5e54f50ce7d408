"""The network in NumPy, float32, from weights in 8 bits with a scale for each row: the twin of network.py."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from analysis import Analyser, Scores, log_softmax
from examples import COLUMNS, Batch, Lists
from scipy.special import erf

from assay.text.parse.weights import unseal

HEADS, EPSILON = 12, 1e-12
SHIPPED = Path(__file__).parents[3] / "models" / "base" / "assay_models" / "parser" / "accurate.safetensors"
SCALE = ".scale"  # what the name of a row of scales ends in


def quantize(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round each row (last dimension) to 255 steps; return int8 and the size of a step of each row.

    >>> codes, scale = quantize(np.array([[1.0, -0.5], [0.0, 0.0]]))
    >>> codes.tolist(), scale.tolist()
    ([[127, -64], [0, 0]], [0.007874015718698502, 0.0])
    """
    scale = (np.abs(values).max(-1) / 127).astype(np.float32)
    codes = np.rint(values / np.where(scale > 0, scale, 1)[..., None]).astype(np.int8)
    return codes, scale


def pack(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Quantize the matrices; vectors stay float32."""
    packed = {}
    for name, values in with_shares(weights).items():
        if values.ndim > 1:
            packed[name], packed[name + SCALE] = quantize(values)
        else:
            packed[name] = values.astype(np.float32)
    return packed


def with_shares(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Replace what says how layers are mixed by the share of each."""
    shares = {}
    for name, values in weights.items():
        if name.startswith("mix_") and name.endswith(".weight") and values.ndim == 1:
            shares[name.replace(".weight", ".share")] = np.exp(log_softmax(values.astype(np.float64))).astype(
                np.float32
            )
        else:
            shares[name] = values
    return shares


def unpack(packed: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return float32 weights."""
    return {
        name: values.astype(np.float32) * packed[name + SCALE][..., None] if name + SCALE in packed else values
        for name, values in packed.items()
        if not name.endswith(SCALE)
    }


class PlainNetwork(Analyser):
    """The same heads as in network.py."""

    def __init__(self, weights: dict[str, np.ndarray], lists: Lists, *, heads: int = HEADS) -> None:
        self.weights, self.lists, self.heads = with_shares(weights), lists, heads
        self.layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layers."))

    @classmethod
    def load(cls, path: Path) -> PlainNetwork:
        """Read what export.py wrote."""
        arrays = unseal(path)
        lists = Lists(**json.loads(arrays.pop("lists").tobytes()))
        return cls(unpack(arrays), lists)

    def linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def layer(self, name: str, x: np.ndarray, mask: np.ndarray) -> np.ndarray:
        batch, length, width = x.shape
        size = width // self.heads
        qkv = self.linear(name + ".qkv", x).reshape(batch, length, 3, self.heads, size)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        scores = q @ k.swapaxes(2, 3) / np.float32(np.sqrt(size))
        attention = np.exp(log_softmax(np.where(mask, scores, np.float32(-1e4))))
        mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = self.norm(name + ".norm1", x + self.linear(name + ".out", mixed))
        return self.norm(name + ".norm2", x + self.linear(name + ".down", gelu(self.linear(name + ".up", x))))

    def encode(self, batch: Batch) -> list[np.ndarray]:
        """The output of each layer."""
        w = self.weights
        x = w["encoder.piece.weight"][batch.ids] + w["encoder.position.weight"][: batch.ids.shape[1]]
        x = self.norm("encoder.norm", x + w["encoder.shape.weight"][batch.piece_shape])
        mask = (batch.ids != 0)[:, None, None, :]
        states = []
        for i in range(self.layers):
            x = self.layer(f"encoder.layers.{i}", x, mask)
            states.append(x)
        return states

    def mix(self, name: str, states: list[np.ndarray], batch: Batch) -> np.ndarray:
        """A weighted mean of the layers at the ends of each word, and the word's shape."""
        shares = self.weights[name + ".share"]
        mixed = sum(share * state for share, state in zip(shares, states, strict=True))
        rows = np.arange(len(batch.ids))[:, None]
        ends = (mixed[rows, batch.first] + mixed[rows, batch.last]) / 2  # type: ignore[index]
        return np.concatenate([ends, self.weights[name + ".shape.weight"][batch.shape]], 2)

    def project(self, name: str, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Dependents, and heads with the root first, each with a 1 at the end."""
        dependent, head = (self.linear(f"{name}.{side}", words) for side in ("dependent", "head"))
        dependent, head = (np.where(x > 0, x, np.float32(0.1) * x) for x in (dependent, head))
        root = np.broadcast_to(self.weights[name + ".root"], (len(head), 1, head.shape[2]))
        return _with_one(dependent), _with_one(np.concatenate([root, head], 1))

    def score_trees(self, batch: Batch) -> Scores:
        states = self.encode(batch)
        tags, trees = self.mix("mix_tags", states, batch), self.mix("mix_trees", states, batch)
        dependent, head = self.project("arc", trees)
        return Scores(
            {name: self.linear(f"columns.{name}", tags) for name in COLUMNS[:4]},
            self.linear("start", trees)[..., 0],
            dependent @ self.weights["arc.weight"][0] @ head.swapaxes(1, 2),
            *self.project("relation", trees),
        )

    def score_keep(self, batch: Batch) -> np.ndarray:
        words = self.mix("mix_keep", self.encode(batch), batch)
        logits = self.linear("keep_out", gelu(self.linear("keep_in", words)))[..., 0]
        return 1 / (1 + np.exp(-logits))

    def score_relations(self, dependent: np.ndarray, head: np.ndarray) -> np.ndarray:
        return np.einsum("wi,lij,wj->wl", dependent, self.weights["relation.weight"], head, optimize=True)


def gelu(x: np.ndarray) -> np.ndarray:
    """x times the normal distribution function at x."""
    return x * (1 + erf(x / np.float32(np.sqrt(2)))) / 2


def _with_one(values: np.ndarray) -> np.ndarray:
    return np.concatenate([values, np.ones_like(values[..., :1])], -1)
