"""Figures of t3 on MSR sources: BLEU, SKIP-2, exact matches, rate, perplexity, and what its outputs are made of.

python training/systems/abstractive/t3_figures.py models/research/assay_research/abstractive/t3 --part held-back
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from t3_data import HELD_BACK, TUNING, MsrItem, read_items

import assay
from assay.systems.compress import Compression, compress
from assay.systems.compress.edits.rewrite import list_edits
from assay.text.lm.trigrams import load
from assay.text.tokens.offsets import split_lexical_tokens

METRICS = {"BLEU": "bleu", "SKIP-2": "SKIP-2+Recall+MULT-PROB", "LR-2 F": "LR-2+F-1+MULT-MAX"}
RATE = 0.72


def print_figures(
    model: Path,
    items: Sequence[MsrItem],
    name: str,
    others: Sequence[str] = ("transducer", "tagger-tree", "lead"),
    ratios: Sequence[float | None] = (None, RATE),
) -> None:
    """Print a row for each system with its own length (none), and at a rate of .72."""
    print(f"{name}: {len(items)} sources, {sum(len(i.references) for i in items)} references")
    print(
        f"{'system':30} {'rate':>5} " + " ".join(f"{m:>7}" for m in METRICS) + "  exact  copied    new    ppl  ms CPU"
    )
    print(f"{'one reference each':30} {' ' * 52} {_perplexity(i.references[0] for i in items):6.1f}")
    for system in (f"t3(model={model})", *others):
        for ratio in ratios:
            begin = time.process_time()
            outputs = compress([item.source for item in items], system, ratio=ratio)
            cost = (time.process_time() - begin) / len(items) * 1000
            label = f"{system.partition('(')[0]}{f' at {ratio}' if ratio else ''}"
            print(f"{label:30} {_row(items, outputs)} {cost:7.1f}", flush=True)


def _row(items: Sequence[MsrItem], outputs: Sequence[Compression]) -> str:
    values = score_outputs(items, [c.text for c in outputs])
    rate = np.mean([c.word_rate for c in outputs])
    exact = np.mean([_plain(c.text) in map(_plain, i.references) for i, c in zip(items, outputs, strict=True)])
    edits = [e for c in outputs for e in list_edits(c)]
    size = {kind: sum(len(split_lexical_tokens(e.text)) for e in edits if e.kind == kind) for kind in KINDS}
    total = sum(size.values())
    new = (size["replace"] + size["insert"]) / total
    columns = " ".join(f"{value:7.4f}" for value in values)
    own = f"{exact:6.3f} {size['keep'] / total:7.3f} {new:6.3f} {_perplexity(c.text for c in outputs):6.1f}"
    return f"{rate:5.3f} {columns} {own}"


def _perplexity(texts: Iterable[str]) -> float:
    """By the trigram model that the search uses too."""
    return load().perplexity(texts).value


KINDS = ("keep", "replace", "insert")


def score_outputs(items: Sequence[MsrItem], texts: Sequence[str]) -> list[float]:
    data = assay.EvalSet.from_texts({"system": list(texts)}, [list(item.references) for item in items])
    scores = assay.score(data, list(METRICS.values()))
    return [float(scores[metric].means()[0]) for metric in METRICS.values()]


def _plain(text: str) -> str:
    return " ".join(token.text.lower() for token in split_lexical_tokens(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--part", choices=("tuning", "held-back"), default="tuning")
    args = parser.parse_args()
    number = TUNING if args.part == "tuning" else HELD_BACK
    print_figures(args.model, [item for item in read_items() if item.part == number], f"{args.part} part")


if __name__ == "__main__":
    main()
