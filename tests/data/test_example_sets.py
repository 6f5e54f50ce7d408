"""Example sets as records."""

from __future__ import annotations

from assay.data.example_sets import ExampleSet, ExampleSets


def test_a_record_per_set():
    sets = ExampleSets((ExampleSet("lines", "lines", "texts", "assay score lines"),))
    assert sets.records() == [
        {"kind": "example", "name": "lines", "file": "lines", "content": "texts", "command": "assay score lines"}
    ]
