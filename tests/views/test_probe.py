"""A probe in words, a table and an example."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.meta.probe import probe

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set


@pytest.fixture(scope="module")
def result():
    return probe(made_set(items=3), "rouge1", ["rouge2", "rate"], items=2, words=20, population=20, generations=5)


def test_the_sentences_quote_the_results(result):
    view = result.view()
    assert view.headline == (
        f"Extracts optimized for rouge1 reach {result.extracts_high:.3f}; the best system has "
        f"{result.systems_high:.3f} (means over 2 items)."
    )
    assert view.sentences[1].startswith("By rate, the same extracts beat ")
    assert [row[0] for row in view.tables[0].rows()] == ["rouge2", "rate"]


def test_the_example_is_the_clearest_item(result):
    case = result.clearest()
    notes = result.view().notes
    assert any(f"Example (item {case.item}" in note and " ".join(case.extract.split()) in note for note in notes)
    assert any(note.startswith(f"Best system by rouge1, {case.best_system}") for note in notes)
    assert notes[-1] == f'Reference: "{case.reference}"'
