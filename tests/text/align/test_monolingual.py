"""Monolingual alignment: the HMM equals its plain twin, sides can be changed, hand-made links are found."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.align.monolingual import KINDS, WEIGHTS, align, align_all


def pairs_of(found):
    return {(k.a, k.b) for k in found.links}


# Only likeness and jumps count, so that the twin stays plain.
BARE = replace(WEIGHTS, beside=0, around=0, function_around=0, position=0, least=0, least_phrase=2, gap=0, exact=1.5)


def posteriors_twin(a, b):
    """P(word i of a goes to place j of b), by summing over every path."""
    w, weight, total = BARE, {}, 0.0
    for path in product([None, *range(len(b))], repeat=len(a)):
        log, last = 0.0, -1
        for i, j in enumerate(path):
            if j is None:
                continue
            d = j - last
            jump = w.stay if d == 0 else -w.forward * math.log(d) if d > 0 else -w.back - w.back_more * math.log(-d)
            log += jump + (w.exact if a[i] == b[j] else w.unlike)
            last = j
        total += math.exp(log)
        for i, j in enumerate(path):
            weight[i, j] = weight.get((i, j), 0.0) + math.exp(log)
    return {key: value / total for key, value in weight.items()}


@pytest.mark.parametrize(("a", "b"), [("qqa qqb zzc", "zzc qqa qqb"), ("qqa qqa", "qqa zzc qqa"), ("qqa", "zzb kkc")])
def test_scores_equal_the_sum_over_every_path(a, b):
    there, back = posteriors_twin(a.split(), b.split()), posteriors_twin(b.split(), a.split())
    found = {(k.a, k.b): k.score for k in align(a, b, weights=BARE).links}
    assert len(found) == len(a.split()) * len(b.split())
    for (i, j), score in found.items():
        assert score == pytest.approx(math.sqrt(there[i, j] * back[j, i]), abs=1e-12)


WORDS = (
    "the",
    "cat",
    "cats",
    "feline",
    "sat",
    ",",
    "two",
    "2",
    "in order to",
    "to",
    "colour",
    "color",
    "quickly",
    "step down",
)

texts = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@settings(deadline=None, max_examples=150)
@given(texts, texts)
def test_sides_can_be_changed(a, b):
    assert align(a, b).reverse().links == align(b, a).links


@settings(deadline=None, max_examples=100)
@given(texts)
def test_equal_texts_align_word_by_word(text):
    found = align(text, text.upper())
    assert pairs_of(found) == {(i, i) for i in range(len(found.a.tokens))}
    assert {k.kind for k in found.links} <= {"exact"}


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("the cats ran", "a cat ran", "stem"),
        ("she bought bread", "she buys bread", "stem"),
        ("a cheap car", "an inexpensive car", "synonym"),
        ("the goverment fell", "the government fell", "spelling"),
        ("over 5,000 trees", "over five thousand trees", "phrase"),
        ("it cost 3 dollars", "it cost three dollars", "spelling"),
        ("the United Nations met", "the UN met", "phrase"),
        ("our web site works", "our website works", "phrase"),
        ("he did it in order to win", "he did it to win", "phrase"),
        ("old Gorbik barks", "old Zaftel barks", "context"),
    ],
)
def test_where_a_link_comes_from(a, b, kind):
    assert kind in {k.kind for k in align(a, b).links}
    assert kind in KINDS


def test_phrases_are_one_to_many_and_keep_their_places():
    found = align("The mayor   stepped down.", "The mayor resigned.")
    [phrase] = [p for p in found.phrases() if "phrase" in p.kinds]
    assert (found.words_a(phrase), found.words_b(phrase)) == ("stepped down", "resigned")
    assert [found.a.text[t.start : t.end] for t in found.a.tokens] == ["The", "mayor", "stepped", "down", "."]


def test_nothing_to_align():
    assert align("", "").links == align("", "a b").links == align(" \n", "x").links == ()
    assert pairs_of(align("Dogs bark loudly", "Seven ; thirteen")) == set()


def test_long_texts():
    a = " ".join(f"word{i % 97} the {i}" for i in range(100))
    b = " ".join(f"word{i % 97} the {i}" for i in range(100) if i % 3)
    found = pairs_of(align(a, b))
    want = {(3 * i + d, 3 * k + d) for k, i in enumerate(i for i in range(100) if i % 3) for d in range(3)}
    assert len(found & want) > 0.98 * len(want)


def test_one_after_another():
    pairs = [("a cat", "the cat"), ("a cat", "a dog"), ("", "x")]
    assert [f.links for f in align_all(pairs)] == [align(a, b).links for a, b in pairs]
