"""The list of example sets."""

from __future__ import annotations

from assay.data.example_sets import ExampleSet, ExampleSets


def test_a_line_per_set_and_a_command_to_copy():
    text = str(ExampleSets((ExampleSet("lines", "lines", "texts", "assay score lines"),)))
    assert "lines  texts" in text
    assert "assay example lines && assay score lines" in text
