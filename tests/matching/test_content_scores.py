"""Pyramid scores of counts, worked out on paper, and equal wherever they are computed."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.data.content_units import read_pyramid
from assay.formats import ItemUnits
from assay.matching.content_scores import PyramidCounts, modified_score, original_score, weigh_units
from assay.pyramid.annotated import score_topic
from assay.pyramid.content_units import UnitTable
from assay.pyramid.score import score_pyramid

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics


def test_by_hand():
    """Weights 4, 3, 2, 1 from models with 2.5 units on average; a text that states the units 4 and 1."""
    counts = PyramidCounts(5, 2, (4, 3, 2, 1), 2.5)
    assert original_score(counts) == 5 / 7
    assert original_score(counts._replace(units=3)) == 5 / 9  # one of them outside the pyramid
    assert [modified_score(counts, size) for size in ("truncate", "round", "ceil")] == [5 / 7, 5 / 9, 5 / 9]


def test_undefined_and_nothing():
    assert original_score(PyramidCounts(0, 0, (2, 1), 1.5)) == 0.0
    assert modified_score(PyramidCounts(0, 0, (2, 1), 0.5)) == 0.0  # at least one unit is expected
    assert math.isnan(original_score(PyramidCounts(0, 2, (), 0.0)))
    assert math.isnan(modified_score(PyramidCounts(0, 2, (), 0.0)))


@given(st.lists(st.sets(st.integers(0, 5)), max_size=4))
def test_weights_are_the_models_that_state_a_unit(models):
    units = sorted({unit for own in models for unit in own})
    expected = sorted((sum(unit in own for own in models) for unit in units), reverse=True)
    assert list(weigh_units([tuple(own) for own in models])) == expected


@pytest.mark.parametrize("size", ["truncate", "round", "ceil"])
def test_three_ways_to_the_same_number(size):
    """The metric through the kernel, the annotated set and a plain table of marks give one score."""
    data = read_topics()
    metric = {
        modified: assay.score(data, f"pyramid(modified={str(modified).lower()}, size={size})")
        for modified in (True, False)
    }
    for item in data:
        pyramid = read_pyramid(item)
        present = {name: [unit.id in pyramid.units_of(name) for unit in pyramid.units] for name in pyramid.models}
        present |= {peer.peer: [unit.id in peer.unit_ids for unit in pyramid.units] for peer in pyramid.peers}
        table = score_pyramid(
            UnitTable((ItemUnits(item.id, tuple(u.id for u in pyramid.units), present),)), list("ABCD"), size=size
        )
        for text in score_topic(pyramid, size=size):
            assert table.modified.row(text.text)[0] == pytest.approx(text.modified)
            if text.text in item.outputs:
                column = metric[True].items.index(item.id)
                assert metric[True].row(text.text)[column] == pytest.approx(text.modified)
                assert metric[False].row(text.text)[column] == pytest.approx(text.original)
