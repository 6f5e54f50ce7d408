"""Trains the English trigram model in the package: python training/text/lm/train.py [DATA]. See README.md beside it."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from assay.text.lm.trigrams import SHIPPED, train

DATA = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[3].parent / "shared" / "data"


def google(part: str) -> Iterator[str]:
    """Source sentences of the Google pairs: the first column, tokens apart, lower case, numbers as ##."""
    with gzip.open(DATA / "google-compression-200k" / f"{part}.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield line.split("\t", 1)[0]


def treebanks() -> Iterator[str]:
    """The words of the treebanks' sentences, without the development part of EWT."""
    for path in sorted(DATA.glob("ud-english-*/*.conllu.gz")):
        if "-dev" in path.name:
            continue
        words: list[str] = []
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                if line[0].isdigit():
                    fields = line.split("\t")
                    if fields[0].isdigit():
                        words.append(fields[1].replace(" ", ""))
                elif not line.strip() and words:
                    yield " ".join(words)
                    words = []


def main() -> None:
    """Trains on everything but the Google validation part, prints its perplexity, writes the model."""
    lines = (line for part in (google("train"), treebanks()) for line in part)
    model = train(lines, tokenizer="space", least=3, prune=(0, 1, 1))
    print("held out:", repr(model.perplexity(google("val"))))
    model.about["tokenizer"] = "en"  # type: ignore[index]  # what texts are cut with from now on
    model.save(SHIPPED, bits=8)
    print(f"{len(model.vocabulary)} words, {len(model.grams.word2)} bigrams, {len(model.grams.word3)} trigrams")
    print(f"{SHIPPED}: {SHIPPED.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
