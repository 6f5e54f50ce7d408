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
    assert (
        view.headline
        == "Hum has the highest F against Ref: 1.000 (4 content units in 1 item). Differences of F are not tested."
    )
    heads = [column.head for column in view.tables[0].columns]
    assert heads == ["text", "coverage", "precision", "recall", "F", "mean F", "pyramid", "modified", "items"]
    assert view.tables[0].rows()[1] == ("Long", "0.750", "0.333", "0.500", "0.400", "0.400", "0.500", "0.500", "1")


def test_coverage_alone():
    view = score_texts(TABLE).view()
    assert view.headline == (
        "Long has the highest coverage: 0.750 of the units (4 content units in 1 item). "
        "Too few items (1) to say that others cover less: 6 are needed."
    )
    assert [column.head for column in view.tables[0].columns] == ["text", "coverage", "items"]


@pytest.mark.parametrize(
    ("second", "said"),
    [((1, 1, 1, 0), "It is not significantly above B."), ((0, 0, 0, 0), "A covers most content, significantly more")],
)
def test_coverage_is_tested_before_it_is_best(second, said):
    marks = {"A": (1, 1, 1, 1), "B": second, "C": (0, 0, 0, 0)}
    once = {**marks, "A": (1, 1, 1, 0), "B": (1, 1, 1, 1) if second[0] else second}
    items = [ItemUnits(str(k), tuple("abcd"), marks if k % 2 or k == 4 else once) for k in range(12)]
    assert said in score_texts(UnitTable(tuple(items))).view().headline


def test_kappa_of_every_two():
    view = unit_kappas(TABLE).view()
    assert view.headline == "Ref and Hum agree most on what to keep: kappa 1.000."
    assert view.tables[0].rows() == [("Ref", "-0.500", "1.000"), ("Long", "", "-0.500")]


@pytest.mark.filterwarnings("ignore::assay.errors.UndefinedWarning")
def test_texts_that_never_differ():
    table = UnitTable((ItemUnits("1", ("a",), {"A": (1,), "B": (1,)}),))
    assert unit_kappas(table).view().headline.startswith("Kappa of these texts is undefined")
