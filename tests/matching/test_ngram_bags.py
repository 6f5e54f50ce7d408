"""Bags of n-grams: the same n-gram has the same number everywhere, and n-grams of stop words are left out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import EvalSet
from assay.errors import InputError
from assay.matching.batch import Batch
from assay.matching.ngram_bags import NgramUnit, against_references, against_sources, bags_of_outputs, per_text, text_of
from assay.text import TextReading

texts = st.lists(st.sampled_from(["the", "of", "cat", "dog"]), max_size=8).map(" ".join)


def grams(text: str, n: int, stop: frozenset[str] = frozenset()) -> Counter[tuple[str, ...]]:
    words = text.split()
    all_grams = (tuple(words[i : i + n]) for i in range(len(words) - n + 1))
    return Counter(g for g in all_grams if not set(g) <= stop or not stop)


@given(texts, texts, st.integers(1, 3), st.sampled_from(["none", "short"]))
def test_bags_hold_the_same_units(output, reference, n, stop):
    unit = NgramUnit(n, TextReading("space"), stop)
    bags = against_references(Batch(EvalSet.from_texts([output], [reference])), unit)
    dropped = frozenset() if stop == "none" else frozenset({"the", "of"})
    ours = [Counter(bag.ids.tolist()) for bag in (bags.outputs, bags.others)]
    plain = [grams(text, n, dropped) for text in (output, reference)]
    assert sorted(ours[0].values()) == sorted(plain[0].values())
    assert (ours[0] & ours[1]).total() == (plain[0] & plain[1]).total()


def test_sources_of_an_item_are_one_text():
    data = EvalSet.from_texts(["a b"], sources=["a b c"])
    bags = against_sources(Batch(data), NgramUnit(1, TextReading("space")))
    assert (len(bags.outputs), len(bags.others), len(bags.others.ids)) == (1, 1, 3)


def test_sums_per_text():
    bags = bags_of_outputs(Batch(EvalSet.from_texts(["a b", "", "a"])), NgramUnit(1, TextReading("space")))
    assert text_of(bags).tolist() == [0, 0, 2]
    assert per_text(np.array([1.0, 2.0, 4.0]), bags).tolist() == [3.0, 0.0, 4.0]


def test_n_is_checked():
    with pytest.raises(InputError, match="n-grams need n between 1 and 1000; got 0"):
        NgramUnit(0, TextReading("space")).check()
