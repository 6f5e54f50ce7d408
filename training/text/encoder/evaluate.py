"""Print the figures of a checkpoint next to those of the fast parser and of the shipped tagger, and the goals.

python training/text/encoder/evaluate.py /tmp/assay-encoder             # EWT dev, pairs kept back, MSR valid
python training/text/encoder/evaluate.py /tmp/assay-encoder --tune      # what settings are chosen by
python training/text/encoder/evaluate.py                                # the parser of the package
python training/text/encoder/evaluate.py --tagger                       # the shipped tagger on the same words
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from analysis import Analyser
from examples import Tokens, cased_pairs, gold_banks, tokenize
from keep_scores import Judged, auc, f1_at_rate, matched, msr_rows, pool
from neighbours import EWT_DEV, Sentence, data_folder, recase, sentences, treebank
from parse_scores import MEASURES, Document, score
from plain import SHIPPED, PlainNetwork
from predict import Checkpoint

from core import Core

# The fast parser by training/text/parse/evaluate.py, the tagger by evaluate.py --tagger. The goal is not to fall below
# these, or what GOALS says.
NOW = {
    "gold tokens": {"UAS": 87.97, "LAS": 84.37, "tag": 94.47, "POS": 95.23, "morph": 95.05, "lemma": 96.17},
    "own tokens": {"UAS": 86.93, "LAS": 83.34, "token F1": 98.87},
    "own tokens, paragraphs": {"sentence F1": 87.75},
    "lower case": {"UAS": 87.15, "LAS": 83.43, "tag": 92.38, "POS": 93.22, "morph": 94.65, "lemma": 98.26},
    "capitals": {"UAS": 86.68, "LAS": 82.64, "tag": 92.35, "POS": 93.33, "morph": 94.27, "lemma": 96.87},
}
GOALS = {
    ("gold tokens", "UAS"): 91.0,
    ("gold tokens", "LAS"): 88.5,
    ("own tokens", "UAS"): 90.0,
    ("own tokens", "LAS"): 87.0,
}
KEEP = {"token F1 at .43": (0.821, 0.84), "AUC, MSR valid": (0.591, 0.64)}


def paragraphs(bank: Sequence[Sentence]) -> list[list[Sentence]]:
    """Put neighbouring sentences together up to the next paragraph."""
    runs: list[list[Sentence]] = []
    for sentence in bank:
        if sentence.new_paragraph or not runs:
            runs.append([])
        runs[-1].append(sentence)
    return runs


def text_of(document: Document) -> str:
    """The raw text."""
    return "".join(word.form + " " * word.space for sentence in document for word in sentence)


def gold_tokens(document: Document) -> Tokens:
    """The treebank's tokens on one line."""
    words = [word for sentence in document for word in sentence]
    return Tokens.single([word.form for word in words], [word.space for word in words])


def parse_rows(model: Analyser | Core, bank: list[Sentence], names: Sequence[str]) -> dict[str, dict[str, float]]:
    """Scores for each way of giving the sentences to the model."""
    single: list[Document] = [[sentence.words] for sentence in bank]
    running: list[Document] = [[sentence.words for sentence in run] for run in paragraphs(bank)]
    rows = {}
    for name in names:
        gold = running if "paragraphs" in name else single
        if name in ("lower case", "capitals"):
            gold = [[recase(sentence, upper=name == "capitals") for sentence in document] for document in gold]
        own = name.startswith("own")
        texts = [tokenize(text_of(d)) if own else gold_tokens(d) for d in gold]
        rows[name] = score(model.analyse(texts, split="one sentence" not in name), gold)
    return rows


def google_pairs() -> list[Judged]:
    """The cased pairs kept back."""
    return [Judged(pair.forms, pair.spaces, [pair.keep]) for pair in cased_pairs(held_back=True)]


