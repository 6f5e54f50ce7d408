"""The design behind scores: what was drawn, and how far systems share it."""

import numpy as np
import pytest

from assay import EvalSet
from assay.data.design import Design, find_design
from assay.data.item import Item, Judgment
from assay.data.scores import Scores

NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "pairing", "common"),
    [
        ([[1, 2, 3], [1, 2, 3]], "complete", 3),
        ([[1, 2, NAN], [1, 2, NAN]], "complete", 2),
        ([[1, 2, NAN], [NAN, 2, 3]], "partial", 1),
        ([[1, 2, NAN], [NAN, NAN, 3]], "none", 0),
        ([[1, NAN, NAN], [1, 2, 3], [NAN, NAN, 3]], "partial", 0),
        ([[1, NAN, 3]], "complete", 2),
    ],
)
def test_pairing(values, pairing, common):
    """Items and systems without any score do not count."""
    systems = tuple("ABC")[: len(values)]
    design = find_design(Scores(np.array(values, dtype=float), systems, tuple("123"), "m"))
    assert (design.pairing, design.common) == (pairing, common)


def test_epochs_are_runs_and_not_items():
    """Three questions of two documents in four epochs."""
    items = [
        Item(f"q{q}" if run == 1 else f"q{q}@{run}", outputs={"A": "x"}, cluster="d" if q < 2 else "e", run=str(run))
        for run in range(1, 5)
        for q in range(3)
    ]
    data = EvalSet(items)
    scores = Scores(np.ones((1, 12)), ("A",), data.items, "m", clusters=data.clusters, runs=data.runs)
    assert find_design(scores) == Design(1, 2, 3, 4, 0, "complete", 12)
    assert find_design(scores).describe() == "1 system x 3 items x 4 runs in 2 clusters"
    alone = EvalSet([Item(i.id, outputs=i.outputs, run=i.run) for i in items])
    assert find_design(Scores(scores.values, ("A",), alone.items, "m", clusters=alone.clusters, runs=alone.runs)) == (
        Design(1, 3, 3, 4, 0, "complete", 12)
    )


def test_human_scores_know_their_raters():
    judgments = tuple(Judgment(s, r, "fluency", 3.0) for s in "AB" for r in ("ann", "bob"))
    data = EvalSet([Item(n, outputs={"A": "x", "B": "y"}, judgments=judgments) for n in "123"])
    assert find_design(data.human("fluency")).describe() == (
        "2 systems x 3 items, 2 raters; every system has a score for every item"
    )
