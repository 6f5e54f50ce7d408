"""Learns the model of `assay fuse --system joint`: which words people say, and which they say together.

    python training/systems/fuse/words.py                # first: counts of words, from other data
    python training/systems/fuse/salience.py             # writes the model into the package; minutes on one core
    python training/systems/fuse/salience.py --check     # cross-validation by story on four folds of five
    python training/systems/fuse/salience.py --check --all    # on all five

Trained on the 1,000 pairs of `fusion-english-pairs.tsv.gz`. A word counts as said if its stem is in the human fusion,
two words that follow each other if their stems do so there. Both probabilities are the mean of a logistic regression
and of boosted trees.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from pairs import FOLDS, HELD, deal_folds, find_stories, read_pairs
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from words import MODEL

import assay
from assay.systems.fuse import Cluster
from assay.systems.fuse._salience import FEATURES, PAIR_FEATURES, Estimate, Salience, add_pairs
from assay.systems.fuse._trees import join_trees
from assay.systems.fuse._word_context import find_next
from assay.systems.fuse.joint import Joint, ParsedCluster, read_clusters
from assay.text.align.word_features import stem_of

METRICS = [f"{m}(stem=true)" for m in ("rouge1", "rouge2", "rougeL")]
STRENGTH = 0.003  # C of the logistic regressions
BOOSTING = {
    "max_iter": 120,
    "learning_rate": 0.06,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 150,
    "l2_regularization": 20,
    "max_features": 0.3,
    "random_state": 0,
}


class Trainer:
    """The pairs, parsed, with what is said of them, and how they fall into folds."""

    def __init__(self) -> None:
        self.pairs = read_pairs()
        self.parsed = read_clusters([Cluster(tuple(pair[:2])) for pair in self.pairs])
        self.stories = find_stories(self.pairs, [p.texts for p in self.parsed])
        self.folds = deal_folds(self.stories)
        marks = [mark_said(p, pair[2]) for p, pair in zip(self.parsed, self.pairs, strict=True)]
        self.examples = [list_examples(p, *m) for p, m in zip(self.parsed, marks, strict=True)]

    def fit_salience(self, members: Sequence[int]) -> Salience:
        """Both probabilities, from these pairs."""
        estimates = []
        for which in (0, 1):
            own = [self.examples[i][which] for i in members]
            estimates.append(fit_estimate(np.concatenate([x for x, _ in own]), np.concatenate([y for _, y in own])))
        return Salience(*estimates)

    def rouge(self, texts: Sequence[str], members: Sequence[int]) -> np.ndarray:
        """ROUGE-1, 2 and L of each text, in points."""
        data = assay.EvalSet.from_texts({"fused": list(texts)}, [[self.pairs[i][2]] for i in members])
        return 100 * np.array([s.values[0] for s in assay.score(data, METRICS).values()])

    def cross_validate(self, fuser: Joint, folds: Sequence[int]) -> dict[int, str]:
        """Fuse each of these folds by a model of the others."""
        texts: dict[int, str] = {}
        for fold in folds:
            salience = self.fit_salience([i for i in self.members(folds) if self.folds[i] != fold])
            texts |= {i: fuser.fuse_parsed(self.parsed[i], salience).text for i in self.members([fold])}
        return texts

    def members(self, folds: Sequence[int]) -> list[int]:
        """The pairs of these folds."""
        return np.flatnonzero(np.isin(self.folds, list(folds))).tolist()


def fit_estimate(x: np.ndarray, y: np.ndarray) -> Estimate:
    """A logistic regression and boosted trees, in the form that the package reads."""
    pipe = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=200)).fit(x, y)
    weights = pipe[-1].coef_[0] / pipe[0].scale_
    boosted = HistGradientBoostingClassifier(**BOOSTING).fit(x, y)
    trees = [[read_node(node) for node in predictor.nodes] for [predictor] in boosted._predictors]
    start = float(boosted._baseline_prediction.ravel()[0])
    intercept = float(pipe[-1].intercept_[0] - (weights * pipe[0].mean_).sum())
    return Estimate(intercept, weights, join_trees(start, trees))


def read_node(node: np.void) -> tuple[int, float, int, int, float]:
    """Feature (-1: a leaf), threshold, the two nodes below, value."""
    feature = -1 if node["is_leaf"] else int(node["feature_idx"])
    return feature, float(node["num_threshold"]), int(node["left"]), int(node["right"]), float(node["value"])


def mark_said(parsed: ParsedCluster, fusion: str) -> tuple[np.ndarray, np.ndarray]:
    """For every token of the cluster whether its stem is in the fusion, and followed by that of the next word."""
    stems = [stem_of(word.lower()) for word in fusion.split() if any(c.isalnum() for c in word)]
    single, double = set(stems), set(pairwise(stems))
    said, together = [], []
    for text in parsed.texts:
        own = [stem_of(token.text.lower()) for token in text.tokens]
        said += [stem in single for stem in own]
        together += [k >= 0 and (own[i], own[k]) in double for i, k in enumerate(find_next(text))]
    return np.array(said), np.array(together)


def list_examples(parsed: ParsedCluster, said: np.ndarray, together: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Features and marks of the words, and of the words that another one follows."""
    words = np.concatenate([~np.array(text.punctuation, dtype=bool) for text in parsed.texts])
    followed = words & np.concatenate([np.array(find_next(text)) >= 0 for text in parsed.texts])
    rows, pair_rows = np.concatenate(parsed.rows), np.concatenate(add_pairs(parsed.texts, parsed.rows))
    return [(rows[words], said[words]), (pair_rows[followed], together[followed])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate, and write nothing")
    parser.add_argument("--all", action="store_true", help="with --check: the fold that nothing was tuned on too")
    args = parser.parse_args()
    trainer = Trainer()
    if args.check:
        check(trainer, trainer.cross_validate(Joint(), [f for f in range(FOLDS) if args.all or f != HELD]))
    else:
        write_model(trainer, trainer.fit_salience(range(len(trainer.pairs))))


def check(trainer: Trainer, texts: dict[int, str]) -> None:
    members = sorted(texts)
    scores = trainer.rouge([texts[i] for i in members], members).mean(axis=1)
    length = np.mean([len(texts[i].split()) for i in members])
    print(f"ROUGE-1/2/L {'/'.join(f'{s:.2f}' for s in scores)}, {length:.2f} tokens, {len(members)} pairs")


def write_model(trainer: Trainer, salience: Salience) -> None:
    parts, figures = {}, {"pairs": len(trainer.pairs)}
    for which, (name, estimate, features) in enumerate(
        (("said", salience.word, FEATURES), ("next", salience.pair, PAIR_FEATURES))
    ):
        assert estimate.trees is not None
        weights = dict(zip(features, estimate.weights.round(4).tolist(), strict=True))
        parts[name] = {"intercept": round(estimate.intercept, 4), "weights": weights, "trees": estimate.trees.record()}
        x, y = (np.concatenate([example[which][part] for example in trainer.examples]) for part in (0, 1))
        figures[f"auc_on_training_{name}"] = round(float(roc_auc_score(y, estimate.probabilities(x))), 3)
    words = json.loads(MODEL.read_text("utf-8"))["words"]
    model = {"format": 3, **parts, "words": words, "figures": figures}
    MODEL.write_text(json.dumps(model, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
