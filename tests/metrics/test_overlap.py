"""Overlap of dependencies (PARSE-2), under every pooling."""

from __future__ import annotations

import pytest

import assay
from assay import EvalSet
from assay.errors import UnknownName
from assay.metrics import metric
from assay.units.surface import parse_unit


def score(output: str, references: list[str], name: str) -> float:
    return assay.score(EvalSet.from_texts([output], [references]), name).values.item()


def test_parse_2_under_every_pooling(by_hand):
    """CAR: det(car, the), nsubj(stopped, car); AUTOMOBILE shares neither."""
    refs = ["CAR", "AUTOMOBILE"]
    for pooling, recall in {"SINGLE-REF": 1.0, "MULT-MAX": 1.0, "MULT-ALL": 0.5, "MULT-PROB": 0.5}.items():
        assert score("CAR", refs, f"PARSE-2+Recall+{pooling}") == recall
    assert score("CAR", ["AUTOMOBILE", "CAR"], "PARSE-2+F-1+SINGLE-REF") == 0.0


def test_parse_2_by_name():
    assert metric("PARSE-2+F-1+MULT-MAX").summary() == "f of dependencies against the best reference"
    assert metric("overlap(unit=PARSE-2)").requests() == ()
    assert "stem=porter" in metric("overlap(unit=PARSE-2, stem=true)").signature()
    with pytest.raises(UnknownName, match="unknown unit"):
        parse_unit("words")


def test_parse_2_with_the_parser():
    """Section 4.1: imagine your household and your household share nmod:poss(household, your)."""
    refs = ["imagine your household", "your household"]
    assert score("your household", refs, "PARSE-2+Recall+MULT-MAX") == 1.0
    assert score("your household", refs, "PARSE-2+Recall+MULT-PROB") == pytest.approx(1 / 1.5)
    assert score("the dogs", ["the dog"], "PARSE-2+F-1+MULT-MAX") == 0.0
    assert score("the dogs", ["the dog"], "PARSE-2+F-1+MULT-MAX(stem=true)") == 1.0
    other = "overlap(unit=PARSE-2:no_such_pipeline)"
    with pytest.raises(assay.AssayError, match="no_such_pipeline"):
        score("your household", refs, other)
