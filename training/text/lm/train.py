"""Train the English trigram model in the package: python training/text/lm/train.py [--sweep] [DATA]. See README.md."""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from evaluated import evaluated_sentences, mask_rare, spell

from assay.text.lm.trigrams import LanguageModel, train

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
MODEL = ROOT / "models" / "base" / "assay_models" / "lm" / "trigram-en.npz"
MIN_COUNT, PRUNE = 3, (0, 0, 0)  # of what is shipped
SWEEP = [(least, prune) for least in (1, 2, 3) for prune in ((0, 1, 1), (0, 0, 1), (0, 0, 0))]


def read_google(data: Path, part: str) -> Iterator[str]:
    """Yield source sentences of the Google pairs: the first column, tokens apart, lower case, numbers as ##."""
    with gzip.open(data / "google-compression-200k" / f"{part}.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield line.split("\t", 1)[0]


def read_treebanks(data: Path) -> Iterator[str]:
    """Yield the words of the treebanks' sentences, without the development part of EWT."""
    for path in sorted(data.glob("ud-english-*/*.conllu.gz")):
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


def read_training(data: Path) -> Iterator[str]:
    """Yield what the model is trained on: no sentence that compressors, fusers or metrics are evaluated on.

    The Google pairs have <unk> for rare words, so evaluated sentences are compared in that spelling too.
    """
    closed = evaluated_sentences(data)
    google = [(line, spell(line)) for line in read_google(data, "train")]
    rare = mask_rare(closed, {word for _, spelling in google for word in spelling.split()})
    yield from (line for line, spelling in google if spelling not in closed and spelling not in rare)
    yield from (line for line in read_treebanks(data) if spell(line) not in closed)


def describe(model: LanguageModel, data: Path, path: Path) -> str:
    """Return perplexity on the Google validation part, n-grams and size in bytes."""
    perplexity = model.perplexity(read_google(data, "val"))
    grams = f"{len(model.vocabulary)} words, {len(model.grams.word2)} bigrams, {len(model.grams.word3)} trigrams"
    known = f"{perplexity.value:.1f} ({perplexity.without_unknown:.1f} without unknown words)"
    return f"perplexity {known}, {grams}, {os.path.getsize(path) / 1e6:.2f} MB"


def write_model(lines: list[str], least: int, prune: tuple[int, ...], path: Path) -> LanguageModel:
    """Train a model and write it."""
    model = train(lines, tokenizer="space", least=least, prune=prune)
    about = {**model.about, "tokenizer": "en"}  # what texts are cut with from now on
    LanguageModel(model.grams, model.vocabulary, model.counts, about).save(path, bits=8)
    return model


def main() -> None:
    """Train on everything but the Google validation part, print its perplexity, write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sweep", action="store_true", help="print perplexity against size, and write nothing")
    args = parser.parse_args()
    lines = list(read_training(args.data))
    print(f"{len(lines)} sentences, {sum(line.count(' ') + 1 for line in lines)} words")
    if not args.sweep:
        print(describe(write_model(lines, MIN_COUNT, PRUNE, MODEL), args.data, MODEL))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        for least, prune in SWEEP:
            print(f"least {least}, prune {prune}: {describe(write_model(lines, least, prune, path), args.data, path)}")
        for share in (0.25, 0.5):
            part = list(islice(lines, 0, None, round(1 / share)))
            model = write_model(part, MIN_COUNT, PRUNE, path)
            print(f"{share:.0%} of the sentences: {describe(model, args.data, path)}")


if __name__ == "__main__":
    main()
