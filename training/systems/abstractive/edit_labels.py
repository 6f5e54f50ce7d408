"""What the network of `edit` is to learn of each unit: how many people keep it, and what they put in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from edit_pairs import Rewrites, find_steps, is_inflection

from assay.systems.compress.edits._tags import FORMS, find_form, list_tags
from assay.systems.compress.neural._tagger_input import Features, Vocabulary, segments, units
from assay.text.parse.sentence import Parse, Word

IN_DOUBT = 0.5  # a word that is rephrased in a way that the list does not have counts as half kept


class Example(NamedTuple):
    """The features of a source's units, the share of people who kept each, and the shares of tags of those."""

    features: Features
    keep: list[float]
    tags: np.ndarray  # units x tags


def label(row: Rewrites, parsed: Parse, vocabulary: Vocabulary, phrases: Sequence[str]) -> Example:
    """Label the units of a source, each by the word of the source that it begins with."""
    features, words, first = read_units(parsed, vocabulary, row.words)
    numbers = {tag: number for number, tag in enumerate(list_tags(phrases))}
    keep = np.zeros((len(row.texts), len(row.words)))
    tags = np.zeros((len(row.words), len(numbers)), np.float32)
    for n, text in enumerate(row.texts):
        own = ["" for _ in row.words]
        for kind, i, j, k, m in find_steps(row.words, text):
            new = " ".join(text[k:m]).lower()
            if kind == "equal":
                keep[n, i:j] = 1
            elif kind == "insert" and i < len(row.words) and f"insert {new}" in numbers:
                own[i] = f"insert {new}"
            elif kind == "replace":
                keep[n, i] = IN_DOUBT
                form = find_form(words.get(i), new) if is_inflection(row.words[i:j], [new]) else None
                if form or f"replace {new}" in numbers:
                    keep[n, i] = 1
                    own[i] = f"inflect {form}" if form else f"replace {new}"
        for i, tag in enumerate(own):
            if keep[n, i] == 1:
                tags[i, numbers.get(tag, 0)] += 1
    tags /= np.maximum(tags.sum(1, keepdims=True), 1)
    return Example(features, keep.mean(0)[first].tolist(), tags[first])


def read_units(
    parsed: Parse, vocabulary: Vocabulary, source: Sequence[str]
) -> tuple[Features, dict[int, Word], list[int]]:
    """The features of all units, the parser's word for each word of the source, and where each unit begins in it."""
    owner = [i for i, word in enumerate(source) for _ in word]
    rows: list[list[int]] = [[] for _ in range(7)]
    words: dict[int, Word] = {}
    first: list[int] = []
    at = 0
    for segment in segments(parsed):
        shift, of_units, place = len(first), units(segment), 0
        for unit in of_units:
            first.append(owner[at])
            for word in segment[place : place + unit.words]:
                words.setdefault(owner[at], word)
                at += len(word.form)
            place += unit.words
        for row, values in enumerate(vocabulary.features(of_units)):
            rows[row] += [v + shift if row == 6 and v >= 0 else v for v in values]
    if at != len(owner):
        raise ValueError(f"the parser did not read {' '.join(source)!r}")
    return Features(*rows), words, first


__all__ = ["FORMS", "Example", "label", "read_units"]
