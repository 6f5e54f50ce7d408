"""Fits the regression of `assay.systems.compress._written`: the share of people who keep each word, MSR training texts.

    python training/systems/compress/written.py            # a minute; writes models/written.json

Sources of one sentence, each once; three tenths of them (by a hash of the source) are held back. What a rewrite keeps
is the longest common subsequence of it and its source, in lower case; of several, that with fewer gaps.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from typing import NamedTuple

import numpy as np
from prepare import data_folder
from scipy.optimize import minimize

from assay.systems._parsed_text import ParsedText, parse_texts
from assay.systems.compress._tagger import Tagger
from assay.systems.compress._written import FILE, find_features

PARTS, TRAINED = 10, 7  # the parts from 7 on are held back: 7 to choose settings, 8 and 9 to report on
LEAST_WORD, LEAST = 40, 20  # times that a word, and any other feature, must occur
PENALTY = 3.0  # on the squares of the weights
RUN = 0.01  # what a match next to another counts more


class Rewritten(NamedTuple):
    """A source, its rewrites, and the part that it belongs to."""

    source: str
    rewrites: list[str]
    part: int


def msr_sources() -> list[Rewritten]:
    """Return the sources of one sentence; the ids of others have an underscore."""
    texts: dict[str, Rewritten] = {}
    with gzip.open(data_folder() / "msr-compression/train-text.jsonl.gz", "rt", encoding="utf-8") as file:
        for item in map(json.loads, file):
            key = " ".join(item["source"].lower().split())
            if "_" not in item["id"] and key not in texts:
                part = int(hashlib.sha256(key.encode()).hexdigest(), 16) % PARTS
                texts[key] = Rewritten(item["source"], item["compressions"], part)
    return list(texts.values())


def align(words: list[str], shorter: list[str]) -> list[bool]:
    """Tell which words are in the longest common subsequence."""
    n, m = len(words), len(shorter)
    best = np.zeros((n + 1, m + 1))
    match = np.full((n + 1, m + 1), -1.0)
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            if words[i] == shorter[j]:
                follows = i + 1 < n and j + 1 < m and words[i + 1] == shorter[j + 1]
                match[i, j] = 1 + best[i + 1, j + 1] + (RUN if follows else 0)
            best[i, j] = max(best[i + 1, j], best[i, j + 1], match[i, j])
    bits = [False] * n
    i = j = 0
    while i < n and j < m:
        if match[i, j] == best[i, j]:
            bits[i] = True
            i, j = i + 1, j + 1
        elif best[i + 1, j] >= best[i, j + 1]:
            i += 1
        else:
            j += 1
    return bits


def shares(a: ParsedText, rewrites: list[str]) -> np.ndarray:
    """Return the share of rewrites that keep each token."""
    words = [token.text.lower() for token in a.tokens]
    return np.mean([align(words, text.lower().split()) for text in rewrites], axis=0)


def fit(rows: list[dict[str, float]], targets: np.ndarray) -> dict[str, float]:
    """Fit the weights by maximum likelihood with a penalty on their squares."""
    counts = Counter(name for row in rows for name in row)
    names = sorted(name for name, k in counts.items() if k >= (LEAST_WORD if name.startswith("word ") else LEAST))
    place = {name: k for k, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)), np.float32)
    for i, row in enumerate(rows):
        for name, value in row.items():
            if name in place:
                matrix[i, place[name]] = value

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        z = matrix @ weights.astype(np.float32)
        value = np.logaddexp(0, z).sum() - (targets * z).sum() + 0.5 * PENALTY * (weights @ weights)
        slope = matrix.T @ (1 / (1 + np.exp(-z)) - targets).astype(np.float32) + PENALTY * weights
        return float(value) / len(rows), slope.astype(np.float64) / len(rows)

    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    return dict(zip(names, (round(float(w), 4) for w in fitted), strict=True))


def main() -> None:
    texts = [text for text in msr_sources() if text.part <= TRAINED]
    parsed = parse_texts([text.source for text in texts])
    taggers = [Tagger.load(name).marginals([a.parse for a in parsed]) for name in ("headline", "conservative")]
    rows: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    targets: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for text, a, first, second in zip(texts, parsed, *taggers, strict=True):
        trained = text.part < TRAINED
        rows[trained] += find_features(a, first, second)
        targets[trained].append(shares(a, text.rewrites))
    weights = fit(rows[True], np.concatenate(targets[True]))
    z = np.array([sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in rows[False]])
    y = np.concatenate(targets[False])
    print(f"{len(weights)} weights; cross-entropy of part {TRAINED}: {np.mean(np.logaddexp(0, z) - y * z):.4f} nats")
    about = {"name": "written", "trained on": "MSR abstractive compression, training texts", "weights": weights}
    FILE.write_text(json.dumps(about, indent=0, ensure_ascii=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
