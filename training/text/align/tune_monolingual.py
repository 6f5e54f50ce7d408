"""Tunes the weights of the monolingual aligner on the odd ones of the hand-aligned pairs.

python training/text/align/tune_monolingual.py [--rounds 6]

Coordinate search from the weights in use: each in turn is tried a little lower and higher, and stays where F1 of the
links is best; the even pairs are not looked at. Prints the weights, for src/assay/text/align/monolingual.py.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import fields, replace
from pathlib import Path

from assay.text.align.monolingual import AlignerWeights, AnalysedText, align, analyse

PAIRS = Path(__file__).resolve().parents[3] / "tests" / "text" / "data" / "aligned.tsv"
Pair = tuple[AnalysedText, AnalysedText, frozenset[tuple[int, int]]]
STEPS = (-1.0, -0.5, -0.25, -0.1, 0.1, 0.25, 0.5, 1.0)
SCORES = ("least", "least_phrase", "gap")  # between 0 and 1: smaller steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    rounds = parser.parse_args().rounds
    pairs = hand_aligned()[::2]
    best, weights = f1(pairs, AlignerWeights()), AlignerWeights()
    for number in range(rounds):
        before = best
        for each in fields(AlignerWeights):
            now = getattr(weights, each.name)
            for step in STEPS:
                tried = replace(weights, **{each.name: round(now + step * (0.1 if each.name in SCORES else 1), 3)})
                if (found := f1(pairs, tried)) > best + 1e-9:
                    best, weights = found, tried
        print(f"round {number + 1}: F1 {best:.4f}", flush=True)
        if best == before:
            break
    for each in fields(AlignerWeights):
        print(f"    {each.name}: float = {getattr(weights, each.name)}")


def hand_aligned() -> list[Pair]:
    """The pairs, analysed, with their links."""
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(analyse(row["a"]), analyse(row["b"]), _links(row["links"])) for row in rows]


def f1(pairs: list[Pair], weights: AlignerWeights) -> float:
    """Of all links together."""
    hit = size = 0
    for a, b, gold in pairs:
        found = {(k.a, k.b) for k in align(a, b, weights=weights).links}
        hit += len(found & gold)
        size += len(found) + len(gold)
    return 2 * hit / size


def _links(text: str) -> frozenset[tuple[int, int]]:
    return frozenset((int(a), int(b)) for a, b in (link.split("-") for link in text.split()))


if __name__ == "__main__":
    main()
