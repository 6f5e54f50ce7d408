"""Simple string accuracy: its names."""

from __future__ import annotations

import numpy as np
import pytest

import assay


def test_other_names():
    assert assay.metric("word accuracy") == assay.metric("Word-Accuracy") == assay.metric("ssa")
    assert assay.metric("wer(lower=true)").higher_is_better is False


def test_one_minus_the_word_error_rate():
    data = assay.EvalSet.from_texts(["the cat sat in hat", "", "a b c"], ["the cat sat in the hat", "", "x"])
    np.testing.assert_allclose(assay.score(data, "ssa").values, 1 - assay.score(data, "wer").values)
    assert assay.score(data, "ssa").values.tolist() == [[pytest.approx(5 / 6), 1.0, -2.0]]
