"""A judged set written for these tests: systems that keep more or less of what the references say."""

from __future__ import annotations

import numpy as np

from assay import EvalSet, learn
from assay.data.evalset import Item, Judgment, Reference

FEATURES = ["rouge1", "rouge2", "ter"]
WORDS = "harbour bridge council spring engineer dam rain airline dividend garden orchard river school"
WORDS = (WORDS + " teacher museum painting theft strike tram ferry island storm vote mayor budget road").split()

# Rows of features in topics, their targets, and new rows.
X = np.random.default_rng(0).normal(size=(90, 4))
TOPIC = np.repeat(np.arange(6), 15)
Y = (X @ [1.0, 0.5, -0.2, 0.0] + 0.4 * np.random.default_rng(1).normal(size=90))[:, None]
NEW = np.random.default_rng(2).normal(size=(50, 4))


def made_set(items=6, systems=5, seed=0, people=False, group=None, raters=("r",)) -> EvalSet:
    """Each system keeps its own share of the source's words; people say how many of the reference's it kept."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(items):
        said = [" ".join(rng.choice(WORDS, 9, replace=False)) for _ in range(3)]
        source = ". ".join(s.capitalize() for s in [*said, *(" ".join(rng.choice(WORDS, 7)) for _ in range(6))]) + "."
        outputs = {}
        for s in range(systems):
            kept = rng.random(9) < (s + 1) / (systems + 1)
            words = [w if k else str(rng.choice(WORDS)) for w, k in zip(said[0].split(), kept, strict=True)]
            outputs[f"s{s}"] = " ".join(words)
        if people:
            outputs |= {"ann": said[0], "bob": said[1]}
        judgments = [
            Judgment(name, r, d, _worth(text, said, d) + 0.1 * float(rng.normal()))
            for name, text in outputs.items()
            for r in raters
            for d in ("content", "overall")
        ]
        references = tuple(Reference(t, n) for t, n in zip(said, ("ann", "bob", "cy"), strict=True))
        made.append(Item(f"i{i}", references, outputs, (source,), group and f"g{i // group}", tuple(judgments)))
    return EvalSet(made)


def _worth(text, said, dimension):
    held = np.mean([len(set(text.split()) & set(s.split())) / 9 for s in said])
    return float(held * (4 if dimension == "content" else 2))


def quick(data, **options):
    """Train a scorer in a moment."""
    return learn(data, **{"dimension": "content", "features": FEATURES, "learner": "ridge", "resamples": 20, **options})
