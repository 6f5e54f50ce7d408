"""Features of a word in its place: which word it is, how often news keeps it, where it hangs, and what follows it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...text.parse.flat import ParsedText
from ..compress.truth.constraints import base
from ._units import SAYING, Units
from ._word_sets import word_set

Floats = NDArray[np.float64]
WordRates = Mapping[str, Sequence[float]]  # form -> kept above average, news above other text, rarity
_FORMS = sorted(
    word_set(
        "the a of to in and 's on that is for was said it with he as at from his has an be have by but are after who "
        "this their been were her about she they when one will had not more new we which or n't i than there what its "
        "two according out no up told also into all other you would could if over first people police"
    )
)
_UNDER = ("nsubj", "obj", "obl", "ccomp", "xcomp", "advcl", "conj", "parataxis")
_RATES = ("kept", "news", "rarity")
FEATURES = (
    *_RATES,
    "saying sentence",
    "is saying",
    "who says",
    "what is said",
    *(f"under {relation} of root" for relation in _UNDER),
    "headline of head",
    "headline of unit",
    "size of unit",
    "in core",
    "children",
    "subtree",
    *(f"is {form}" for form in _FORMS),
    *(f"{rate} of sentence" for rate in _RATES),
    *(f"{rate} against others" for rate in _RATES),
)
NEXT = ("no next", "mark between", "head of next", "next is head", "same head")
_RARE = 14.0  # rarity of a word that is not in the list: -log of one in a million or so


def compute_context(
    texts: Sequence[ParsedText], units: Sequence[Units], headline: Sequence[Floats], rates: WordRates
) -> list[Floats]:
    """Compute a row per token of each sentence, in the order of FEATURES; `headline` holds logits of p(keep)."""
    words = [np.array([find_rates(t.text, rates) for t in text.tokens]).reshape(-1, 3) for text in texts]
    means = np.array([_mean(rows, text) for rows, text in zip(words, texts, strict=True)]).reshape(-1, 3)
    rows_by_sentence = []
    for n, text in enumerate(texts):
        others = [m for m in range(len(texts)) if m != n] or [n]
        own = np.concatenate([means[n], means[n] - means[others].mean(axis=0)])
        size = len(text.tokens)
        if not size:
            rows_by_sentence.append(np.zeros((0, len(FEATURES))))
            continue
        places = np.array([_describe_place(text, units[n], headline[n], k) for k in range(size)])
        forms = np.array([[t.text.lower() == form for form in _FORMS] for t in text.tokens])
        rows_by_sentence.append(np.hstack([words[n], places, forms, np.tile(own, (size, 1))]))
    return rows_by_sentence


def find_rates(form: str, rates: WordRates) -> Sequence[float]:
    """Look a word up; digits are all the same."""
    return rates.get(fold_digits(form), (0.0, 0.0, _RARE))


def fold_digits(form: str) -> str:
    """Return a form in lower case with # for every run of digits.

    >>> fold_digits("May-1996")
    'may-#'
    """
    return re.sub(r"[0-9]+", "#", form.lower())


def count_rates(stays: int, total: int, other: int, sizes: tuple[int, int, int]) -> tuple[float, float, float]:
    """Compute the three rates from counts: words of news that stay, of news, of other text; and the sizes of all."""
    share = sizes[0] / sizes[1]
    return (
        math.log((stays + 5 * share) / (total + 5) / share),
        math.log((total + 5) / sizes[1] / ((other + 5 * sizes[2] / sizes[1]) / sizes[2])),
        -math.log((total + 1) / sizes[1]),
    )


def _mean(rows: Floats, text: ParsedText) -> Floats:
    words = ~np.array(text.punctuation, dtype=bool)
    return np.asarray(rows[words].mean(axis=0)) if words.any() else np.zeros(3)


def _describe_place(text: ParsedText, units: Units, headline: Floats, k: int) -> list[float]:
    root, top = k, k
    while text.heads[root] >= 0:
        top, root = root, text.heads[root]
    saying = text.words[root].lemma.lower() in SAYING
    under = base(text.words[top].relation) if top != root else ""
    head = text.heads[k] if text.heads[k] >= 0 else k
    unit = units.unit[k]
    members = units.tokens(unit) if unit >= 0 else [k]
    return [
        saying,
        saying and k == root,
        saying and under == "nsubj",
        saying and under == "ccomp",
        *(under == relation for relation in _UNDER),
        headline[head],
        float(headline[members].mean()),
        len(members),
        unit >= 0 and units.parents[unit] < 0,
        len(text.children[k]),
        len(text.subtree(k)),
    ]


def find_next(text: ParsedText) -> list[int]:
    """Return the next word after each token, beyond punctuation; -1 if there is none."""
    following, last = [-1] * len(text.tokens), -1
    for k in range(len(text.tokens) - 1, -1, -1):
        following[k] = last
        if not text.punctuation[k]:
            last = k
    return following


def add_next(text: ParsedText, rows: Floats, count: int) -> Floats:
    """Add to each row the first `count` features of the next word, and how the two hang together (NEXT)."""
    following = find_next(text)
    after = np.array(following, dtype=np.int64)
    if not len(after):
        return np.zeros((0, rows.shape[1] + count + len(NEXT)))
    own = np.where(after[:, None] >= 0, rows[after, :count], 0.0)
    bonds = [
        [
            k < 0,
            k > i + 1,
            k >= 0 and text.heads[k] == i,
            k >= 0 and text.heads[i] == k,
            k >= 0 and text.heads[i] == text.heads[k],
        ]
        for i, k in enumerate(following)
    ]
    return np.hstack([rows, own, np.array(bonds, dtype=np.float64)])