def msr() -> list[Judged]:
    """The sources of MSR's validation part."""
    texts = []
    for source, rewrites in msr_rows(data_folder() / "msr-compression" / "RawData" / "valid.tsv"):
        forms, spaces, _ = tokenize(source)
        low = [form.lower() for form in forms]
        kept = [matched(low, [form.lower() for form in tokenize(rewrite).forms]) for rewrite in rewrites]
        texts.append(Judged(forms, spaces, kept))
    return texts


def tagger_marginals(texts: Sequence[Judged]) -> list[np.ndarray]:
    """What the shipped tagger says about the same tokens."""
    from assay.systems.compress.neural.tagger import Tagger
    from assay.text.parse.parser import parse

    raw = ["".join(f + " " * s for f, s in zip(t.forms, t.spaces, strict=True)) for t in texts]
    return list(Tagger.load("headline").marginals(parse(raw)))


def keep_figures(keep: Any) -> dict[str, float]:
    """Both figures of a function from texts to probabilities."""
    pairs, people = google_pairs(), msr()
    return {
        "token F1 at .43": f1_at_rate(*pool(pairs, keep(pairs))),
        "AUC, MSR valid": auc(*pool(people, keep(people))),
    }


def print_tables(rows: dict[str, dict[str, float]], keep: dict[str, float]) -> None:
    """Print all scores, then each goal with the figures now and before."""
    if rows:
        print("| read as | " + " | ".join(MEASURES) + " |\n" + "|---" * (len(MEASURES) + 1) + "|")
        for name, values in rows.items():
            print(f"| {name} | " + " | ".join(f"{values[measure]:.2f}" for measure in MEASURES) + " |")
    print("\n| | before | goal | now | reached |\n|---|---|---|---|---|")
    for name, before in NOW.items():
        for measure, value in before.items():
            if name in rows:
                goal, now = GOALS.get((name, measure), value), rows[name][measure]
                print(
                    f"| {name}: {measure} | {value:.2f} | {goal:.2f} | {now:.2f} | {'yes' if now >= goal else 'no'} |"
                )
    for name, now in keep.items():
        value, goal = KEEP[name]
        print(f"| {name} | {value:.3f} | {goal:.3f} | {now:.3f} | {_yes_no(now >= goal)} |")


def _yes_no(reached: bool) -> str:
    return "yes" if reached else "no"


def main() -> None:
    options = argparse.ArgumentParser(description="figures of the encoder")
    options.add_argument("folder", type=Path, nargs="?", help="of the checkpoints (default: the package's file)")
    options.add_argument("--stage", default="joint")
    options.add_argument("--tune", action="store_true", help="only the part of EWT train kept back, gold tokens")
    options.add_argument("--exact", action="store_true", help="float32 instead of bfloat16")
    options.add_argument("--rows", nargs="*", help="only these ways of reading")
    options.add_argument("--plain", action="store_true", help="the package's file in NumPy instead of the core")
    options.add_argument("--no-keep", action="store_true", help="only the parser")
    options.add_argument("--tagger", action="store_true", help="only the shipped tagger")
    options.add_argument("--threads", type=int, default=1)
    args = options.parse_args()
    torch.set_num_threads(args.threads)
    if args.tagger:
        print_tables({}, keep_figures(tagger_marginals))
        return
    model: Analyser | Core
    if args.folder is not None:
        model = Checkpoint.load(args.folder, args.stage, exact=args.exact)
    else:
        model = PlainNetwork.load(SHIPPED) if args.plain else Core()
    bank = gold_banks()["ewt"][1] if args.tune else list(sentences(treebank(EWT_DEV)))
    names = args.rows if args.rows is not None else ["gold tokens"] if args.tune else [*NOW]
    rows = parse_rows(model, bank, names)

    def keep(texts: Sequence[Judged]) -> list[np.ndarray]:
        return model.keep([Tokens.single(text.forms, text.spaces) for text in texts])

    print_tables(rows, {} if args.tune or args.no_keep else keep_figures(keep))


if __name__ == "__main__":
    main()
