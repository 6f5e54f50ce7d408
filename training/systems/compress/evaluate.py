"""Figures of the taggers that come with Assay, on sentences they were not trained on.

python training/systems/compress/evaluate.py                 # headline: the last 1,000 of the 9,000 Google pairs
python training/systems/compress/evaluate.py --all           # and all 9,000
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from prepare import data_folder

from assay.systems.compress.neural.tagger import Tagger
from assay.text.parse.parser import parse
from assay.text.parse.sentence import Parse

# Also in google-compression-200k, which the tagger is trained on.
SEEN = frozenset({"google01217", "google01947", "google04438"})


class Figures(NamedTuple):
    """Means over sentences."""

    f1: float
    rate: float
    exact: float


def google() -> list[tuple[str, str]]:
    with gzip.open(data_folder() / "google-compression-9k.jsonl.gz", "rt", encoding="utf-8") as file:
        items = [item for item in map(json.loads, file) if item["id"] not in SEEN]
    return [(item["source"], item["references"][0]) for item in items]


def tokens(parsed: Parse) -> list[str]:
    return [word.form.lower() for sentence in parsed.sentences for word in sentence]


def token_f1(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Clipped: the i-th "the" of one may match the i-th "the" of the other."""
    both = sum((Counter(found) & Counter(wanted)).values())
    return 2 * both / (len(found) + len(wanted)) if found or wanted else 1.0


def score(sources: list[list[str]], wanted: list[list[str]], kept: list[np.ndarray]) -> Figures:
    rows = []
    for words, reference, keep in zip(sources, wanted, kept, strict=True):
        found = [word for word, bit in zip(words, keep, strict=True) if bit]
        rows.append((token_f1(found, reference), len(found) / len(words), found == reference))
    return Figures(*np.mean(rows, 0).tolist())


def broadcast_table(path: Path) -> None:
    """Deletion F1 (micro, mean over annotators) of out-of-fold predictions, with random and lead at the same rates."""
    from conservative import broadcast, deletion_f1

    examples = {example.id: example for example in broadcast()}
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    keeps = [examples[row["id"]].keeps for row in rows]
    p = [np.array(row["p"]) for row in rows]
    rng = np.random.default_rng(0)

    def line(name: str, kept: list[np.ndarray]) -> None:
        found = deletion_f1(keeps, kept)
        print(f"| {name} | {found.rate:.3f} | {found.f1:.3f} |")

    print("| deletions | rate | deletion F1 |\n|---|---|---|")
    line("threshold of the other folds", [values >= row["threshold"] for values, row in zip(p, rows, strict=True)])
    for rate in (0.70, 0.75, 0.80):
        cut = np.quantile(np.concatenate(p), 1 - rate)
        line(f"{rate:.0%} of all words", [values >= cut for values in p])
        counts = [round(rate * len(values)) for values in p]
        line(f"{rate:.0%} of each sentence", [_top(values, n) for values, n in zip(p, counts, strict=True)])
        line(f"random {rate:.0%}", [_top(rng.random(len(v)), n) for v, n in zip(p, counts, strict=True)])
        line(f"lead {rate:.0%}", [np.arange(len(v)) < n for v, n in zip(p, counts, strict=True)])
    for own in range(3):
        others = [[bits for place, bits in enumerate(k) if place != own] for k in keeps]
        found = deletion_f1(others, [np.array(k[own]) for k in keeps])
        print(f"| annotator {own + 1} against the others | {found.rate:.3f} | {found.f1:.3f} |")


def _top(values: np.ndarray, count: int) -> np.ndarray:
    found = np.zeros(len(values), bool)
    found[np.argsort(-values, kind="stable")[:count]] = True
    return found


def main() -> None:
    options = argparse.ArgumentParser(description="figures of the taggers")
    options.add_argument("--folds", type=Path)
    options.add_argument("--all", action="store_true")
    options.add_argument("--model", default="headline")
    options.add_argument("--thresholds", action="store_true", help="a row for each threshold, to see how flat it is")
    args = options.parse_args()
    if args.folds:
        broadcast_table(args.folds)
        return
    pairs = google() if args.all else google()[-1000:]
    parsed = parse([source for source, _ in pairs])
    wanted = [tokens(found) for found in parse([reference for _, reference in pairs])]
    sources = [tokens(found) for found in parsed]
    tagger = Tagger.load(args.model)
    p = tagger.marginals(parsed)
    chosen = [tagger.threshold, *(np.arange(0.25, 0.6, 0.025) if args.thresholds else ())]
    print("| sentences | threshold | token F1 | token rate | exact |\n|---|---|---|---|---|")
    for threshold in chosen:
        for name, part in (("last 1,000", slice(-1000, None)), ("9,000", slice(None))):
            if name == "9,000" and not args.all:
                continue
            found = score(sources[part], wanted[part], [values >= threshold for values in p[part]])
            print(f"| {name} | {threshold:.3f} | {found.f1:.4f} | {found.rate:.3f} | {found.exact:.3f} |")


if __name__ == "__main__":
    main()
