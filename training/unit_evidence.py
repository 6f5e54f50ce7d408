"""Fit the weights of `assay.pyramid.evidence` to the odd-numbered topics of DUC 2007, and report the even ones.

python training/unit_evidence.py      prints WEIGHTS and THRESHOLD, and what they do on the even-numbered topics

The threshold is the lowest probability with a precision of .86 on the odd topics, each predicted from the others.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "reproduce"))
from common import duc2007

from assay.pyramid import read_pyramids
from assay.pyramid.evidence import FEATURES, weigh_evidence

RIDGE, PRECISION = 1.0, 0.86
PRECISIONS = (0.95, 0.9, 0.85, 0.8, 0.75)
Array = np.ndarray


def collect() -> tuple[Array, Array, Array]:
    """Return features, marks and topics of every unit of every peer; a unit without evidence has zeros."""
    rows, marks, topics = [], [], []
    start, peers = time.perf_counter(), 0
    for pyramid in read_pyramids(duc2007("mainPyramidEval")):
        for peer in pyramid.peers:
            found = weigh_evidence(pyramid, peer.peer, (pyramid.peer_texts or {})[peer.peer], by=peer.annotator)
            peers += 1
            for unit in pyramid.units:
                rows.append(found[unit.id].features if unit.id in found else (0.0,) * len(FEATURES))
                marks.append(unit.id in peer.unit_ids)
                topics.append(pyramid.item)
    print(f"{len(rows):,} units of {peers} peers, {1000 * (time.perf_counter() - start) / peers:.0f} ms per peer")
    return np.array(rows), np.array(marks, dtype=float), np.array(topics)


def fit(x: Array, y: Array) -> Array:
    """Return a constant and the weights, by Newton's method; the ridge is on features with deviation 1."""
    mean, spread = x.mean(axis=0), x.std(axis=0)
    z = np.column_stack([np.ones(len(x)), (x - mean) / spread])
    penalty = np.diag([0.0] + [RIDGE] * x.shape[1])
    weights = np.zeros(z.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-z @ weights))
        weights = weights + np.linalg.solve(
            (z * (p * (1 - p))[:, None]).T @ z + penalty, z.T @ (y - p) - penalty @ weights
        )
    slopes = weights[1:] / spread
    return np.concatenate([[weights[0] - slopes @ mean], slopes])


def predict(weights: Array, x: Array) -> Array:
    return 1 / (1 + np.exp(-(weights[0] + x @ weights[1:])))


def curve(p: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return thresholds, precision and recall, from the highest probability down."""
    order = np.argsort(-p, kind="stable")
    hits = np.cumsum(y[order])
    return p[order], hits / np.arange(1, len(y) + 1), hits / y.sum()


def describe(p: Array, y: Array) -> str:
    _, precision, recall = curve(p, y)
    found = [(at, recall[precision >= at].max(initial=0.0)) for at in PRECISIONS]
    return ", ".join(f"{r:.3f} at {at:.2f}" for at, r in found)


def main() -> None:
    x, y, topics = collect()
    odd = np.array([int(topic[1:]) % 2 == 1 for topic in topics])
    crossed = np.zeros(len(y))
    for topic in np.unique(topics[odd]):
        crossed[topics == topic] = predict(
            fit(x[odd & (topics != topic)], y[odd & (topics != topic)]), x[topics == topic]
        )
    at, precision, _ = curve(crossed[odd], y[odd])
    place = np.flatnonzero(precision >= PRECISION)[-1]
    print(f"odd topics, each from the others: recall {describe(crossed[odd], y[odd])}")
    weights, threshold = np.round(fit(x[odd], y[odd]), 3), round(float(at[place]), 3)
    print(f"WEIGHTS = {tuple(weights.tolist())}\nTHRESHOLD = {threshold}")
    p = predict(weights, x[~odd])
    chosen = p >= threshold
    hits = (chosen & (y[~odd] > 0)).sum()
    print(
        f"even topics: recall {describe(p, y[~odd])}; at the threshold precision {hits / chosen.sum():.3f}, recall "
        f"{hits / y[~odd].sum():.3f}"
    )


if __name__ == "__main__":
    main()
