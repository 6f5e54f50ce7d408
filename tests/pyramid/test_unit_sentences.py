"""Sentences of units found in outputs, counted by hand; and the public light pyramids of PyrXSum."""

from __future__ import annotations

import pytest

from assay import read
from assay.errors import InputError
from assay.formats import ItemUnits, read_units
from assay.pyramid.content_units import UnitTable
from assay.pyramid.unit_sentences import match_sentences

UNITS = ("The mayor resigned.", "It was Monday.")
OUTPUTS = {"A": "The mayor resigned. It was Monday.", "B": "It was Monday.", "C": "Nothing is known."}


def test_by_hand():
    """A: both found, one marked; B: one found and marked; C: none found, one marked. 2 of 3 found are marked."""
    marks = ItemUnits("1", UNITS, {"A": (True, False), "B": (False, True), "C": (False, True)})
    result = match_sentences([(marks, OUTPUTS)], method="exact")
    assert (result.marked, result.matched, result.precision, result.recall) == (3, 3, 2 / 3, 2 / 3)
    assert {s.system: (s.marked, s.matched) for s in result.systems} == {
        "A": (0.5, 1.0),
        "B": (0.5, 0.5),
        "C": (0.5, 0.0),
    }
    assert "not autoPyramid" in result.view().notes[0]
    assert "finds 67% of the units that people marked" in result.view().headline


def test_texts_that_nobody_looked_at_do_not_count():
    marks = ItemUnits("1", UNITS, {"A": (True, None), "B": (False, True)})
    assert match_sentences([(marks, OUTPUTS)], method="exact").texts == 1
    with pytest.raises(InputError, match="no output has marks"):
        match_sentences([(ItemUnits("1", UNITS, {}), OUTPUTS)])


def test_coverage_and_ranking_of_pyrxsum(shared_file):
    """Coverage equals the share of marks, counted here; abstractive pretrained systems lead (478 units, 10 systems)."""
    path = shared_file("pyrxsum-content-units.jsonl.gz")
    data, units = read(path), read_units(path)
    table = UnitTable(tuple(units))
    means = dict(zip(table.columns, table.coverage().means(), strict=True))
    for system in data.systems:
        shares = [sum(item.extra["present"][system]) / len(item.extra["units"]) for item in data]
        assert means[system] == pytest.approx(sum(shares) / len(shares))
    ranking = sorted(means, key=lambda system: -means[system])
    assert ranking[:3] == ["facebook-bart-large", "google-pegasus", "t5-large"]
    assert ranking[-1] == "TransformerAbs"
    result = match_sentences([(marks, dict(data[marks.item].outputs)) for marks in units], method="lemma")
    assert (result.units, result.texts) == (478, 1000)
    assert {s.system: s.marked for s in result.systems} == pytest.approx(means)
    assert result.precision == 1.0
