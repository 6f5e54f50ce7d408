"""Write the trained pipeline as one file for the parser of the core: weights, rules, labels and tables.

The file is in the format of safetensors; its metadata hold the SHA-256 of everything else, which is checked on loading.
"""

from __future__ import annotations

import argparse
import json
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from patterns import Compiler, characters
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.symbols import (
    IDS,  # type: ignore[import-not-found]
    NAMES,
    NORM,
    ORTH,
)
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc

from assay.text.parse.weights import SUFFIX, seal

HERE = Path(__file__).resolve().parent
PIPELINE = HERE / "en"
FILE = HERE.parents[2] / "models" / "base" / "assay_models" / "parser" / f"en{SUFFIX}"
TABLES = """\
The tokenizer's exceptions and classes of characters, the norms of signs and the numbers of names are spaCy's, under
this licence:"""
MOVES = "SDLRB"  # shift, reduce, left, right, break: the order of enum Move in arc_eager.hpp


def weights(nlp: Any) -> dict[str, np.ndarray]:
    """Return the parameters of every layer, named by what it does."""
    layers = [
        (layer.name, name, layer.get_param(name))
        for _, pipe in nlp.pipeline
        for layer in pipe.model.walk()
        for name in layer.param_names
    ]
    names = [f"embed{i}" for i in range(4)]
    for stage in ("mix", "layer1", "layer2", "layer3", "layer4"):
        names += [f"{stage}.weights", f"{stage}.bias", f"{stage}.gain", f"{stage}.shift"]
    for stage in ("tag", "morph", "lemma"):
        names += [f"{stage}.weights", f"{stage}.bias"]
    names += ["lower.weights", "lower.bias", "lower.pad", "upper.weights", "upper.bias"]
    names += ["narrow.weights", "narrow.bias"]
    if len(names) != len(layers):
        raise SystemExit(f"the pipeline has {len(layers)} parameters, not {len(names)}")
    return {name: np.ascontiguousarray(array, np.float32) for name, (_, _, array) in zip(names, layers, strict=True)}


def seeds(nlp: Any) -> list[int]:
    """Return the seeds of the four tables of embeddings."""
    model = nlp.get_pipe("tok2vec").model
    return [layer.attrs["seed"] for layer in model.walk() if layer.name == "hashembed"]


def patterns(tokenizer: Any) -> dict[str, np.ndarray]:
    """Return the programs of the tokenizer's patterns, and their sets of characters as ranges."""
    compiler = Compiler()
    named = {
        "prefix": tokenizer.prefix_search,
        "suffix": tokenizer.suffix_search,
        "infix": tokenizer.infix_finditer,
        "whole": tokenizer.token_match,
        "url": tokenizer.url_match,
    }
    programs = {f"pattern.{name}": compiler.compile(method.__self__) for name, method in named.items()}
    return {**{name: np.array(p, np.int32) for name, p in programs.items()}, **pack_ranges("set", list(compiler.sets))}


def pack_ranges(name: str, sets: list[Any]) -> dict[str, np.ndarray]:
    """Return several sets of ranges as one row of numbers, and where each begins."""
    starts = np.cumsum([0, *map(len, sets)])
    flat = [end for ranges in sets for pair in ranges for end in pair]
    return {f"{name}.ranges": np.array(flat, np.int32), f"{name}.starts": starts.astype(np.int32)}


def alphabet() -> dict[str, np.ndarray]:
    """Return what Python knows of characters: spaces, letters, capitals, digits, and lower case."""

    def is_cased(c: str) -> bool:
        return (c + "Σ").lower().endswith("ς")

    sets = [
        characters(str.isspace),
        characters(str.isalpha),
        characters(str.isupper),
        characters(str.isdigit),
        characters(is_cased),  # and not ignorable
        characters(lambda c: ("A" + c + "Σ").lower().endswith("ς") and not is_cased(c)),  # ignorable
    ]
    lower = [(code, *map(ord, chr(code).lower()), 0)[:3] for code in range(0x110000) if chr(code).lower() != chr(code)]
    return {**pack_ranges("alphabet", sets), "alphabet.lower": np.array(lower, np.int32)}


