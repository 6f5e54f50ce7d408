"""Written: what people keep of written sentences, from both taggers, the place of a word and its place in the tree.

A logistic regression on the share of people who keep a word in the MSR compressions (training/systems/compress/
written.py). Its weights are in models/written.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .._parsed_text import ParsedText
from ._constraints import base

Floats = NDArray[np.float64]
FILE = Path(__file__).parent / "models" / "written.json"
_EDGE = 1e-4
_TOP = 3.0  # logit in place of that of a head, for a word without one
_ABOVE = frozenset(
    ["advcl", "acl", "appos", "parataxis", "obl", "nmod", "ccomp", "conj", "nsubj", "obj", "xcomp"]
)  # relations of words above that matter


def find_features(a: ParsedText, headline: Floats, conservative: Floats) -> list[dict[str, float]]:
    """Return the features of each token: logits of the taggers, place, word, tag, relation, and what is above it."""
    n = len(a.tokens)
    first, second = _logit(headline), _logit(conservative)
    sizes = [1] * n
    paths = [_path(a, i) for i in range(n)]
    for path in paths:
        for k in path[1:]:
            sizes[k] += 1
    rows = []
    for i, word in enumerate(a.words):
        head, at = a.heads[i], i / max(1, n - 1)
        kind = base(word.relation)
        row = {
            "one": 1.0,
            "headline": first[i],
            "headline head": first[head] if head >= 0 else _TOP,
            "headline before": first[i - 1] if i else 0.0,
            "headline after": first[i + 1] if i + 1 < n else 0.0,
            "conservative": second[i],
            "conservative head": second[head] if head >= 0 else _TOP,
            "at": at,
            "at squared": at**2,
            "at cubed": at**3,
            "length": n / 30,
            "at length": at * n / 30,
            "to the end": (n - 1 - i) / 30,
            "start": float(i < 3),
            "depth": float(len(paths[i]) - 1),
            "below": min(sizes[i], 10) / 5,
            f"relation {kind}": 1.0,
            f"part of speech {word.pos}": 1.0,
            f"tag {word.tag}": 1.0,
            f"word {word.form.lower()}": 1.0,
        }
        if head >= 0:
            row[f"relation of head {base(a.words[head].relation)}"] = 1.0
            row["before head"] = float(head > i)
            row[f"relation {kind} {'before' if i < head else 'after'} head"] = 1.0
        for k in paths[i][1:]:
            if base(a.words[k].relation) in _ABOVE:
                row[f"under {base(a.words[k].relation)}"] = 1.0
        rows.append(row)
    return rows


def written_marginals(
    a: ParsedText, headline: Floats, conservative: Floats, weights: Mapping[str, float] | None = None
) -> Floats:
    """Return p(keep) of each token of a text of written language."""
    weights = load_weights() if weights is None else weights
    rows = find_features(a, headline, conservative)
    logits = np.array([sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in rows])
    return np.asarray(1 / (1 + np.exp(-logits)), np.float64)


@lru_cache(maxsize=1)
def load_weights() -> dict[str, float]:
    """Load the weights that come with Assay."""
    weights: dict[str, float] = json.loads(FILE.read_text("utf-8"))["weights"]
    return weights


def _logit(p: Floats) -> list[float]:
    p = np.clip(p, _EDGE, 1 - _EDGE)
    logits: list[float] = np.log(p / (1 - p)).tolist()
    return logits


def _path(a: ParsedText, i: int) -> list[int]:
    """Return a token and all those above it."""
    path = [i]
    while a.heads[path[-1]] >= 0 and len(path) <= 20:
        path.append(a.heads[path[-1]])
    return path
