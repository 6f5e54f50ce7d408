"""Figures of the taggers that come with Assay, on sentences they were not trained on.

python training/compress/evaluate.py                 # headline: the last 1,000 of the 9,000 Google pairs
python training/compress/evaluate.py --all           # and all 9,000
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from prepare import data_folder

from assay.systems.compress.tagger import Tagger
from assay.text.parse import Parse
from assay.text.parser import parse


class Figures(NamedTuple):
    """Means over sentences."""

    f1: float
    rate: float
    exact: float


def google() -> list[tuple[str, str]]:
    with gzip.open(data_folder() / "google-compression-9k.jsonl.gz", "rt", encoding="utf-8") as file:
        return [(item["source"], item["references"][0]) for item in map(json.loads, file)]


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


def main() -> None:
    options = argparse.ArgumentParser(description="figures of the shipped headline tagger")
    options.add_argument("--all", action="store_true")
    options.add_argument("--model", default="headline")
    options.add_argument("--thresholds", action="store_true", help="a row for each threshold, to see how flat it is")
    args = options.parse_args()
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