def exceptions(tokenizer: Any) -> list[Any]:
    """Return each exception: its text, its words with norms (empty: the usual one), and how it is split without it.

    The last is empty for exceptions that are only looked up whole. Others are found again among split words.
    """
    plain = Tokenizer(
        tokenizer.vocab,
        prefix_search=tokenizer.prefix_search,
        suffix_search=tokenizer.suffix_search,
        infix_finditer=tokenizer.infix_finditer,
        token_match=tokenizer.token_match,
        url_match=tokenizer.url_match,
    )
    rows = []
    for text, words in sorted(tokenizer.rules.items()):
        parts = tokenizer.find_prefix(text) or tokenizer.find_infix(text) or tokenizer.find_suffix(text) or " " in text
        split = [token.text for token in plain(text)] if parts else []
        rows.append([text, [[word[ORTH], word.get(NORM, "")] for word in words], split])
    return rows


def morphs(nlp: Any) -> list[list[str]]:
    """Return the features and the part of speech of each label of the morphologizer."""
    pipe = nlp.get_pipe("morphologizer")
    doc = Doc(nlp.vocab, words=["a"])
    rows = []
    for label in pipe.labels:
        doc[0].set_morph(pipe.cfg["labels_morph"].get(label, 0))
        rows.append([str(doc[0].morph), NAMES[pipe.cfg["labels_pos"].get(label, 0)]])
    return rows


def trees(nlp: Any) -> tuple[list[list[Any]], list[int]]:
    """Return the edit trees, and the tree of each label of the lemmatizer."""
    pipe = nlp.get_pipe("trainable_lemmatizer")
    if pipe.top_k != 3 or pipe.backoff != "orth":
        raise SystemExit("the lemmatizer does not try three trees and then the form")
    rows = []
    for number in range(len(pipe.trees)):
        tree = pipe.trees[number]
        if "orig" in tree:
            rows.append([nlp.vocab.strings[tree["orig"]], nlp.vocab.strings[tree["subst"]]])
        else:
            keys = ("prefix_len", "suffix_len", "prefix_tree", "suffix_tree")
            rows.append([-1 if tree[key] == 2**32 - 1 else tree[key] for key in keys])
    return rows, list(pipe.labels)


def moves(nlp: Any) -> list[list[Any]]:
    """Return the kind and the label of each transition."""
    rows = []
    parser = nlp.get_pipe("parser")
    for number in range(parser.moves.n_moves):
        kind, _, label = parser.moves.get_class_name(number).partition("-")
        rows.append([MOVES.index(kind), label])
    return rows


def licences(pipeline: Path) -> str:
    """Return the licence of the weights, and that of the tables that come with spaCy."""
    own = (pipeline / "LICENSE.txt").read_text("utf-8").replace("The model in this folder", "The parser in this folder")
    [tables] = [file for file in distribution("spacy").files or [] if file.name == "LICENSE"]
    return f"{own.rstrip()}\n\n{TABLES}\n\n{tables.read_text().strip()}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pipeline", type=Path, nargs="?", default=PIPELINE)
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args()
    nlp = spacy.load(args.pipeline)
    tokenizer: Any = nlp.tokenizer
    if len(nlp.vocab.lookups) or not tokenizer.faster_heuristics:
        raise SystemExit("the pipeline has tables of norms, or other rules of tokenizing, that are not converted")
    edit_trees, labels = trees(nlp)
    tables = {
        "symbols": {name: number for name, number in IDS.items() if name},
        "norms": BASE_NORMS,
        "exceptions": exceptions(tokenizer),
        "tags": list(nlp.get_pipe("tagger").labels),
        "morphs": morphs(nlp),
        "trees": edit_trees,
        "lemmas": labels,
        "moves": moves(nlp),
        "seeds": seeds(nlp),
    }
    arrays = {**weights(nlp), **patterns(tokenizer), **alphabet()}
    arrays["tables"] = np.frombuffer(json.dumps(tables, ensure_ascii=False).encode(), np.uint8)
    args.out.write_bytes(seal(arrays))
    (args.out.parent / "LICENSE.txt").write_text(licences(args.pipeline), "utf-8")
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
