"""Distilled vectors, seen through ROUGE-WE."""

from __future__ import annotations

import pytest

import assay


def test_distilled_vectors_know_every_word():
    data = assay.EvalSet.from_texts(["the physician xyzzyx"], ["the doctor plugh"])
    soft, hard = (
        assay.score(data, name).values.item() for name in ("rougeWE1(threshold=.6)", "rouge1(measure=recall)")
    )
    assert hard == pytest.approx(1 / 3)
    assert soft == pytest.approx(2 / 3)
