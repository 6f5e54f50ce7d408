"""Turn the treebanks into the DocBins that the parser is trained on."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from augment import NEWLINE, augment, groups
from silver import Conventions
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab
from treebanks import AMALGUM, EWT_DEV, EWT_TRAIN, GUM, Sentence, Word, sentences, treebank

ATTRIBUTES = ["TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP"]


def newline(head: int, text: str) -> Word:
    """A line break, which spaCy's tokenizer makes a token of its own."""
    return Word(text, text, "SPACE", "_SP", "_", head, "dep", False)


def stray_space(words: list[Word], rng: random.Random) -> list[Word]:
    """The sentence with one space too many, which is a token to spaCy, after some word."""
    at = rng.randrange(len(words))
    moved = [replace(word, head=word.head + (word.head > at)) for word in words]
    space = Word(" ", " ", "SPACE", "_SP", "_", at, "dep", False)
    return [*moved[:at], replace(moved[at], space=True), space, *moved[at + 1 :]]


def document(vocab: Vocab, run: list[Sentence], breaks: str = "") -> Doc:
    """One Doc of all sentences, with `breaks` (if any) between them."""
    words: list[Word] = []
    for sentence in run:
        if breaks and words:
            words[-1] = replace(words[-1], space=False)
            words.append(newline(len(words) - 1, breaks))
        offset = len(words)
        words += [replace(word, head=word.head + offset) for word in sentence.words]
    return Doc(
        vocab,
        words=[word.form for word in words],
        spaces=[word.space for word in words],
        tags=[word.tag for word in words],
        pos=[word.pos for word in words],
        morphs=["" if word.feats == "_" else word.feats for word in words],
        lemmas=[word.lemma for word in words],
        heads=[word.head for word in words],
        deps=[word.dep for word in words],
    )


def documents(vocab: Vocab, bank: list[Sentence], rng: random.Random, stray: float = 0.0) -> Iterator[Doc]:
    """The training documents of a treebank, grouped and augmented; a share `stray` of them with a needless space."""
    for run in groups(bank, rng):
        breaks = rng.choice(["\n", "\n\n"]) if len(run) > 1 and rng.random() < NEWLINE else ""
        run = augment(run, rng)
        if stray and rng.random() < stray:
            run[0] = replace(run[0], words=stray_space(run[0].words, rng))
        yield document(vocab, run, breaks)


def write(path: Path, docs: Iterable[Doc]) -> None:
    """Store the documents and say how many words they hold."""
    store = DocBin(attrs=ATTRIBUTES)
    count = words = 0
    for doc in docs:
        store.add(doc)
        count, words = count + 1, words + len(doc)
    store.to_disk(path)
    print(f"{path}: {count} documents, {words} words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write train.spacy, gold.spacy and dev.spacy")
    parser.add_argument("--seed", type=int, default=1)
    folder, seed = (args := parser.parse_args()).folder, args.seed
    folder.mkdir(parents=True, exist_ok=True)
    vocab, rng = Vocab(), random.Random(seed)

    gold = [list(sentences(treebank(name))) for name in (EWT_TRAIN, GUM)]
    conventions = Conventions(sentence for bank in gold for sentence in bank)
    automatic = [kept for s in sentences(treebank(AMALGUM)) if (kept := conventions.convert(s))]

    def mixture(gold_copies: int, silver_share: float, stray: float = 0.0) -> list[Doc]:
        docs = [doc for _ in range(gold_copies) for bank in gold for doc in documents(vocab, bank, rng, stray)]
        docs += [doc for doc in documents(vocab, automatic, rng) if rng.random() < silver_share]
        rng.shuffle(docs)
        return docs

    write(folder / "train.spacy", mixture(2, 1.0))
    write(folder / "gold.spacy", mixture(2, 0.4, stray=0.03))
    write(folder / "dev.spacy", (document(vocab, [s]) for s in sentences(treebank(EWT_DEV))))


if __name__ == "__main__":
    main()
