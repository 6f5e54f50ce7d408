"""Content units through the kernel equal counting them one by one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import assay
from assay.data.content_units import read_pyramid
from assay.matching.batch import Batch
from assay.matching.content_bags import count_units, read_content

sys.path.insert(0, str(Path(__file__).parent.parent / "pyramid"))
from topics import read_topics


def test_counts_equal_those_made_one_by_one():
    data = read_topics("ann", "bob")
    outputs = count_units(Batch(data))
    keys = Batch(data).keys
    expected = []
    for item in data:
        pyramid = read_pyramid(item)
        weights = pyramid.weights()
        for name in item.outputs:
            for peer in pyramid.peers:
                if peer.peer == name:
                    weight = sum(weights[unit] for unit in peer.unit_ids)
                    expected.append(((item.id, name), weight, len(peer.unit_ids) + peer.other_units))
    assert [(keys[o.output], o.counts.weight, o.counts.units) for o in outputs] == expected
    first = outputs[0]
    assert first.counts.weights == (4, 4, 4, 2, 2, 2, 2, 1)
    assert first.counts.average == 5.25
    assert first.exhaustive


def test_plain_marks_and_items_without_units():
    item = read_topics()["ferry"]
    assert read_content(replace(item, extra={})) is None
    marks = {"units": ["a", "b"], "present": {"1": [1, None], "2": [0, 1]}}
    content = read_content(replace(item, references=item.references[:1], extra=marks))
    assert content.references == ((0, 1),)
    assert set(content.outputs) == {"2"}  # no one looked for the second unit in the first text
    with pytest.raises(assay.errors.InputError, match="must be a list of 2"):
        read_content(replace(item, extra={"units": ["a", "b"], "present": {"1": [1]}}))
