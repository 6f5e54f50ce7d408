"""Count the texts in other languages that pass as English, and the English ones that do not. See README.md."""

from __future__ import annotations

import csv
import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

from assay.text.language import load_profiles, name_foreign

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
MIN_WORDS = 5


def read_sources(name: str) -> Iterator[str]:
    """Yield the sources of a set in JSON Lines, a line each."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            yield from item["sources"] if "sources" in item else item["source"].split("\n")


def read_treebank(pattern: str) -> Iterator[str]:
    """Yield the sentences of treebanks."""
    for path in sorted(DATA.glob(pattern)):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from (line[len("# text =") :].strip() for line in file if line.startswith("# text ="))


def read_msr() -> list[str]:
    """Return the different sources of MSR's valid part."""
    with open(DATA / "msr-compression/RawData/valid.tsv", encoding="utf-8-sig", newline="") as file:
        return sorted({row[2].partition("|||")[0].strip() for row in csv.reader(file, delimiter="\t")})


def main() -> None:
    foreign = {
        "WMT17 cs-en": [text for text in read_sources("wmt17-cs-en.jsonl.gz") if len(text.split()) >= MIN_WORDS],
        "WMT17 de-en": [text for text in read_sources("wmt17-de-en.jsonl.gz") if len(text.split()) >= MIN_WORDS],
        "French clusters": list(read_sources("fusion-french-clusters.jsonl.gz")),
    }
    english = {
        "EWT dev": list(read_treebank("ud-english-ewt/*-dev.conllu.gz")),
        "MSR valid": read_msr(),
        "EWT train": list(read_treebank("ud-english-ewt/*-train.conllu.gz")),
        "GUM, open part": list(read_treebank("ud-english-gum-open/*.conllu.gz")),
    }
    began = time.process_time()
    load_profiles()
    loaded = time.process_time()
    for sets, wrong in ((foreign, False), (english, True)):
        for name, texts in sets.items():
            answers = [(name_foreign(text), text) for text in texts]
            failed = [(answer, text) for answer, text in answers if bool(answer) == wrong]
            print(f"{name}: {len(failed)} of {len(texts):,} {'refused' if wrong else 'pass as English'}")
            for answer, text in failed:
                print(f"    {answer}: {text}" if wrong else f"    {text}")
    count = sum(len(texts) for sets in (foreign, english) for texts in sets.values())
    print(f"CPU: {1e3 * (loaded - began):.0f} ms to load, {1e3 * (time.process_time() - loaded) / count:.2f} ms a text")


if __name__ == "__main__":
    main()
