"""Pyramid scores of annotated sets: by hand, and the properties that follow from their definitions."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.data.content_units import add_pyramid, read_pyramid
from assay.errors import FallbackWarning

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics


def marked(weights, *, text, others=0):
    """A set of one item whose units have these weights, and a text with the units at these places."""
    most = max(weights)
    names = [f"M{k}" for k in range(most)]
    present = {name: [int(weight > k) for weight in weights] for k, name in enumerate(names)}
    present["sys"] = [int(k in text) for k in range(len(weights))]
    references = tuple(assay.Reference(f"text {name}", name) for name in names)
    extra = {"units": [f"u{k}" for k in range(len(weights))], "present": present}
    return assay.EvalSet([assay.Item("1", references, {"sys": "a text"}, extra=extra)])


def score(data, metric):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        return assay.score(data, metric)


def test_the_original_score_may_fall_when_a_unit_is_added():
    """Weights 4, 3, 2, 1: a text with the first has 4/4; with the last one too 5/(4 + 3)."""
    assert score(marked([4, 3, 2, 1], text={0}), "pyramid").values.item() == 1.0
    assert score(marked([4, 3, 2, 1], text={0, 3}), "pyramid").values.item() == pytest.approx(5 / 7)


def test_scores_by_hand():
    """Ferry: units weigh 4 4 2 4 2 2 2 1; models state 6, 5, 6 and 4 units, 5.25 on average, truncated to 5.

    Peer 1 states units 1 to 4 (weight 14) and one more fact: of five units the best have 4 + 4 + 4 + 2 + 2 = 16.
    Peer 3 states units 4 and 6 (weight 6), one of them twice, and one more fact: of three the best have 12.
    """
    data = read_topics()
    original, modified = (score(data, m) for m in ("pyramid", "pyramid(modified=true)"))
    column = original.items.index("ferry")
    assert original.row("1")[column] == pytest.approx(14 / 16)
    assert modified.row("1")[column] == pytest.approx(14 / 16)
    assert original.row("3")[column] == pytest.approx(6 / 12)
    assert modified.row("3")[column] == pytest.approx(6 / 16)
    assert original.row("4")[column] == modified.row("4")[column] == 0.0


def test_of_two_annotators_the_mean_counts():
    ann, bob = score(read_topics("ann"), "pyramid"), score(read_topics("bob"), "pyramid")
    both = score(read_topics("ann", "bob"), "pyramid")
    np.testing.assert_allclose(both.values, (ann.values + bob.values) / 2)
    assert not np.array_equal(ann.values, bob.values)


def test_models_are_scored_against_the_others():
    """Jackknife: a model's score is that against the pyramid that the other models alone would make."""
    item = read_topics()["fraud"]
    people = replace(item, outputs={**item.outputs, **{r.id: r.text for r in item.references}})
    scores = score(assay.EvalSet([people]), "pyramid(modified=true, size=ceil)")
    pyramid = read_pyramid(item)
    for model in pyramid.models:
        weights = pyramid.weights(models=[other for other in pyramid.models if other != model])
        found = sum(weights.get(unit, 0) for unit in pyramid.units_of(model))
        size = -(-sum(weights.values()) // 3)
        assert scores.row(model)[0] == pytest.approx(found / sum(sorted(weights.values())[::-1][:size]))


def test_what_was_not_annotated_has_no_score():
    item = read_topics()["fraud"]
    pyramid = read_pyramid(item)
    assert pyramid is not None
    data = assay.EvalSet([add_pyramid(item, replace(pyramid, peers=pyramid.peers[1:]))])
    with pytest.warns(assay.errors.UndefinedWarning):
        values = assay.score(data, "pyramid")
    assert np.isnan(values.row("1")).all()
    assert not np.isnan(values.row("2")).any()


def test_an_upper_bound_is_called_one():
    with pytest.warns(FallbackWarning, match="upper bound"):
        assay.score(marked([2, 1], text={0}), "pyramid")


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.data())
def test_properties(weights, data):
    """The original score stays within 0 and 1; a further unit never lowers the modified one."""
    units = data.draw(st.sets(st.sampled_from(range(len(weights)))))
    more = units | {data.draw(st.sampled_from(range(len(weights))))}
    original = score(marked(weights, text=units), "pyramid").values.item()
    assert 0 <= original <= 1
    before, after = (
        score(marked(weights, text=text), "pyramid(modified=true)").values.item() for text in (units, more)
    )
    assert after >= before


def test_pyrxsum_marks_are_read_as_they_are(shared_file):
    """All units of PyrXSum are cut from its one reference: the modified score is the share of units in the text."""
    data = assay.read(shared_file("pyrxsum-content-units.jsonl.gz"), allow_missing=True)
    scores = score(data, "pyramid(modified=true)")
    item = data.entries[0]
    for system, marks in item.extra["present"].items():
        assert scores.row(system)[0] == pytest.approx(sum(marks) / len(marks))
