"""Fusion: the baselines of Daumé III and Marcu (2004, 3.3), word graph, Comp and joint fusion on open sets."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Sequence

import numpy as np
from common import ROOT, Figure, data_folder, main

import assay
from assay.systems.fuse import fuse

sys.path.insert(0, str(ROOT / "training" / "systems" / "fuse"))
from pairs import read_pairs

TITLE = "Daumé III and Marcu 2004: fusion of sentences, on open data"
NOTES = (
    "The fifty Ziff-Davis pairs of the paper are not public. English: 1,000 pairs of news sentences with the fusion a "
    "person wrote (16.4 tokens on average); ROUGE F with Porter's stems. The published figures were measured on 1,599 "
    "pairs that include these. DropStop is 1.4 lower in ROUGE-2: stop word lists and random orders differ. Joint "
    "fusion of these pairs is in `reproduce/fusion.py`. French: 40 clusters of 15 news sentences with three human "
    "compressions; ROUGE F, largest over references.",
    "SummEval: the sentences of references that `assay fuse pairs` finds to be made from two sentences of the "
    "document. No weight of joint fusion was set on them.",
)
PUBLISHED = {
    "longer": (30.9, 13.9, 25.6),
    "shorter": (34.6, 17.2, 30.0),
    "concatenation": (36.4, 18.8, 28.0),
    "drop-stop": (34.4, 11.9, 25.6),
}
ENGLISH = [f"{m}(stem=true)" for m in ("rouge1", "rouge2", "rougeL")]
FRENCH = [f"{m}(tokenizer=unicode, refs=max)" for m in ("rouge1", "rouge2", "rougeL")]


def english() -> list[Figure]:
    """Pairs: baselines with what others measured, then the fusers."""
    pairs = read_pairs()
    clusters = [pair[:2] for pair in pairs]
    outputs = {name: [f.text for f in fuse(clusters, name)] for name in (*PUBLISHED, "comp", "wordgraph")}
    return _figures("English", outputs, [[pair[2]] for pair in pairs], ENGLISH)


def french() -> list[Figure]:
    """Clusters: the word graph against single sentences."""
    with gzip.open(data_folder() / "fusion-french-clusters.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    names = ("longer", "shorter", "random-sentence", "wordgraph(language=fr, rank=weight)", "wordgraph(language=fr)")
    outputs = {name: [f.text for f in fuse([r["sources"] for r in rows], name)] for name in names}
    references = [[r["text"] if isinstance(r, dict) else r for r in row["references"]] for row in rows]
    return _figures("French", outputs, references, FRENCH)


def summeval() -> list[Figure]:
    """Other English pairs: sentences of SummEval's references that were made from two sentences of the document."""
    from assay.corpus import find_fusion_pairs
    from assay.formats import documents

    pairs = find_fusion_pairs(documents(data_folder() / "summeval.jsonl.gz")).pairs
    clusters = [[pair.first, pair.second] for pair in pairs]
    outputs = {name: [f.text for f in fuse(clusters, name)] for name in ("longer", "shorter")}
    outputs["joint, 18 words"] = [f.text for f in fuse(clusters, "joint", words=18)]
    return _figures("SummEval", outputs, [[pair.fused] for pair in pairs], ENGLISH)


def _figures(
    place: str, outputs: dict[str, list[str]], references: list[list[str]], metrics: Sequence[str]
) -> list[Figure]:
    data = assay.EvalSet.from_texts(outputs, references)
    scores = assay.score(data, list(metrics))
    found = []
    for i, system in enumerate(data.systems):
        length = float(np.mean([len(text.split()) for text in outputs[system]]))
        for k, (metric, values) in enumerate(zip(("ROUGE-1", "ROUGE-2", "ROUGE-L"), scores.values(), strict=True)):
            there = PUBLISHED[system][k] if place == "English" and system in PUBLISHED else None
            within = None if there is None else 1.5
            note = f"{length:.1f} tokens" if k == 0 else ""
            found.append(Figure(f"{place}: {system}, {metric}", there, 100 * float(values.means()[i]), within, note))
    last = data.systems[-1]
    if not last.startswith("joint"):
        return found
    for metric, values in zip(("ROUGE-1", "ROUGE-2"), scores.values(), strict=False):
        for other in ("longer", "shorter"):
            two = assay.compare(values.select([last, other]))
            p = float(two.against[0].pvalue)
            found.append(Figure(f"{place}: {last} against {other}, {metric}, p", None, p, None, "Wilcoxon"))
    return found


def figures() -> list[Figure]:
    """All sets."""
    return [*english(), *summeval(), *french()]


if __name__ == "__main__":
    main("daume_marcu_2004", TITLE, NOTES, figures)
