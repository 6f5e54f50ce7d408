"""Copy a trained pipeline into the package, without what is only needed for training."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

import functions  # noqa: F401  (registers what the training configuration names)
import spacy
import srsly  # type: ignore[import-untyped]
from evaluate import evaluate
from spacy.language import Language
from treebanks import EWT_DEV, sentences, treebank

MODEL = Path(__file__).resolve().parent / "en"
BATCH = 128  # documents; the arrays of a larger batch fall out of the processor's cache

META: dict[str, Any] = {
    "name": "assay_ud",
    "version": "1.0.0",
    "spacy_version": ">=3.8.0,<3.9.0",
    "description": "English: UD tokens, tags, features, lemmas, sentences and dependencies, for Assay.",
    "author": "Assay",
    "license": "CC BY-SA 4.0",
    "sources": [
        {
            "name": "Universal Dependencies English Web Treebank (UD_English-EWT), train part",
            "url": "https://github.com/UniversalDependencies/UD_English-EWT",
            "author": "Natalia Silveira, Timothy Dozat, Christopher Manning, Sebastian Schuster and others",
            "license": "CC BY-SA 4.0",
        },
        {
            "name": "Universal Dependencies English GUM (UD_English-GUM), training documents with open text",
            "url": "https://github.com/UniversalDependencies/UD_English-GUM",
            "author": "Amir Zeldes and others",
            "license": "annotations CC BY 4.0; texts CC BY or public domain",
        },
        {
            "name": "AMALGUM, automatic trees",
            "url": "https://github.com/gucorpling/amalgum",
            "author": "Luke Gessler, Siyao Peng, Yang Liu, Yilun Zhu, Shabnam Behzad, Amir Zeldes",
            "license": "annotations CC BY 4.0; texts CC BY or CC BY-SA",
        },
    ],
}

LICENSE = """\
The model in this folder is licensed under the Creative Commons Attribution-ShareAlike 4.0 International License
(CC BY-SA 4.0): https://creativecommons.org/licenses/by-sa/4.0/legalcode

You may share and adapt it, also commercially, if you give credit, say what you changed, and pass it on under the same
licence. It holds no text of the treebanks it was trained on, only weights and string fragments derived from them.

It was trained on:
"""


def needed_strings(nlp: Language) -> set[str]:
    """The strings that saved components refer to by hash: labels, features, and the pieces in the edit trees."""
    keep = {"ROOT", "dep"}
    component: Any
    for name, component in nlp.pipeline:
        if name != "trainable_lemmatizer":
            for label in getattr(component, "labels", ()):
                keep |= {label, *label.split("|"), *label.split("||")}
        else:
            for tree in srsly.msgpack_loads(component.trees.to_bytes())["trees"]:
                keep |= {nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree}
    return keep


def strip(nlp: Language) -> None:
    """Forget the training set-up, which names files and functions that users do not have."""
    config = nlp.config
    for section in ("paths", "corpora", "training", "pretraining", "initialize", "system"):
        config.pop(section, None)
    config["nlp"]["batch_size"] = BATCH
    nlp.config = config


def credits() -> str:
    """The licence text with one paragraph for each treebank."""
    lines = [f"- {s['name']}\n  {s['author']}\n  {s['url']}\n  {s['license']}\n" for s in META["sources"]]
    return LICENSE + "\n" + "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path, help="a folder written by `spacy train`, such as out/model-best")
    parser.add_argument("folder", type=Path, nargs="?", default=MODEL)
    args = parser.parse_args()
    nlp = spacy.load(args.trained)
    keep = needed_strings(nlp)
    figures = evaluate(nlp, list(sentences(treebank(EWT_DEV))))
    strip(nlp)
    shown = {name: figures[name] for name in ("gold tokens", "own tokens, paragraphs")}
    nlp.meta.update({**META, "performance": shown})
    shutil.rmtree(args.folder, ignore_errors=True)
    nlp.to_disk(args.folder)
    strings = args.folder / "vocab" / "strings.json"
    srsly.write_json(strings, sorted(keep & set(srsly.read_json(strings))))
    (args.folder / "LICENSE.txt").write_text(credits(), encoding="utf-8")
    size = sum(path.stat().st_size for path in args.folder.rglob("*") if path.is_file())
    print(f"{args.folder}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
