"""Counts how often news keeps a word when it is cut, and how often it has the word at all; minutes on one core.

    python training/systems/fuse/words.py       # writes the part `words` of salience.json; then salience.py

From the sentences of google-compression-200k (train) and, for text of other kinds, the UD treebanks of English. Words
that fewer than MAX_RARE sentences have are left out.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator

from pairs import DATA, ROOT

from assay.systems.fuse._word_context import count_rates, fold_digits

MODEL = ROOT / "models" / "base" / "assay_models" / "fuse" / "salience.json"
MAX_RARE = 25


def read_news() -> Iterator[tuple[str, bool]]:
    """Each word of the sentences, and whether its headline keeps it."""
    with gzip.open(DATA.parent / "google-compression-200k" / "train.tsv.gz", "rt", encoding="utf-8") as file:
        for line in file:
            words, _, _, bits = line.rstrip("\n").split("\t")
            for word, bit in zip(words.split(), bits.split(), strict=True):
                yield fold_digits(word.replace("##", "#")), bit == "1"


def read_treebanks() -> Iterator[str]:
    """Each word of the treebanks."""
    for path in sorted(DATA.parent.glob("ud-english-*/*.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            columns = (line.split("\t") for line in file)
            yield from (fold_digits(row[1]) for row in columns if len(row) == 10 and row[0].isdigit())


def main() -> None:
    kept_words, words = Counter[str](), Counter[str]()
    for word, stays in read_news():
        words[word] += 1
        kept_words[word] += stays
    other = Counter(read_treebanks())
    sizes = kept_words.total(), words.total(), other.total()
    rates = {
        word: [round(rate, 2) for rate in count_rates(kept_words[word], count, other[word], sizes)]
        for word, count in sorted(words.items())
        if count >= MAX_RARE and word != "<unk>"
    }
    model = json.loads(MODEL.read_text("utf-8"))
    MODEL.write_text(json.dumps({**model, "words": rates}, separators=(",", ":")) + "\n", "utf-8")
    print(f"{len(rates)} words")


if __name__ == "__main__":
    main()
