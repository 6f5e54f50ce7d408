"""Speed of word alignment: CPU time for 3,000 pairs, how it grows to 100,000, and eflomal beside it if installed."""

from __future__ import annotations

import os
import random
import statistics
from collections.abc import Iterator
from importlib.util import find_spec

from assay.text.align.bitext import align
from measure import Row, Scale, Target, main
from workload import vocabulary

NOTES = (
    "CPU time (this process and its children) of assay.text.align.bitext with its defaults: model 1 and the HMM, five "
    "iterations each, both directions, grow-diag-final-and, tokenizing included. Median of three up to 10,000 pairs.",
    "Pairs: 10 to 30 words, frequencies as in Zipf's law, a known dictionary, a fifth of neighbours swapped, a tenth "
    "of words dropped. ratio of a larger corpus: time per pair relative to 3,000 pairs; linear growth is 1.",
    "eflomal: the same pairs by align(aligner=eflomal), with its defaults (three samplers).",
)


def bitext(n: int, seed: int = 3) -> tuple[list[str], list[str]]:
    """Lines and their word-by-word translation, a little disturbed."""
    rng = random.Random(seed)
    words = vocabulary(rng)
    weights = [1 / (rank + 2.7) for rank in range(len(words))]
    sources, targets = [], []
    for _ in range(n):
        line = rng.choices(words, weights, k=rng.randint(10, 30))
        out = [word[::-1] + "o" for word in line if rng.random() >= 0.1]
        for i in range(len(out) - 1):
            if rng.random() < 0.2:
                out[i], out[i + 1] = out[i + 1], out[i]
        sources.append(" ".join(line))
        targets.append(" ".join(out))
    return sources, targets


def seconds(lines: tuple[list[str], list[str]], method: str, times: int) -> float:
    """CPU seconds, those of child processes too."""
    found = []
    for _ in range(times):
        before = sum(os.times()[:4])
        align(*lines, method, tokenizer="space")
        found.append(sum(os.times()[:4]) - before)
    return statistics.median(found)


def rows(scale: Scale) -> Iterator[Row]:
    """All of it."""
    sizes = (3_000, 10_000) if scale.quick else (3_000, 10_000, 30_000, 100_000)
    base = 0.0
    for n in sizes:
        lines = bitext(n)
        took = seconds(lines, "hmm", 3 if n <= 10_000 else 1)
        if n == sizes[0]:
            base = took / n
            yield Row(f"{n:,} pairs", took, "s", target=Target(3, most=True))
            if find_spec("eflomal"):
                theirs = seconds(lines, "eflomal", 1)
                yield Row(f"{n:,} pairs", took, "s", "eflomal", theirs, theirs / took)
        else:
            yield Row(f"{n:,} pairs, each", took / n * 1e6, "µs", "3,000 pairs", base * 1e6, took / n / base)


if __name__ == "__main__":
    main("alignment", rows, NOTES)
