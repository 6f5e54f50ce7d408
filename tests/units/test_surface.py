"""Units of the surface: their names, and what the core gets."""

from __future__ import annotations

import pytest

from assay.errors import InputError, UnknownName
from assay.units.surface import Ngram, SkipBigram, Subsequence, parse_unit


@pytest.mark.parametrize(
    ("name", "unit", "spec"),
    [
        ("LR-3", Ngram(3), (3, 0, 0, 0)),
        ("skip-2", SkipBigram(4), (2, 1, 4, 0)),
        ("skip*", SkipBigram(-1), (2, 1, -1, 0)),
        ("su9", SkipBigram(9, unigrams=True), (2, 1, 9, 1)),
    ],
)
def test_names(name, unit, spec):
    assert parse_unit(name) == unit
    assert unit.spec == spec


def test_subsequences_over_sentences_have_a_kernel_of_their_own():
    assert Subsequence().spec == (0, 0, 0, 0)
    assert Subsequence(union=True).spec is None


def test_what_is_no_unit():
    with pytest.raises(UnknownName, match="unknown unit 'words'"):
        parse_unit("words")
    with pytest.raises(InputError, match="n-grams need n between 1 and 1000; got 0"):
        parse_unit("LR-0")
