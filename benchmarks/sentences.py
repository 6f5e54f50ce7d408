"""How well texts are split into sentences, beside other splitters, on data that the rules were not tuned on.

The rules were tuned on the training part of the English Web Treebank and on the training texts of the MSR compression
data; the figures are of the development part of each.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from assay.text.parse.parser import parse
from assay.text.parse.sentence import Sentence
from assay.text.sentences import split_sentences
from assay.text.tokens.offsets import place
from measure import Row, Scale, Target, cpu, main
from peers import HERE, environment

DATA = Path(__file__).parents[2] / "shared" / "data"
PEERS = ("syntok", "pysbd")
NOTES = (
    "F: sentences with both ends right, UD English Web Treebank, development part: 2,001 sentences in 750 paragraphs.",
    "whole: sentences of the same part that are not split when they stand alone.",
    "count: sources of the MSR compression data, development part (447), with the number of sentences their id tells.",
    "parser: the pipeline that comes with Assay, trained on the training part of the same treebank; it finds sentences "
    "without a final mark, and splits more sentences that are whole. spaCy's own pipelines are not on PyPI.",
)
Split = Callable[[Sequence[str]], list[list[str]]]


class Paragraph(NamedTuple):
    """A paragraph as text and as sentences."""

    text: str
    sentences: tuple[str, ...]


def rows(scale: Scale) -> Iterator[Row]:
    """Percent, higher is better; then CPU milliseconds for the paragraphs."""
    paragraphs, sources = ewt("dev"), msr()
    if scale.quick:
        paragraphs = paragraphs[::20]
    texts = [paragraph.text for paragraph in paragraphs]
    alone = [sentence for paragraph in paragraphs for sentence in paragraph.sentences]
    f, whole, count = f_score(paragraphs, split), whole_share(alone, split), count_share(sources, split)
    splitters = {"spaCy sentencizer": spacy_sentencizer(), **{name: peer(name) for name in PEERS}}
    for name, other in splitters.items():
        theirs = f_score(paragraphs, other)
        yield Row("F of paragraphs", f, "%", name, theirs, target=Target(round(theirs, 1)))
        yield Row("whole when alone", whole, "%", name, whole_share(alone, other), target=Target(99))
        yield Row("count of sentences", count, "%", name, count_share(sources, other), target=Target(99))
    parser = shipped_parser()
    yield Row("F of paragraphs", f, "%", "parser", f_score(paragraphs, parser))
    yield Row("whole when alone", whole, "%", "parser", whole_share(alone, parser))
    seconds, other = (cpu(lambda s=s: s(texts)) for s in (split, splitters["spaCy sentencizer"]))  # type: ignore[misc]
    yield Row("CPU time", 1000 * seconds, "ms", "spaCy sentencizer", 1000 * other, other / seconds)


def split(texts: Sequence[str]) -> list[list[str]]:
    """Assay's own."""
    return [split_sentences(text) for text in texts]


def spacy_sentencizer() -> Split:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return lambda texts: [[sentence.text for sentence in doc.sents] for doc in nlp.pipe(texts)]


def shipped_parser() -> Split:
    """The sentences that the parser finds, cut from the text where its words begin."""

    def split_at_words(text: str, sentences: Sequence[Sentence]) -> list[str]:
        tokens = place(text, [word.form for sentence in sentences for word in sentence], "en")
        found, first = [], 0
        for sentence in sentences:
            found.append(text[tokens[first].start : tokens[first + len(sentence) - 1].end])
            first += len(sentence)
        return found

    return lambda texts: [
        split_at_words(text, parsed.sentences) for text, parsed in zip(texts, parse(texts), strict=True)
    ]


def peer(name: str) -> Split:
    """A splitter of the peers' environment."""

    def run(texts: Sequence[str]) -> list[list[str]]:
        command = [str(environment()), "-c", "import sentences_worker; sentences_worker.serve()", name]
        done = subprocess.run(command, cwd=HERE, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True)
        answer: list[list[str]] = json.loads(done.stdout)
        return answer

    return run


def f_score(paragraphs: Sequence[Paragraph], by: Split) -> float:
    """Percent F of sentences whose two ends are right, white space aside."""
    right = gold = made = 0
    for paragraph, sentences in zip(paragraphs, by([p.text for p in paragraphs]), strict=True):
        ours, theirs = spans(paragraph.sentences), spans(sentences)
        right, gold, made = right + len(ours & theirs), gold + len(ours), made + len(theirs)
    return 200 * right / (gold + made)


def spans(sentences: Sequence[str]) -> set[tuple[int, int]]:
    """First and last character of each sentence, counted without white space.

    >>> sorted(spans(["Yes, we do.", "No."]))
    [(0, 9), (9, 12)]
    """
    found, place = set(), 0
    for length in (len("".join(sentence.split())) for sentence in sentences):
        found.add((place, place + length))
        place += length
    return found


def whole_share(sentences: Sequence[str], by: Split) -> float:
    """Percent of sentences that stay whole."""
    return 100 * sum(len(parts) == 1 for parts in by(sentences)) / len(sentences)


def count_share(sources: Sequence[tuple[int, str]], by: Split) -> float:
    """Percent of texts with the right number of sentences."""
    parts = by([text for _, text in sources])
    return 100 * sum(len(p) == count for p, (count, _) in zip(parts, sources, strict=True)) / len(sources)


def msr() -> list[tuple[int, str]]:
    """Sources and how many sentences they have: an id such as 81_82 has two."""
    lines = (DATA / "msr-compression/RawData/valid.tsv").read_text(encoding="utf-8-sig").splitlines()
    heads = [line.split(" ||| ")[0].split("\t") for line in lines if line]
    return [(head[0].count("_") + 1, head[2]) for head in heads]


def ewt(part: str) -> list[Paragraph]:
    """Paragraphs of the treebank; its sentences follow with a space, or without where the file says so."""
    with gzip.open(DATA / f"ud-english-ewt/en_ewt-ud-{part}.conllu.gz", "rt", encoding="utf-8") as file:
        blocks = file.read().strip().split("\n\n")
    groups: list[list[tuple[str, str]]] = []
    for block in blocks:
        lines = block.split("\n")
        if any(line.startswith(("# newpar", "# newdoc")) for line in lines):
            groups.append([])
        text = next(line.removeprefix("# text = ") for line in lines if line.startswith("# text = "))
        groups[-1].append((text.strip(), "" if "SpaceAfter=No" in lines[-1] else " "))
    return [Paragraph("".join(t + s for t, s in group).strip(), tuple(t for t, _ in group)) for group in groups]


if __name__ == "__main__":
    main("sentences", rows, NOTES)
