"""The answer in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay import Scores, compare
from assay.comparison.verdict import Verdict, verdict


@pytest.fixture(scope="module")
def settled() -> Verdict:
    values = np.array([0.0, 1.0])[:, None] + 0.05 * np.random.default_rng(0).normal(size=(2, 30))
    return verdict(compare(Scores(values, ("A", "B"), tuple(map(str, range(30))), "m")))


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.97, "people would very likely agree"), (0.7, "people might agree"), (0.5, "people might well disagree")],
)
def test_how_likely_people_agree(settled, share, text):
    sentences = replace(settled, people="likely", alike=share, judged_pairs=40).view().sentences
    assert sentences[0] == f"B is better than A; {text}."
    assert sentences[-1].startswith("Of 40 judged pairs of systems with at least this difference in m, people order")


def test_the_answer_is_followed_by_the_numbers(settled):
    headline, numbers = settled.view().sentences
    assert headline == "B is better than A; without human judgments it is unknown whether people would agree."
    assert numbers == settled.comparison.view().headline
