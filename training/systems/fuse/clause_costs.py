"""Learns which clauses are dropped from sentences, for `assay fuse --system comp`.

    python training/systems/fuse/clause_costs.py  # two minutes on one core; writes the model into the package

Of the 180,000 training pairs of the Google compression set every tenth is parsed by Assay's own parser. A satellite
(see `assay.systems._clauses`) counts as dropped if the compression keeps less than half of
its words; one below a dropped satellite is not counted. Logistic regression on a few features of the satellite
gives p(dropped).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from assay.systems._clauses import clauses
from assay.systems.fuse._clause_costs import FEATURES, features
from assay.text.parse.flat import ParsedText, parse_texts

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "training" / "systems" / "compress"))
from prepare import rare_words, read_pairs, restore_case  # noqa: E402

MODEL = ROOT / "models" / "base" / "assay_models" / "fuse" / "clauses.json"


def cases(text: ParsedText, keep: list[int]) -> list[tuple[list[float], int]]:
    """The satellites of a sentence whose parents are kept: features, and whether it was dropped."""
    found = clauses(text)
    dropped: list[bool] = []
    rows = []
    for clause in found:
        words = [i for i in clause.tokens if not text.punctuation[i]]
        gone = bool(words) and sum(keep[i] for i in words) * 2 < len(words)
        if clause.parent >= 0 and not dropped[clause.parent] and words:
            rows.append((features(text, found, clause), int(gone)))
        dropped.append(gone or (clause.parent >= 0 and dropped[clause.parent]))
    return rows


def read_cases(name: str, every: int) -> tuple[np.ndarray, np.ndarray]:
    pairs = [pair for i, pair in enumerate(read_pairs(name)) if i % every == 0 and len(pair.words) >= 8]
    rare, rng = rare_words(pairs), random.Random(0)
    texts, origins = [], []
    for pair in pairs:
        words = restore_case(pair, rare, rng)
        texts.append(" ".join(words))
        starts = np.cumsum([0, *(len(word) + 1 for word in words)])
        origins.append(starts)
    rows: list[tuple[list[float], int]] = []
    for text, pair, starts in zip(parse_texts(texts), pairs, origins, strict=True):
        keep = [pair.keep[int(np.searchsorted(starts, token.start, side="right")) - 1] for token in text.tokens]
        rows += cases(text, keep)
    return np.array([x for x, _ in rows]), np.array([y for _, y in rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=10, help="take one pair in so many (10)")
    args = parser.parse_args()
    x, y = read_cases("train.tsv.gz", args.every)
    model = LogisticRegression(C=1.0, max_iter=1000).fit(x, y)
    held, truth = read_cases("val.tsv.gz", args.every)
    p = model.predict_proba(held)[:, 1]
    figures = {
        "satellites": len(y),
        "dropped": round(float(y.mean()), 3),
        "held_out": len(truth),
        "accuracy": round(float(((p > 0.5) == truth).mean()), 3),
        "majority": round(float(max(truth.mean(), 1 - truth.mean())), 3),
        "auc": round(float(roc_auc_score(truth, p)), 3),
    }
    weights = {name: round(float(w), 4) for name, w in zip(FEATURES, model.coef_[0], strict=True)}
    MODEL.parent.mkdir(exist_ok=True)
    made = {"format": 1, "intercept": round(float(model.intercept_[0]), 4), "weights": weights, "figures": figures}
    MODEL.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
