"""Score a model on the dev part of UD English EWT, and time it on one core."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from time import process_time
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # one core; read when numpy is loaded

import spacy
from augment import recase
from prepare import document
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import NumpyOps, set_current_ops
from treebanks import EWT_DEV, Sentence, sentences, treebank

MODEL = Path(__file__).resolve().parent / "en"
MEASURES = {
    "UAS": "dep_uas",
    "LAS": "dep_las",
    "UAS with punctuation": "uas_punct",
    "LAS with punctuation": "las_punct",
    "tag": "tag_acc",
    "POS": "pos_acc",
    "morph": "morph_acc",
    "lemma": "lemma_acc",
    "lemma, case ignored": "lemma_lower",
    "sentence F1": "sents_f",
    "token F1": "token_f",
}


def paragraphs(bank: list[Sentence]) -> list[list[Sentence]]:
    """Neighbouring sentences that belong together."""
    runs: list[list[Sentence]] = []
    for sentence in bank:
        if sentence.new_paragraph or not runs:
            runs.append([])
        runs[-1].append(sentence)
    return runs


def gold_tokens(gold: Doc) -> Doc:
    """The same words without any analysis."""
    return Doc(gold.vocab, words=[t.text for t in gold], spaces=[bool(t.whitespace_) for t in gold])


def whole(doc: Doc) -> Doc:
    """Tell the parser that the document is one sentence."""
    for token in doc[1:]:
        token.is_sent_start = False
    return doc


def scores(nlp: Language, examples: list[Example]) -> dict[str, float]:
    """spaCy's scores (which leave punctuation out of UAS and LAS), and the same with punctuation, in percent."""
    for example, doc in zip(examples, nlp.pipe(example.predicted for example in examples), strict=True):
        example.predicted = doc
    found: dict[str, Any] = Scorer(nlp).score(examples)
    right_heads = right_labels = lemmas = 0
    words = sum(len(example.reference) for example in examples)
    for example in examples:
        heads, labels = example.get_aligned_parse(projectivize=False)  # type: ignore[no-untyped-call]
        gold_lemmas = example.get_aligned("LEMMA", as_string=True)
        for token, head, label, lemma in zip(example.predicted, heads, labels, gold_lemmas, strict=True):
            right_heads += head == token.head.i
            right_labels += head == token.head.i and label == token.dep_
            lemmas += lemma is not None and lemma.lower() == token.lemma_.lower()
    extra = {"uas_punct": right_heads / words, "las_punct": right_labels / words, "lemma_lower": lemmas / words}
    found.update(extra)
    return {name: 100 * float(found[key]) for name, key in MEASURES.items() if found.get(key) is not None}


def speed(nlp: Language, texts: list[str], repeats: int) -> float:
    """Words per second of processor time, raw text in, whole pipeline; the best of some runs."""
    list(nlp.pipe(texts[:200]))
    best = 0.0
    for _ in range(repeats):
        start = process_time()
        words = sum(len(doc) for doc in nlp.pipe(texts))
        best = max(best, words / (process_time() - start))
    return best


def evaluate(nlp: Language, bank: list[Sentence]) -> dict[str, dict[str, float]]:
    """One column of scores for each way of giving the dev part to the pipeline."""
    single = [document(nlp.vocab, [s]) for s in bank]
    running = [document(nlp.vocab, run) for run in paragraphs(bank)]
    cased = {
        name: [document(nlp.vocab, [Sentence(recase(s.words, upper=name == "capitals"))]) for s in bank]
        for name in ("lower case", "capitals")
    }
    columns = {
        "gold tokens": [Example(gold_tokens(gold), gold) for gold in single],
        "gold tokens, one sentence": [Example(whole(gold_tokens(gold)), gold) for gold in single],
        "own tokens": [Example(nlp.make_doc(gold.text), gold) for gold in single],
        "own tokens, paragraphs": [Example(nlp.make_doc(gold.text), gold) for gold in running],
    }
    columns |= {name: [Example(gold_tokens(gold), gold) for gold in docs] for name, docs in cased.items()}
    return {name: scores(nlp, examples) for name, examples in columns.items()}


def table(columns: dict[str, dict[str, float]]) -> str:
    """The scores as a Markdown table: a row for each way of reading, a column for each measure."""
    lines = ["| read as | " + " | ".join(MEASURES) + " |", "|---" * (len(MEASURES) + 1) + "|"]
    for name, values in columns.items():
        cells = [f"{values[measure]:.2f}" if measure in values else "" for measure in MEASURES]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, nargs="?", default=MODEL)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--blis", action="store_true", help="keep thinc's own matrix product, as plain spacy.load does")
    parser.add_argument("--repeats", type=int, default=5, help="timed runs; the best counts")
    parser.add_argument("--speed-only", action="store_true")
    args = parser.parse_args()
    if not (args.model / "meta.json").exists():
        parser.error(f"no spaCy model in {args.model}; run train.sh first, or name the folder of one")
    set_current_ops(NumpyOps(use_blis=args.blis))
    nlp = spacy.load(args.model)
    bank = list(sentences(treebank(EWT_DEV)))
    texts = [document(nlp.vocab, [s]).text for s in bank]
    rates = {
        "sentences": speed(nlp, texts, args.repeats),
        "paragraphs": speed(nlp, [document(nlp.vocab, run).text for run in paragraphs(bank)], args.repeats),
    }
    megabytes = sum(path.stat().st_size for path in args.model.rglob("*") if path.is_file()) / 1e6
    columns = {} if args.speed_only else evaluate(nlp, bank)
    if args.json:
        print(json.dumps({"scores": columns, "words_per_second": rates, "megabytes": megabytes}))
        return
    if columns:
        print(table(columns), end="\n\n")
    for name, rate in rates.items():
        print(f"words per second, one core, {name}: {rate:,.0f}")
    print(f"megabytes on disk: {megabytes:.1f}")


if __name__ == "__main__":
    main()
