"""Learns how likely a word of a cluster is in the text people write for it, for `assay fuse --system joint`.

    python training/systems/fuse/salience.py             # a minute on one core; writes the model into the package
    python training/systems/fuse/salience.py --check     # five-fold: fuses each fifth with a model of the other four

Trained on the 1,000 pairs of `fusion-english-pairs.tsv.gz`: a token counts as said if its stem is in the human fusion.
Figures for these pairs are therefore cross-validated: no pair is fused by a model that saw it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from pathlib import Path

import numpy as np
import Stemmer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import assay
from assay.systems._budget import Budget
from assay.systems.fuse import Cluster
from assay.systems.fuse._salience import FEATURES
from assay.systems.fuse.joint import Joint, ParsedCluster

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data")) / "fusion-english-pairs.tsv.gz"
MODEL = ROOT / "src" / "assay" / "systems" / "fuse" / "models" / "salience.json"
FOLDS = 5


def read_pairs() -> list[list[str]]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def mark_said(reading: ParsedCluster, fusion: str) -> np.ndarray:
    """For every token of the cluster whether its stem is in the fusion."""
    stem = Stemmer.Stemmer("english").stemWord
    stems = {stem(word.lower()) for word in fusion.split()}
    return np.array([stem(token.text.lower()) in stems for text in reading.texts for token in text.tokens])


def fit_model(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """Intercept and weights for features as they are."""
    pipe = make_pipeline(StandardScaler(), LogisticRegression(C=0.3, max_iter=500)).fit(x, y)
    scale, model = pipe[0], pipe[-1]
    weights = model.coef_[0] / scale.scale_
    return float(model.intercept_[0] - (weights * scale.mean_).sum()), weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate, and write nothing")
    parser.add_argument("--words", type=int, nargs="+", default=[15, 18], help="budgets to try with --check (15 18)")
    args = parser.parse_args()
    pairs = read_pairs()
    readings = Joint().read([Cluster(tuple(pair[:2])) for pair in pairs])
    x = [np.concatenate(reading.rows) for reading in readings]
    y = [mark_said(reading, pair[2]) for reading, pair in zip(readings, pairs, strict=True)]
    models = []
    for fold in range(FOLDS):
        others = [i for i in range(len(pairs)) if i % FOLDS != fold]
        models.append(fit_model(np.concatenate([x[i] for i in others]), np.concatenate([y[i] for i in others])))
    odds = [models[i % FOLDS][0] + rows @ models[i % FOLDS][1] for i, rows in enumerate(x)]
    auc = roc_auc_score(np.concatenate(y), np.concatenate(odds))
    alone = roc_auc_score(np.concatenate(y), np.concatenate(x)[:, 0])
    print(f"AUC of salience {auc:.3f}, of the tagger alone {alone:.3f}")
    if args.check:
        check(pairs, readings, odds, args.words)
        return
    intercept, weights = fit_model(np.concatenate(x), np.concatenate(y))
    made = {
        "format": 1,
        "intercept": round(intercept, 4),
        "weights": {name: round(float(w), 4) for name, w in zip(FEATURES, weights, strict=True)},
        "figures": {"pairs": len(pairs), "auc_five_fold": round(float(auc), 3)},
    }
    MODEL.parent.mkdir(exist_ok=True)
    MODEL.write_text(json.dumps(made, indent=1) + "\n", "utf-8")


def cross_validate(readings: list[ParsedCluster], odds: list[np.ndarray], words: int) -> list[str]:
    """The fusions when every pair is weighed by the model that did not see it."""
    joint, texts = Joint(), []
    for reading, own in zip(readings, odds, strict=True):
        ends = np.cumsum([len(rows) for rows in reading.rows])[:-1]
        cluster = Cluster(reading.cluster.sentences, Budget(words=words))
        texts.append(joint.one(reading._replace(cluster=cluster, odds=np.split(own, ends))).text)
    return texts


def check(pairs: list[list[str]], readings: list[ParsedCluster], odds: list[np.ndarray], budgets: list[int]) -> None:
    outputs = {f"joint, {words} words": cross_validate(readings, odds, words) for words in budgets}
    data = assay.EvalSet.from_texts(outputs, [[pair[2]] for pair in pairs])
    scores = assay.score(data, [f"{m}(stem=true)" for m in ("rouge1", "rouge2", "rougeL")])
    for i, name in enumerate(data.systems):
        figures = "/".join(f"{100 * float(s.means()[i]):.1f}" for s in scores.values())
        print(f"{name}: ROUGE-1/2/L {figures}, {np.mean([len(t.split()) for t in outputs[name]]):.1f} tokens")


if __name__ == "__main__":
    main()
