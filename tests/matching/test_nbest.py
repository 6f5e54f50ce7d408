"""The best-matching pair among several parses."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Reference
from assay.matching import nbest


def score(outputs, references, name: str) -> float:
    return assay.score(EvalSet.from_texts([outputs], [references]), name).values.item()


@pytest.fixture
def two_parses(by_hand, monkeypatch):
    """The second parse of CAR is that of AUTOMOBILE; other texts have one."""

    def parses_of(texts, parser, n):
        own = [[getattr(by_hand, t)] for t in texts.strings]
        return [[*p, by_hand.AUTOMOBILE][:n] if t == "CAR" else p for t, p in zip(texts.strings, own, strict=True)]

    monkeypatch.setattr(nbest, "_parses", parses_of)


@pytest.mark.parametrize("refs", ["single", "max", "mean"])
def test_the_best_matching_pair_of_parses(two_parses, refs):
    assert score("CAR", "AUTOMOBILE", f"depeval(refs={refs})") == pytest.approx(0.2)
    assert score("CAR", "AUTOMOBILE", f"depeval(refs={refs}, nbest=2)") == 1.0
    assert score("CAR", "AUTOMOBILE", f"depeval(refs={refs}, nbest=2, wn=true, weights=subj:2)") == 1.0


def test_nbest_over_references(two_parses):
    refs = ["JOHN", "AUTOMOBILE"]
    assert score("CAR", refs, "depeval(refs=single, nbest=2)") == 0.0
    assert score("CAR", refs, "depeval(refs=max, nbest=2)") == 1.0
    assert score("CAR", refs, "depeval(refs=mean, nbest=2)") == 0.5
    people = EvalSet([Item("1", (Reference("CAR", "me"), Reference("JOHN", "you")), {"me": "CAR", "S": "CAR"})])
    scores = assay.score(people, "depeval(refs=max, nbest=2)")
    assert dict(zip(scores.systems, scores.values[:, 0], strict=True)) == {"me": 0.0, "S": 1.0}


def test_nbest_without_references_is_nan(two_parses):
    data = EvalSet([Item("1", (), {"A": "CAR"}), Item("2", (Reference("CAR"),), {"A": "CAR"})])
    with pytest.warns(assay.errors.UndefinedWarning, match="1 outputs have no score"):
        values = assay.score(data, "depeval(refs=max, nbest=2)").values
    np.testing.assert_array_equal(values, [[np.nan, 1.0]])
