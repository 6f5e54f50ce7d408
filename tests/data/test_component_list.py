"""Lists of components as records."""

from __future__ import annotations

from assay.data.component_list import ComponentList, ListedSystem


def test_records_are_the_components():
    system = ListedSystem("lead", "The first words.", "lead()", default=True, patterns=False)
    assert ComponentList("compressor", (system,)).records() == [
        {
            "kind": "listed_system",
            "name": "lead",
            "summary": "The first words.",
            "signature": "lead()",
            "default": True,
            "patterns": False,
            "english_only": False,
        }
    ]
