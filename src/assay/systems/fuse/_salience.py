"""Salience: how likely a word, and a word with the next, is in the text people write (training/systems/fuse).

Each probability is the mean of two models: a logistic regression and boosted trees.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...extras import find_model
from ...text.align.word_features import stem_of
from ...text.parse.flat import ParsedText
from ...text.stems import stop_words
from ..compress.truth.constraints import base
from ._trees import Trees
from ._units import Units
from ._word_context import FEATURES as CONTEXT
from ._word_context import NEXT, WordRates, add_next, compute_context
from ._word_sets import word_set

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
_INSIDE = ("advcl", "acl", "appos", "parataxis", "conj", "ccomp", "nsubj", "obj", "obl")
_OF_SENTENCE = (
    "quotation",
    "question",
    "first or second person",
    "third person",
    "begins with pronoun",
    "begins with conjunction",
    "names",
    "numbers",
    "said",
    "subject",
    "dateline",
    "several sentences",
)
_OF_WORD = (
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
    "twice in sentence",
    "in another sentence",
    "pronoun",
    "letters",
    "digit",
    "is root",
    "under root",
    *(f"inside {relation}" for relation in _INSIDE),
    *_OF_SENTENCE,
    *(f"{name} against others" for name in _OF_SENTENCE),
    "headline against others",
    "log length against others",
    "headline before",
    "headline after",
)
FEATURES = (*_OF_WORD, *CONTEXT)
PAIR_FEATURES = (*FEATURES, *(f"{name} of next" for name in _OF_WORD), *NEXT)
_PERSONS = (
    word_set("i my we our me us you your"),
    word_set("he she they his her their him them it its"),
)
PRONOUNS = _PERSONS[0] | _PERSONS[1] | word_set("this that these those")


def compute_features(
    texts: Sequence[ParsedText],
    headline: Sequence[Floats],
    units: Sequence[Units],
    shared: Collection[tuple[int, int]],
) -> list[Floats]:
    """Compute a row per token of each sentence, in the order of FEATURES; `shared`: tokens of other sentences too."""
    rows = _describe_words(texts, headline, shared)
    context = compute_context(texts, units, [_logit(own) for own in headline], load_rates())
    return [np.hstack(parts) for parts in zip(rows, context, strict=True)]


def add_pairs(texts: Sequence[ParsedText], rows: Sequence[Floats]) -> list[Floats]:
    """Add what is known of the next word: a row per token, in the order of PAIR_FEATURES."""
    return [add_next(text, own, len(_OF_WORD)) for text, own in zip(texts, rows, strict=True)]


def _describe_words(
    texts: Sequence[ParsedText],
    headline: Sequence[Floats],
    shared: Collection[tuple[int, int]],
) -> list[Floats]:
    words = _features_of_words(texts, headline, shared)
    sentences = np.array([_describe_sentence(text) for text in texts], dtype=np.float64)
    stems = [Counter(stem_of(token.text.lower()) for token in text.tokens) for text in texts]
    means = np.array([float(rows[:, 0].mean()) if len(rows) else 0.0 for rows in words])
    sizes = np.array([max(1, len(text.tokens)) for text in texts], dtype=np.float64)
    rows_by_sentence = []
    for n, (text, rows) in enumerate(zip(texts, words, strict=True)):
        others = [m for m in range(len(texts)) if m != n] or [n]
        elsewhere = sum((stems[m] for m in others if m != n), Counter[str]())
        own = np.concatenate(
            [
                sentences[n],
                sentences[n] - sentences[others].mean(axis=0),
                [means[n] - means[others].mean(), float(np.log(sizes[n] / sizes[others].mean()))],
            ]
        )
        logit = rows[:, 0]
        around = np.column_stack([np.r_[0.0, logit[:-1]], np.r_[logit[1:], 0.0]]) if len(rows) else np.zeros((0, 2))
        more = np.zeros((len(rows), 7 + len(_INSIDE)))
        for k in range(len(rows)):
            more[k] = [*_describe_token(text, k, stems[n], elsewhere), *_inside_relations(text, k)]
        rows_by_sentence.append(np.hstack([rows, more, np.tile(own, (len(rows), 1)), around]))
    return rows_by_sentence


def _describe_token(text: ParsedText, k: int, own: Counter[str], elsewhere: Counter[str]) -> list[float]:
    form, head = text.tokens[k].text, text.heads[k]
    stem = stem_of(form.lower())
    return [
        own[stem] > 1,
        elsewhere[stem] > 0,
        form.lower() in PRONOUNS,
        len(form),
        any(c.isdigit() for c in form),
        head < 0,
        head >= 0 and text.heads[head] < 0,
    ]


def _inside_relations(text: ParsedText, k: int) -> list[float]:
    """Tell which relations there are on the way from a token to its root."""
    relations = set()
    while text.heads[k] >= 0:
        relations.add(base(text.words[k].relation))
        k = text.heads[k]
    return [relation in relations for relation in _INSIDE]


def _describe_sentence(text: ParsedText) -> list[float]:
    forms = [token.text.lower() for token in text.tokens]
    words = [form for form, mark in zip(forms, text.punctuation, strict=True) if not mark]
    size, first = max(1, len(words)), words[0] if words else ""
    return [
        any(mark in forms for mark in ("`", "``", "''", '"', "“")),
        "?" in forms,
        sum(word in _PERSONS[0] for word in words) / size,
        sum(word in _PERSONS[1] for word in words) / size,
        first in PRONOUNS,
        first in ("but", "and", "so", "or", "yet", "still", "however"),
        sum(word.pos == "PROPN" for word in text.words) / size,
        sum(word.pos == "NUM" for word in text.words) / size,
        any(word in ("said", "says", "told") for word in words),
        any(base(word.relation) == "nsubj" for word in text.words),
        "cnn" in forms,
        len(set(text.sentence)) > 1,
    ]


def _features_of_words(
    texts: Sequence[ParsedText],
    headline: Sequence[Floats],
    shared: Collection[tuple[int, int]],
) -> list[Floats]:
    """Compute the first features of each token."""
    lengths = [sum(not mark for mark in text.punctuation) for text in texts]
    stop = stop_words()
    rows_by_sentence = []
    for n, text in enumerate(texts):
        size, length = len(text.tokens), max(1, lengths[n])
        rows = np.zeros((size, 17 + len(_TAGS) + len(_RELATIONS)))
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


@dataclass(frozen=True)
class Estimate:
    """A probability from features: the mean of a logistic regression and of boosted trees."""

    intercept: float
    weights: Floats
    trees: Trees | None = None

    def probabilities(self, rows: Floats) -> Floats:
        """Compute it for each row."""
        linear = _sigmoid(self.intercept + rows @ self.weights)
        return linear if self.trees is None else (linear + _sigmoid(self.trees.sum_leaves(rows))) / 2


@dataclass(frozen=True)
class Salience:
    """The probabilities that a word is said, and that it is said together with the next word."""

    word: Estimate
    pair: Estimate

    def probabilities(self, texts: Sequence[ParsedText], rows: Sequence[Floats]) -> tuple[list[Floats], list[Floats]]:
        """Compute both for each token of each sentence."""
        return [self.word.probabilities(r) for r in rows], [self.pair.probabilities(r) for r in add_pairs(texts, rows)]


def _sigmoid(odds: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


@lru_cache(maxsize=1)
def load_salience() -> Salience:
    """Load the model that comes with Assay."""
    read = _read_model()
    word, pair = (
        Estimate(
            read[name]["intercept"],
            np.array([read[name]["weights"][feature] for feature in features]),
            Trees.of_record(read[name]["trees"]),
        )
        for name, features in (("said", FEATURES), ("next", PAIR_FEATURES))
    )
    return Salience(word, pair)


def load_rates() -> WordRates:
    """Load how often news keeps a word when it is cut, and how often it has the word at all."""
    rates: WordRates = _read_model()["words"]
    return rates


@lru_cache(maxsize=1)
def _read_model() -> dict[str, Any]:
    model: dict[str, Any] = json.loads(find_model("fuse/salience.json", "fusion", extra="text").read_text("utf-8"))
    return model
