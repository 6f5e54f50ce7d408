"""Find the treebanks and read their sentences."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EWT_TRAIN = "ud-english-ewt/en_ewt-ud-train.conllu.gz"
EWT_DEV = "ud-english-ewt/en_ewt-ud-dev.conllu.gz"
GUM = "ud-english-gum-open/en_gum-ud-train-open.conllu.gz"
AMALGUM = "ud-english-amalgum-silver/en_amalgum-silver.conllu.gz"


@dataclass
class Word:
    """One line of a CoNLL-U tree. `head` is 0-based and points to the word itself at the root."""

    form: str
    lemma: str
    pos: str
    tag: str
    feats: str
    head: int
    dep: str
    space: bool = True


@dataclass
class Sentence:
    """A tree, with what was said about where it stands in its document."""

    words: list[Word]
    new_document: bool = False
    new_paragraph: bool = False


def treebank(name: str) -> Path:
    """The path of a treebank file, or an error that says where it was looked for."""
    folders = [os.environ.get("ASSAY_DATA"), REPOSITORY.parent / "shared" / "data"]
    tried = [Path(folder) / name for folder in folders if folder]
    for path in tried:
        if path.exists():
            return path
    looked = " or ".join(str(path) for path in tried)
    raise FileNotFoundError(f"no treebank at {looked}; set ASSAY_DATA to the folder that holds {name}")


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a gzipped CoNLL-U file; multiword tokens only tell where no space follows."""
    words: list[Word] = []
    document = paragraph = False
    inside: tuple[int, bool] = (0, True)  # last word of the multiword token, and whether a space follows it
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("#"):
                document = document or line.startswith("# newdoc")
                paragraph = paragraph or line.startswith(("# newpar", "# newdoc"))
            elif line:
                number, form, lemma, pos, tag, feats, head, dep, _, misc = line.split("\t")
                space = "SpaceAfter=No" not in misc
                if "-" in number:
                    inside = (int(number.split("-")[1]), space)
                elif number.isdigit():
                    i = int(number)
                    if i <= inside[0]:
                        space = i == inside[0] and inside[1]
                    parent = int(head) - 1 if head != "0" else i - 1
                    words.append(Word(form, lemma, pos, tag, feats, parent, "ROOT" if head == "0" else dep, space))
            elif words:
                yield Sentence(words, document, paragraph)
                words, document, paragraph, inside = [], False, False, (0, True)
    if words:
        yield Sentence(words, document, paragraph)
