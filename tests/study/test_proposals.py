"""Units ranked by their similarity to words."""

from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.study import proposals
from assay.study.proposals import has_vectors, rank_units

UNITS = {"1": ["divers searched the wreck"], "2": ["31 people died", "killing 31"], "3": ["a ferry sank", "went down"]}


def test_shared_words_decide_without_vectors():
    assert rank_units("31 were killed", UNITS, use_vectors=False)[0] == "2"
    assert rank_units("the diver searches", UNITS, use_vectors=False)[0] == "1"  # by stems
    assert rank_units("the", UNITS, use_vectors=False) == ["1", "2", "3"]  # nothing shared: the order stays
    assert rank_units("x", {}) == []
    assert rank_units("", {"1": [""]}, use_vectors=False) == ["1"]


def test_vectors_find_other_words_for_the_same():
    if not has_vectors():
        pytest.skip("needs the extra vectors")
    assert rank_units("the vessel foundered", UNITS)[0] == "3"


def test_without_an_encoder_words_are_enough(monkeypatch):
    def missing(text):
        raise AssayError("not installed")

    monkeypatch.setattr(proposals, "_vector", missing)
    assert not has_vectors()
    assert rank_units("a ferry went down", UNITS)[0] == "3"
