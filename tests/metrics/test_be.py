"""Basic Elements: heads, pairs and triples of the same parse."""

from __future__ import annotations

import pytest

import assay
from assay import EvalSet
from assay.metrics import metric


def score(output: str, references: list[str], name: str) -> float:
    return assay.score(EvalSet.from_texts([output], [references]), name).values.item()


def test_the_three_units(by_hand):
    """CAR and AUTOMOBILE share the head "stop" of two, and no pair."""
    assert score("CAR", ["AUTOMOBILE"], "BE-H") == pytest.approx(1 / 2)
    assert score("CAR", ["AUTOMOBILE"], "BE-HM") == 0.0
    assert score("LIBYANS", ["LIBYANS"], "BE-HMR") == 1.0


def test_only_hmr_looks_at_the_relation(by_hand, monkeypatch):
    relabelled = [w._replace(relation="obj") if w.relation == "nsubj" else w for w in by_hand.CAR.sentences[0]]
    monkeypatch.setattr(by_hand, "OTHER", by_hand.Parse((tuple(relabelled),)), raising=False)
    assert score("OTHER", ["CAR"], "BE-HM") == 1.0
    assert score("OTHER", ["CAR"], "BE-HMR") == pytest.approx(1 / 2)


def test_recall_summed_over_references_like_rouge(by_hand):
    assert score("CAR", ["CAR", "AUTOMOBILE"], "BE-HM") == pytest.approx(2 / 4)
    assert score("CAR", ["CAR", "AUTOMOBILE"], "BE-HM(refs=max, measure=f)") == 1.0


def test_names_and_stems():
    assert metric("BE-HM") == metric("be") == metric("behm") == metric("be(unit=hm)")
    assert metric("BE-HMR").signature().startswith("be(unit=hmr, measure=recall, beta=1, refs=sum")
    assert metric("BE-H").summary() == "Basic Elements: recall of heads of phrases"


def test_with_the_parser():
    assert score("The cat chases mice.", ["A cat chased the mouse."], "BE-H") > 0
    assert score("The dog chased cats.", ["The dogs chased a cat."], "BE-HM") > 0.5
