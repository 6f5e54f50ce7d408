"""The metric faithful: labels of deletions as a score, NaN for anything that is no deletion."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.errors import InputError

SOURCE = "The alleged killer left a red car in Rome."


@pytest.mark.parametrize(
    ("output", "score"),
    [
        (SOURCE, 1.0),
        ("The alleged killer left a car.", 1.0),
        ("The killer left a red car in Rome.", 0.0),
        ("The killer left a car in Rome.", 0.5),
    ],
)
def test_scores(output, score):
    assert assay.metric("faithful")(output, sources=SOURCE) == score


@pytest.mark.parametrize("output", ["", "A suspect left a car.", "In Rome the alleged killer left."])
def test_what_is_no_deletion_has_no_score(output):
    assert math.isnan(assay.metric("faithful")(output, sources=SOURCE))


def test_no_source_no_score():
    data = assay.EvalSet.from_texts(["He left."], ["He left."])
    with pytest.warns(assay.AssayWarning, match="do more than delete words"):
        scores = assay.score(data, "faithful")
    assert np.isnan(scores.values).all()


def test_unknown_deletions_count_as_asked():
    source, output = "He saw the red car.", "He saw the car."
    values = [assay.metric(f"faithful(unknown={u})")(output, sources=source) for u in (0, 0.5, 1)]
    assert values == [0.0, 0.5, 1.0]
    with pytest.raises(InputError, match="unknown must be from 0 to 1"):
        assay.metric("faithful(unknown=2)")


@pytest.mark.parametrize("ratio", [0.4, 0.7])
def test_scores_follow_the_labels_of_the_compressor(ratio):
    lines = [
        "The alleged killer of the young journalist was released from prison on Friday morning.",
        "No employee with a key to the safe may leave the bank before noon, unless the manager agrees.",
        "The new train is less expensive than the old one, the mayor said in an interview.",
    ]
    credit = {"entailed": 1.0, "unknown": 0.5, "not entailed": 0.0}
    for made in assay.compress(lines, ratio=ratio):
        expected = sum(credit[deletion.label] for deletion in made.deletions) / len(made.deletions)
        assert assay.metric("faithful")(made.text, sources=made.source) == pytest.approx(expected)
