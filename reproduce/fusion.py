"""Joint fusion on the 1,000 English pairs: cross-validated by story, against single sentences and their best choice."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from common import ROOT, Figure, main

from assay.systems.fuse import Cluster, fuse
from assay.systems.fuse.joint import Joint

sys.path.insert(0, str(ROOT / "training" / "systems" / "fuse"))
from pairs import FOLDS, HELD
from salience import Trainer

TITLE = "Fusion of English pairs"
NOTES = (
    "1,000 pairs of news sentences with a human fusion (16.4 tokens on average); ROUGE F with Porter's stems. Pairs "
    "that share a sentence or two rare names are one story; folds are made of whole stories. Joint fusion is "
    "cross-validated: the model that fuses a pair was fitted to the other folds. `fold 5` is the fold that "
    "features, the weight of pairs and the charge for length were not set on; it was scored before, and faults in its "
    "outputs were mended. "
    "p: two-sided, bootstrap over stories (10,000 resamples). The best choice of one input knows the human fusion.",
)
RESAMPLES = 10_000
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")


def figures() -> list[Figure]:
    """All systems on all pairs, and on the fold that was held back."""
    trainer = Trainer()
    everyone = range(len(trainer.pairs))
    outputs = {name: [f.text for f in fuse([p[:2] for p in trainer.pairs], name)] for name in ("shorter", "longer")}
    outputs["wordgraph"] = [f.text for f in fuse([p[:2] for p in trainer.pairs], "wordgraph")]
    joint = trainer.cross_validate(Joint(), range(FOLDS))
    outputs["joint"] = [joint[i] for i in everyone]
    scores = {name: trainer.rouge(texts, everyone) for name, texts in outputs.items()}
    scores["best choice of one input"], outputs["best choice of one input"] = _oracle(trainer)
    held = np.flatnonzero(trainer.folds == HELD)
    found = [figure for name in scores for figure in _rows(name, scores[name], outputs[name], trainer.pairs)]
    for name in ("shorter", "longer"):
        found += _tests(name, scores["joint"] - scores[name], np.array(trainer.stories))
    for name in scores:
        found += [
            Figure(f"fold 5: {name}, {metric}", None, float(values[held].mean()))
            for metric, values in zip(METRICS, scores[name], strict=True)
        ]
    for name in ("shorter", "longer"):
        found += _tests(f"{name}, fold 5", (scores["joint"] - scores[name])[:, held], np.array(trainer.stories)[held])
    return found


def _oracle(trainer: Trainer) -> tuple[np.ndarray, list[str]]:
    """The input that has the higher sum of the three measures, of each pair."""
    everyone = range(len(trainer.pairs))
    both = [[pair[side] for pair in trainer.pairs] for side in (0, 1)]
    scores = [trainer.rouge(texts, everyone) for texts in both]
    better = (scores[1].sum(axis=0) > scores[0].sum(axis=0)).astype(int)
    return np.where(better, scores[1], scores[0]), [both[side][i] for i, side in enumerate(better)]


def _rows(name: str, scores: np.ndarray, texts: Sequence[str], pairs: Sequence[Sequence[str]]) -> list[Figure]:
    length = float(np.mean([len(text.split()) for text in texts]))
    rows = [Figure(f"{name}, {m}", None, float(v.mean())) for m, v in zip(METRICS, scores, strict=True)]
    verbatim = np.mean([text in pair[:2] for text, pair in zip(texts, pairs, strict=True)])
    spliced = np.mean([";" in t and not any(";" in s for s in pair[:2]) for t, pair in zip(texts, pairs, strict=True)])
    return [
        *rows,
        Figure(f"{name}, tokens", None, length),
        Figure(f"{name}, share that is one input unchanged", None, float(verbatim)),
        Figure(f"{name}, share with a semicolon that no input has", None, float(spliced)),
    ]


def _tests(name: str, differences: np.ndarray, stories: np.ndarray) -> list[Figure]:
    """The mean difference of joint fusion, with p by resampling stories."""
    numbers = np.unique(stories, return_inverse=True)[1]
    sizes = np.bincount(numbers)
    sums = np.array([np.bincount(numbers, row) for row in differences])
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(sizes), (RESAMPLES, len(sizes)))
    means = np.array([row[drawn].sum(axis=1) / sizes[drawn].sum(axis=1) for row in sums])
    found = []
    for metric, row, mean in zip(METRICS, means, differences.mean(axis=1), strict=True):
        p = min(1.0, 2 * min(float((row <= 0).mean()), float((row >= 0).mean())))
        found.append(Figure(f"joint against {name}, {metric}", None, float(mean), None, f"p = {p:.4f}"))
    return found


def sample(count: int = 40, seed: int = 31) -> list[tuple[str, str, str]]:
    """Pairs of the fold that was held back, drawn at random, with what the shipped models make of them."""
    trainer = Trainer()
    pairs = trainer.pairs
    drawn = sorted(np.random.default_rng(seed).choice(np.flatnonzero(trainer.folds == HELD), count, replace=False))
    fused = Joint().fuse([Cluster(tuple(pairs[i][:2])) for i in drawn])
    return [(pairs[i][0], pairs[i][1], f.text) for i, f in zip(drawn, fused, strict=True)]


if __name__ == "__main__":
    if "--sample" in sys.argv:
        for first, second, text in sample():
            print(f"1. {first}\n2. {second}\n=> {text}\n")
    else:
        main("fusion", TITLE, NOTES, figures)
