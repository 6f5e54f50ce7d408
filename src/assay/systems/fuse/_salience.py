"""Salience: how likely a word of a cluster is in the text people write for it (training/systems/fuse/salience.py)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ...text.stems import stop_words
from .._parsed_text import ParsedText
from ..compress._constraints import base

Floats = NDArray[np.float64]
_TAGS = ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "ADV", "ADP", "DET", "PRON", "NUM", "PART", "SCONJ", "CCONJ")
_RELATIONS = (
    "root",
    "nsubj",
    "obj",
    "obl",
    "nmod",
    "amod",
    "advmod",
    "compound",
    "ccomp",
    "xcomp",
    "advcl",
    "acl",
    "appos",
    "conj",
    "parataxis",
    "nummod",
    "flat",
    "det",
    "case",
)
FEATURES = (
    "headline",
    "headline of sentence",
    "headline above sentence",
    "place",
    "place squared",
    "first ten",
    "second sentence",
    "log length",
    "length against others",
    "shared",
    "content shared",
    "shared of sentence",
    "depth",
    "in quotation",
    "in brackets",
    "stop word",
    "capital",
    *_TAGS,
    *_RELATIONS,
)


def features(
    texts: Sequence[ParsedText],
    headline: Sequence[Floats],
    shared: Collection[tuple[int, int]],
) -> list[Floats]:
    """Compute a row per token of each sentence, in the order of FEATURES; `shared`: tokens of other sentences too."""
    lengths = [sum(not mark for mark in text.punctuation) for text in texts]
    stop = stop_words()
    rows_by_sentence = []
    for n, text in enumerate(texts):
        size, length = len(text.tokens), max(1, lengths[n])
        rows = np.zeros((size, len(FEATURES)))
        own = _logit(headline[n])
        mean = float(own.mean()) if size else 0.0
        others = [lengths[m] for m in range(len(texts)) if m != n]
        against = length / (length + (sum(others) / len(others) if others else length))
        common = np.array([(n, k) in shared for k in range(size)], dtype=np.float64)
        depths = _depths(text)
        quoted, bracketed = _inside(text)
        place = 0
        for k, (token, word) in enumerate(zip(text.tokens, text.words, strict=True)):
            at = place / length
            place += not text.punctuation[k]
            is_stop = token.text.lower() in stop
            rows[k, :17] = (
                own[k],
                mean,
                own[k] - mean,
                at,
                at * at,
                place <= 10,
                n > 0,
                np.log(length),
                against,
                common[k],
                common[k] * (not is_stop),
                common.mean(),
                depths[k],
                quoted[k],
                bracketed[k],
                is_stop,
                token.text[:1].isupper() and k > 0,
            )
            rows[k, 17:] = [
                *(word.pos == tag for tag in _TAGS),
                *(base(word.relation) == relation for relation in _RELATIONS),
            ]
        rows_by_sentence.append(rows)
    return rows_by_sentence


def _logit(p: Floats) -> Floats:
    clipped = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _depths(text: ParsedText) -> list[int]:
    depths = []
    for k in range(len(text.tokens)):
        steps, at = 0, k
        while text.heads[at] >= 0:
            at, steps = text.heads[at], steps + 1
        depths.append(min(steps, 8))
    return depths


def _inside(text: ParsedText) -> tuple[list[bool], list[bool]]:
    """Tell which tokens are between quotation marks, and which between brackets."""
    quoted, bracketed = [], []
    open_quote = open_bracket = False
    for token in text.tokens:
        form = token.text
        if form in ("``", "“") or (form == '"' and not open_quote):
            open_quote = True
        elif form in ("''", "”", '"'):
            open_quote = False
        open_bracket = (open_bracket or form == "(") and form != ")"
        quoted.append(open_quote)
        bracketed.append(open_bracket)
    return quoted, bracketed


@lru_cache(maxsize=1)
def _model() -> tuple[float, Floats]:
    read = json.loads((files(__package__) / "models" / "salience.json").read_text("utf-8"))
    return read["intercept"], np.array([read["weights"][name] for name in FEATURES])


def log_odds(rows: Sequence[Floats]) -> list[Floats]:
    """Compute log p / (1 - p) of each token."""
    intercept, weights = _model()
    return [intercept + r @ weights for r in rows]
