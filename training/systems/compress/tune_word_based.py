"""Finds the default weights of word-based compression: python training/systems/compress/tune_word_based.py [DATA].

As in Clarke and Lapata (2006): Powell's method on 50 sentences. Here they are the first 50 of Broadcast News (the first
stories; leave these out of a test), each with the other sentences of its story as the document and without. What is
made large is the token F1 (clipped, mean over the annotators) less a penalty for keeping more than the annotators do,
since keeping everything has the best F1 of all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import assay
from assay.matching.multisets import overlap_f1
from assay.systems.compress import Source
from assay.systems.compress.word_based import WordBased, tune

DATA = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[3].parent / "shared" / "data"
SAMPLE = 50


def f1(text: str, reference: str) -> float:
    """Return the clipped token F1."""
    return overlap_f1(Counter(text.lower().split()), Counter(reference.lower().split()))


def main() -> None:
    """Prints the weights."""
    items = list(assay.read(DATA / "broadcast-news.jsonl.gz"))
    chosen = items[:SAMPLE] * 2
    stories: dict[str | None, list[str]] = {}
    for item in items:
        stories.setdefault(item.group, []).append(item.sources[0])
    sources = [
        Source(
            item.sources[0], context=tuple(s for s in stories[item.group] if s != item.sources[0]) if n < SAMPLE else ()
        )
        for n, item in enumerate(chosen)
    ]
    rate = sum(len(r.text.split()) for i in chosen for r in i.references) / sum(
        len(i.sources[0].split()) * len(i.references) for i in chosen
    )

    def objective(texts: Sequence[str]) -> float:
        values = [f1(t, r.text) for t, i in zip(texts, chosen, strict=True) for r in i.references]
        kept = sum(len(t.split()) for t in texts) / sum(len(i.sources[0].split()) for i in chosen)
        return sum(values) / len(values) - 2 * max(0.0, kept - rate)

    best: tuple[float, WordBased] | None = None
    for start in (WordBased(0.05, 3, 1.5), WordBased(0.2, 1, 4), WordBased(0.02, 5, 1)):
        found = tune(start, sources, objective)
        value = objective([c.text for c in found.compress(sources)])
        print(f"{value:.4f} {found.signature()}", flush=True)
        best = max(best or (value, found), (value, found), key=lambda pair: pair[0])
    assert best is not None
    print("annotators keep", round(rate, 3), "best:", best[1].signature())


if __name__ == "__main__":
    main()
