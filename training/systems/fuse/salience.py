"""Learns the models of `assay fuse --system joint`: which words people say, and which candidate they would choose.

    python training/systems/fuse/salience.py             # writes both models into the package; minutes on one core
    python training/systems/fuse/salience.py --check     # nested cross-validation by story on four folds of five
    python training/systems/fuse/salience.py --check --all    # on all five

Trained on the 1,000 pairs of `fusion-english-pairs.tsv.gz`. A token counts as said if its stem is in the human fusion,
two neighbours if their stems follow each other there. The choice is a ridge regression on the mean of ROUGE-1, 2 and L
of the candidates of each pair, both centred within the pair; candidates are made by models that did not see the pair.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from pairs import FOLDS, HELD, ROOT, deal_folds, find_stories, read_pairs
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import assay
from assay.systems.fuse import Cluster
from assay.systems.fuse._choice import FEATURES as CHOICE
from assay.systems.fuse._salience import FEATURES, Salience
from assay.systems.fuse.joint import Candidate, Joint, ParsedCluster, list_candidates, read_clusters
from assay.text.align.word_features import stem_of

MODELS = ROOT / "src" / "assay" / "systems" / "fuse" / "models"
METRICS = [f"{m}(stem=true)" for m in ("rouge1", "rouge2", "rougeL")]
STRENGTHS = (0.1, 0.003)  # C of the two logistic regressions
RIDGE = 2000.0


class Trainer:
    """The pairs, parsed, with what is said of them, and how they fall into folds."""

    def __init__(self) -> None:
        self.pairs = read_pairs()
        self.parsed = read_clusters([Cluster(tuple(pair[:2])) for pair in self.pairs])
        self.stories = find_stories(self.pairs, [p.texts for p in self.parsed])
        self.folds = deal_folds(self.stories)
        self.words = [~np.concatenate([np.array(t.punctuation) for t in p.texts]) for p in self.parsed]
        self.rows = [np.concatenate(p.rows) for p in self.parsed]
        self.marks = [mark_said(p, pair[2]) for p, pair in zip(self.parsed, self.pairs, strict=True)]

    def fit_salience(self, members: Sequence[int]) -> Salience:
        """Both logistic models, from these pairs."""
        x = np.concatenate([self.rows[i][self.words[i]] for i in members])
        models = []
        for which, strength in enumerate(STRENGTHS):
            y = np.concatenate([self.marks[i][which][self.words[i]] for i in members])
            pipe = make_pipeline(StandardScaler(), LogisticRegression(C=strength, max_iter=300)).fit(x, y)
            weights = pipe[-1].coef_[0] / pipe[0].scale_
            models.append((float(pipe[-1].intercept_[0] - (weights * pipe[0].mean_).sum()), weights))
        return Salience(*models)

    def candidates(self, members: Sequence[int], within: Sequence[int]) -> dict[int, list[Candidate]]:
        """Candidates of these pairs, each fold of them by a model of the other folds of `within`."""
        made: dict[int, list[Candidate]] = {}
        for fold in sorted({int(self.folds[i]) for i in members}):
            salience = self.fit_salience([i for i in within if self.folds[i] != fold])
            for i in members:
                if self.folds[i] == fold:
                    made[i] = list_candidates(self.parsed[i], salience, (0, 1))
        return made

    def fit_choice(self, made: dict[int, list[Candidate]]) -> np.ndarray:
        """Weights of the choice, from candidates with features and scores centred within each pair."""
        flat = [(i, c) for i, own in made.items() for c in own]
        scores = self.rouge([c.text for _, c in flat], [i for i, _ in flat]).mean(axis=0)
        x, owner = np.array([c.features for _, c in flat]), np.array([i for i, _ in flat])
        weight = np.zeros(len(flat))
        for i in made:
            here = owner == i
            x[here] -= x[here].mean(axis=0)
            scores[here] -= scores[here].mean()
            weight[here] = len(flat) / len(made) / here.sum()
        scale = np.sqrt(np.average(x * x, axis=0, weights=weight))
        scale[scale == 0] = 1.0
        ridge = Ridge(alpha=RIDGE, fit_intercept=False).fit(x / scale, scores, sample_weight=weight)
        return ridge.coef_ / scale

    def rouge(self, texts: Sequence[str], members: Sequence[int]) -> np.ndarray:
        """ROUGE-1, 2 and L of each text, in points."""
        data = assay.EvalSet.from_texts({"fused": list(texts)}, [[self.pairs[i][2]] for i in members])
        return 100 * np.array([s.values[0] for s in assay.score(data, METRICS).values()])

    def cross_validate(self, fuser: Joint, test_folds: Sequence[int], among: Sequence[int]) -> dict[int, str]:
        """Fuse each of these folds by models of the others, the choice fitted to candidates of inner folds."""
        texts: dict[int, str] = {}
        for fold in test_folds:
            train = [i for i in range(len(self.pairs)) if self.folds[i] != fold and self.folds[i] in among]
            choice = self.fit_choice(self.candidates(train, train))
            salience = self.fit_salience(train)
            for i in np.flatnonzero(self.folds == fold).tolist():
                texts[i] = fuser.fuse_parsed(self.parsed[i], salience, choice).text
        return texts


def mark_said(parsed: ParsedCluster, fusion: str) -> tuple[np.ndarray, np.ndarray]:
    """For every token of the cluster whether its stem is in the fusion, and followed by that of the next token."""
    stems = [stem_of(word.lower()) for word in fusion.split() if any(c.isalnum() for c in word)]
    single, double = set(stems), set(pairwise(stems))
    said, together = [], []
    for text in parsed.texts:
        own = [stem_of(token.text.lower()) for token in text.tokens]
        said += [stem in single for stem in own]
        together += [*((a, b) in double for a, b in pairwise(own)), False][: len(own)]
    return np.array(said), np.array(together)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="cross-validate, and write nothing")
    parser.add_argument("--all", action="store_true", help="with --check: the fold that nothing was tuned on too")
    args = parser.parse_args()
    trainer = Trainer()
    folds = range(FOLDS) if args.all else [f for f in range(FOLDS) if f != HELD]
    if args.check:
        check(trainer, trainer.cross_validate(Joint(), folds, folds))
        return
    everyone = list(range(len(trainer.pairs)))
    salience = trainer.fit_salience(everyone)
    choice = trainer.fit_choice(trainer.candidates(everyone, everyone))
    write_models(trainer, salience, choice)


def check(trainer: Trainer, texts: dict[int, str]) -> None:
    members = sorted(texts)
    scores = trainer.rouge([texts[i] for i in members], members).mean(axis=1)
    length = np.mean([len(texts[i].split()) for i in members])
    print(f"ROUGE-1/2/L {'/'.join(f'{s:.2f}' for s in scores)}, {length:.2f} tokens, {len(members)} pairs")


def write_models(trainer: Trainer, salience: Salience, choice: np.ndarray) -> None:
    truth = np.concatenate([m[0][w] for m, w in zip(trainer.marks, trainer.words, strict=True)])
    odds = np.concatenate([r[w] for r, w in zip(trainer.rows, trainer.words, strict=True)]) @ salience.p_word[1]
    models = {
        name: {"intercept": round(m[0], 4), "weights": dict(zip(FEATURES, m[1].round(4).tolist(), strict=True))}
        for name, m in (("said", salience.p_word), ("next", salience.p_pair))
    }
    figures = {"pairs": len(trainer.pairs), "auc_on_training": round(float(roc_auc_score(truth, odds)), 3)}
    _write(MODELS / "salience.json", {"format": 2, **models, "figures": figures})
    _write(MODELS / "choice.json", {"format": 1, "weights": dict(zip(CHOICE, choice.round(4).tolist(), strict=True))})


def _write(path: Path, model: dict[str, object]) -> None:
    path.write_text(json.dumps(model, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
