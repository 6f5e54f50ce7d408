"""One threshold for a file (--average-ratio) beside one length for every text (--ratio), against what people wrote.

python reproduce/average_ratio.py            Google pairs at .43, Broadcast News at .71, and texts without any limit
"""

from __future__ import annotations

import sys

import numpy as np
from broadcast import broadcast
from common import google_pairs
from compressors import as_words
from tables import grid

import assay
from assay import EvalSet
from assay.systems.compress import Compression, compress
from assay.text.tokens.subsequence import kept_places

TEST = 1000  # of the Google pairs, the last


def row(label: str, made: list[Compression], *figures: float) -> list[str]:
    """Return a row: figures, the mean token rate, and how many texts have a note."""
    rate = float(np.mean([c.token_rate for c in made]))
    print(label, figures, rate, file=sys.stderr, flush=True)
    return [label, *(f"{figure:.3f}" for figure in figures), f"{rate:.3f}", str(sum(bool(c.notes) for c in made))]


def on_google() -> str:
    """Token F1 on the Google pairs."""
    items = list(google_pairs())[-TEST:]
    sources, references = [i.sources[0] for i in items], [[i.references[0].text] for i in items]
    rows = []
    for spec, faithful in (("tagger-tree(keep=none)", False), ("tagger-tree", False), ("tagger-tree", True)):
        free = spec.replace(")", ", tagger=headline)") if "(" in spec else "tagger-tree(tagger=headline)"
        for name, system, limits in (
            ("--ratio .43", spec, {"ratio": 0.43}),
            ("--average-ratio .43", spec, {"average_ratio": 0.43}),
            ("tagger=headline, no limit", free, {}),
        ):
            made = compress(sources, system, faithful=faithful, **limits)  # type: ignore[arg-type]
            found = EvalSet.from_texts({"x": [c.text for c in made]}, references, sources=sources)
            label = f"{spec}{'' if faithful else ', --no-faithful'}: {name}"
            rows.append(row(label, made, float(assay.score(found, "tokenf1").means()[0])))
    made = compress(sources)
    found = EvalSet.from_texts({"x": [c.text for c in made]}, references, sources=sources)
    rows.append(row("tagger-tree: no limit", made, float(assay.score(found, "tokenf1").means()[0])))
    return grid(["Google pairs, the last 1,000", "token F1", "token rate", "with notes"], rows)


def deletion_f1(sources: list[list[str]], keeps: list[list[set[int]]], made: list[set[int]]) -> float:
    """Return the micro F1 of deleted words, mean over annotators."""
    values = []
    for annotator in range(len(keeps[0])):
        both = own = gold = 0
        for words, every, kept in zip(sources, keeps, made, strict=True):
            deleted, theirs = set(range(len(words))) - kept, set(range(len(words))) - every[annotator]
            both, own, gold = both + len(deleted & theirs), own + len(deleted), gold + len(theirs)
        values.append(2 * both / max(1, own + gold))
    return float(np.mean(values))


def on_broadcast() -> str:
    """Relations F and deletion F1 on Broadcast News, which the tagger was not trained on."""
    items = list(broadcast())
    sources = [item.sources[0] for item in items]
    words = [source.split() for source in sources]
    references = [[reference.text for reference in item.references] for item in items]
    keeps = [[set(kept_places(w, text.split())) for text in texts] for w, texts in zip(words, references, strict=True)]
    rows = []
    for faithful in (False, True):
        for name, limits in (("--ratio .71", {"ratio": 0.71}), ("--average-ratio .71", {"average_ratio": 0.71})):
            made = compress(sources, faithful=faithful, **limits)  # type: ignore[arg-type]
            texts = [as_words(c) for c in made]
            found = EvalSet.from_texts({"x": texts}, references, sources=sources)
            relations = float(assay.score(found, "relations(refs=mean)").means()[0])
            bits = [set(kept_places(w, text.split())) for w, text in zip(words, texts, strict=True)]
            label = f"tagger-tree{'' if faithful else ', --no-faithful'}: {name}"
            rows.append(row(label, made, relations, deletion_f1(words, keeps, bits)))
    heads = ["Broadcast News, 1,370 sentences", "relations F", "deletion F1", "token rate", "with notes"]
    return grid(heads, rows)


def main() -> None:
    """Print the tables."""
    print(on_google(), on_broadcast(), sep="\n\n")


if __name__ == "__main__":
    main()
