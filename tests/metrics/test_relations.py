"""Relations F-score (Clarke and Lapata 2006) and PARSE-2 in the grid of Toutanova et al. (2016)."""

from __future__ import annotations

import pytest

import assay
from assay import EvalSet


def score(output: str, references: list[str], name: str) -> float:
    return assay.score(EvalSet.from_texts([output], [references]), name).values.item()


def test_precision_recall_and_f(by_hand, monkeypatch):
    longer = by_hand.parse("""
        The/the/DET/DT 3 det
        old/old/ADJ/JJ 3 amod
        car/car/NOUN/NN 4 nsubj
        stopped/stop/VERB/VBD 0 root
        again/again/ADV/RB 4 advmod
    """)
    monkeypatch.setattr(by_hand, "LONGER", longer, raising=False)
    assert score("CAR", ["LONGER"], "relations(measure=precision)") == 1.0
    assert score("CAR", ["LONGER"], "relations(measure=recall)") == pytest.approx(2 / 4)
    assert score("CAR", ["LONGER"], "relations") == pytest.approx(2 / 3)
    assert score("CAR", ["JOHN", "LONGER"], "relations") == pytest.approx(2 / 3)  # the best reference
    assert score("EMPTY", ["CAR"], "relations") == 0.0
