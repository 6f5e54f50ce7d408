"""What all protocols share: how a known answer is checked."""

from __future__ import annotations

import pytest

from assay import Item, Judgment
from assay.study.protocols import PROTOCOLS
from assay.study.settings import RatingScale
from assay.study.task import Task


@pytest.mark.parametrize(("score", "met"), [(4.0, 1), (3.5, 1), (4.5, 1), (3.4, 0), (4.6, 0), (1.0, 0)])
def test_half_a_point_from_the_known_answer_meets_it(monkeypatch, score, met):
    protocol = PROTOCOLS.build("rate")
    rows = [{"system": "A", "dimension": "meaning", "score": score}, {"system": "A", "dimension": "x", "score": 9.0}]
    monkeypatch.setattr(type(protocol), "rows", lambda *_: iter(rows))
    item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "known", "meaning", 4.0),))
    scales = (RatingScale(name="meaning"),)
    assert protocol.meets({}, item, Task("1", ("A",)), scales) == (met, 1)
