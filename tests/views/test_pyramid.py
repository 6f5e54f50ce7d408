"""What is said of content units."""

from __future__ import annotations

import pytest

from assay.formats import ItemUnits
from assay.pyramid.content_units import UnitTable, unit_kappas
from assay.pyramid.score import score_texts

MARKS = {"Ref": (1, 1, 0, 0), "Long": (1, 0, 1, 1), "Hum": (1, 1, 0, 0)}
TABLE = UnitTable((ItemUnits("1", tuple("abcd"), MARKS),))


def test_scores_against_one_text_and_a_pyramid():
    view = score_texts(TABLE, gold="Ref", references=["Ref", "Hum"]).view()
    assert view.headline == "Hum shares most content with Ref: F 1.000 (4 content units in 1 item)."
    heads = [column.head for column in view.tables[0].columns]
    assert heads == ["text", "coverage", "precision", "recall", "F", "mean F", "pyramid", "modified", "items"]
    assert view.tables[0].rows()[1] == ("Long", "0.750", "0.333", "0.500", "0.400", "0.400", "0.500", "0.500", "1")


def test_coverage_alone():
    view = score_texts(TABLE).view()
    assert view.headline == "Long covers most content: 0.750 of the units (4 content units in 1 item)."
    assert [column.head for column in view.tables[0].columns] == ["text", "coverage", "items"]


def test_kappa_of_every_two():
    view = unit_kappas(TABLE).view()
    assert view.headline == "Ref and Hum agree most on what to keep: kappa 1.000."
    assert view.tables[0].rows() == [("Ref", "-0.500", "1.000"), ("Long", "", "-0.500")]


@pytest.mark.filterwarnings("ignore::assay.errors.UndefinedWarning")
def test_texts_that_never_differ():
    table = UnitTable((ItemUnits("1", ("a",), {"A": (1,), "B": (1,)}),))
    assert unit_kappas(table).view().headline.startswith("Kappa of these texts is undefined")
