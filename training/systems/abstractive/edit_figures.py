"""Figures of `edit` on sources that are held back: the last tenth of MSR's training file, and CPU time a sentence.

python training/systems/abstractive/edit_figures.py          # the last tenth, scored once for the model card
python training/systems/abstractive/edit_figures.py --part dev

The conservative tagger, which tagger-tree uses here, learned from the rewrites of these sources that only delete;
`edit` did not see them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np
from edit_pairs import split_rewrites

import assay
from assay.systems.compress import compress
from assay.systems.compress.edits.rewrite import Rewrite
from assay.text.parse.parser import parse

METRICS = ("SKIP-2+Recall+MULT-PROB", "LR-2+F-1+MULT-MAX")
SYSTEMS = ("edit", "edit(forms=none)", "edit(forms=all)", "edit(least=0.06)", "tagger-tree", "lead")


def words_of(text: str) -> list[str]:
    return [word for word in text.lower().split() if any(c.isalnum() for c in word)]


def exact_share(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """The share of texts whose words are those of a reference."""
    hits = [any(words_of(text) == words_of(ref) for ref in refs) for text, refs in zip(texts, references, strict=True)]
    return float(np.mean(hits))


def main() -> None:
    options = argparse.ArgumentParser(description="figures of edit on held-back sources")
    options.add_argument("--part", choices=("dev", "test"), default="test")
    options.add_argument("--ratio", type=float, default=0.75)
    args = options.parse_args()
    rows = split_rewrites()[args.part]
    sources = [" ".join(row.words) for row in rows]
    references = [[" ".join(text) for text in row.texts] for row in rows]
    begun = time.process_time()
    parse(sources)
    parse_ms = 1000 * (time.process_time() - begun) / len(sources)
    compress(sources, "edit", ratio=args.ratio)  # models are loaded, parses are in the cache
    print(f"{len(sources)} sources; parsing takes {parse_ms:.1f} ms of CPU a sentence\n")
    print("| system | rate | SKIP-2 R MULT-PROB | LR-2 F MULT-MAX | exact | put in | CPU ms next to the parse |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for system in SYSTEMS:
        begun = time.process_time()
        outputs = compress(sources, system, ratio=args.ratio)
        spent = 1000 * (time.process_time() - begun) / len(sources)
        texts = [output.text for output in outputs]
        data = assay.EvalSet.from_texts({"x": texts}, references, sources=sources)
        values = [float(assay.score(data, metric).means()[0]) for metric in METRICS]
        put_in = sum(e.kind in ("replace", "insert") for o in outputs if isinstance(o, Rewrite) for e in o.edits)
        rate = float(np.mean([output.word_rate for output in outputs]))
        exact = exact_share(texts, references)
        print(f"| {system} | {rate:.3f} | {values[0]:.4f} | {values[1]:.4f} | {exact:.3f} | {put_in} | {spent:.1f} |")


if __name__ == "__main__":
    main()
