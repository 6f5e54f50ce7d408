"""What `spacy train` needs beyond spaCy itself: a tokenizer that follows UD English, and a reader of gold tokens."""
# ruff: noqa: SIM905  (word lists read better as text)

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spacy.lang.char_classes import ALPHA
from spacy.language import Language
from spacy.symbols import ORTH  # type: ignore[import-not-found]
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, registry
from thinc.api import NumpyOps, set_current_ops

set_current_ops(NumpyOps(use_blis=False))  # numpy's own BLAS: twice as fast here as thinc's BLIS, same results

# UD English keeps a prefix on its word (non-profit, e-mail) and splits other hyphens (well - known).
PREFIXES = (
    "anti|auto|bi|bio|co|counter|cross|de|e|eco|ex|extra|hyper|inter|intra|macro|mega|meta|micro|mid|mini|mis|mono|multi|"
    "nano|neo|non|pan|para|poly|post|pre|pro|proto|pseudo|psycho|quasi|re|semi|sub|super|trans|tri|ultra|un|uni"
)
WHOLE = (
    rf"(?i:{PREFIXES})-[{ALPHA}]+"  # non-profit
    r"|\+?\d+(?:[-.]\d+){2,}|\d{3}-\d{4}"  # telephone numbers, dates
    r"|(?:[A-Z]\.)+[A-Z]?"  # U.S.
)
ABBREVIATIONS = (
    "al. approx. Apr. Aug. Ave. Blvd. ca. Capt. Cmdr. Col. Dec. Dept. div. Feb. fig. Fig. Ft. ft. Fri. Hon. "
    "Jan. Jul. Jun. Lt. Mar. Mon. Mt. Nov. Oct. pp. Prof. Rd. Rep. Rev. Sat. Sen. Sep. Sept. Sgt. Sq. Sun. Thu. "
    "Thur. Thurs. Tue. Tues. vol. Vol. Wed."
).split()
CONTRACTIONS = {"wanna": "wan na", "Wanna": "Wan na"}
# Words that spaCy takes for contractions without apostrophe, and signs that it takes for one word.
NOT_SPECIAL = frozenset("Id id Well well Ill ill Hell hell Shell shell Wed wed Were were and/or ):".split())
RUNS = [r"[!?]{2,}", r"(?<!\.)\.\?", *(rf"{re.escape(sign)}{{2,}}" for sign in "*=_~-<>^#")]


def shout(case: list[dict[int, str]]) -> list[dict[int, str]]:
    """The same special case in capitals: spaCy splits "don't" but not "DON'T"."""
    return [{**token, ORTH: token[ORTH].upper()} for token in case]


def ud_tokenizer(nlp: Language) -> Language:
    """Change the tokenizer of `nlp` so that it splits as UD English does; the rules are saved with the model."""
    defaults = nlp.Defaults
    tokenizer: Any = nlp.tokenizer
    prefixes, suffixes = defaults.prefixes or [], defaults.suffixes or []
    infixes = [
        *(defaults.infixes or []),
        rf"(?<=[{ALPHA}])-(?=[0-9])",
        rf"(?<=[{ALPHA}])[!?]+(?=[{ALPHA}])",
        r"(?<=[0-9])–(?=[0-9])",
    ]
    tokenizer.prefix_search = compile_prefix_regex([*RUNS, *prefixes]).search
    tokenizer.suffix_search = compile_suffix_regex([*RUNS, r"(?<=[0-9])(?:[AaPp][Mm]|k)", *suffixes]).search
    tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    tokenizer.token_match = re.compile(rf"^(?:{WHOLE})$").match
    rules = {text: case for text, case in tokenizer.rules.items() if text not in NOT_SPECIAL}
    rules.update({text: [{ORTH: text}] for text in ABBREVIATIONS})
    rules.update({text: [{ORTH: part} for part in parts.split()] for text, parts in CONTRACTIONS.items()})
    rules.update({text.upper(): shout(case) for text, case in rules.items() if "'" in text or "’" in text})
    tokenizer.rules = rules
    return nlp


@registry.callbacks("assay.ud_tokenizer.v1")  # type: ignore[misc]
def create_ud_tokenizer() -> Callable[[Language], Language]:
    """The callback that the training configuration names."""
    return ud_tokenizer


@registry.readers("assay.treebank.v1")  # type: ignore[misc]
def create_reader(path: Path, own_tokens: float = 0.0, seed: int = 0) -> Callable[[Language], Iterator[Example]]:
    """Read a DocBin; the share `own_tokens` is tokenized by the pipeline, the rest keeps the treebank's tokens."""

    def read(nlp: Language) -> Iterator[Example]:
        rng = random.Random(seed)
        for gold in DocBin().from_disk(path).get_docs(nlp.vocab):
            if rng.random() < own_tokens:
                doc = nlp.make_doc(gold.text)
            else:
                doc = Doc(nlp.vocab, words=[t.text for t in gold], spaces=[bool(t.whitespace_) for t in gold])
            yield Example(doc, gold)

    return read


def restore_tree_labels(nlp: Language) -> Language:
    """Let a loaded lemmatizer learn on: spaCy 3.8 forgets the labels of its edit trees, and would unlearn them."""
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    lemmatizer.tree2label = {tree: label for label, tree in enumerate(lemmatizer.labels)}
    return nlp


@registry.callbacks("assay.restore_tree_labels.v1")  # type: ignore[misc]
def create_restore_tree_labels() -> Callable[[Language], Language]:
    """The callback that the configuration of the second run names."""
    return restore_tree_labels
