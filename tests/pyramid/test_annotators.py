"""Several annotators of the same units: alpha and kappa by hand, means of scores, intervals by items."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.formats import ItemUnits, read_units
from assay.pyramid.annotators import annotator_agreement
from assay.pyramid.content_units import UnitTable
from assay.pyramid.score import score_texts
from assay.stats import cohen_kappa, krippendorff_alpha

CSV = """annotator,item,unit,Ref,sys
ann,1,a,1,1
ann,1,b,1,0
ann,2,a,0,1
bob,1,a,1,1
bob,1,b,0,0
bob,2,a,0,0
"""


def read_table(tmp_path, text=CSV, name="units.csv"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return UnitTable(tuple(read_units(path)))


def test_agreement_of_two(tmp_path):
    """Six marks (3 units x 2 texts); the annotators differ on b in Ref and on a of item 2 in sys."""
    result = annotator_agreement(read_table(tmp_path))
    first, second = [1, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 0]
    assert (result.annotators, result.marks, result.items) == (("ann", "bob"), 6, 2)
    assert result.same == pytest.approx(4 / 6)
    assert result.alpha == pytest.approx(krippendorff_alpha(np.transpose([first, second]), measure="nominal").value)
    [pair] = result.pairs
    assert pair.kappa == pytest.approx(cohen_kappa(first, second).value)
    assert math.isnan(result.alpha_low)  # two items


def test_scores_are_means_over_annotators(tmp_path):
    both = read_table(tmp_path)
    scores = {row.text: row for row in score_texts(both, gold="Ref").texts}
    each = [score_texts(UnitTable(tuple(i for i in both.items if i.annotator == name))) for name in ("ann", "bob")]
    for place, text in enumerate(("Ref", "sys")):
        assert scores[text].coverage == pytest.approx(np.mean([one.texts[place].coverage for one in each]))
        assert scores[text].items == 2
    whole = score_texts(both)
    assert (whole.items, whole.units, whole.annotators) == (2, 3, 2)
    assert "mean of 2 annotators" in whole.view().headline


def test_who_leads_is_said_where_annotators_differ():
    ann = ItemUnits("1", ("a", "b"), {"X": (True, True), "Y": (True, False)}, "ann")
    bob = ItemUnits("1", ("a", "b"), {"X": (False, False), "Y": (True, False)}, "bob")
    table = UnitTable((ann, bob))
    view = annotator_agreement(table).view()
    assert "agree poorly" in view.headline
    assert view.sentences[1] == "They do not agree on the text with the highest coverage: X for ann; Y for bob."
    against_x = annotator_agreement(UnitTable((ann, ann._replace(annotator="bob"))), gold="X").view()
    assert len(against_x.sentences) == 1  # X itself does not compete


def test_units_are_matched_by_their_text():
    """Another order, and a unit that only one has: it counts for scores, not for agreement."""
    ann = ItemUnits("1", ("a", "b"), {"X": (True, False)}, "ann")
    bob = ItemUnits("1", ("b", "c", "a"), {"X": (False, True, True)}, "bob")
    result = annotator_agreement(UnitTable((ann, bob)))
    assert (result.marks, result.alpha) == (2, 1.0)


def test_intervals_draw_items():
    """Marks of one item go together: the interval is wider than that of single marks, and holds alpha."""
    rng = np.random.default_rng(0)
    items = []
    for k in range(40):
        wrong = 0.6 if k % 4 == 0 else 0.02  # one item in four is unclear as a whole
        truth = rng.random(12) < 0.5
        for name in ("ann", "bob"):
            marks = truth ^ (rng.random(12) < wrong / 2)
            items.append(ItemUnits(str(k), tuple(f"u{i}" for i in range(12)), {"X": tuple(marks.tolist())}, name))
    result = annotator_agreement(UnitTable(tuple(items)))
    rows = np.array([[m for i in items if i.annotator == name for m in i.present["X"]] for name in ("ann", "bob")])
    single = krippendorff_alpha(rows.T.astype(float), measure="nominal", interval=True)
    assert result.alpha == pytest.approx(single.value)
    assert result.alpha_low < result.alpha < result.alpha_high
    assert result.alpha_high - result.alpha_low > 1.2 * (single.high - single.low)
    assert annotator_agreement(UnitTable(tuple(items)), seed=0) == result


def test_json_lines(tmp_path):
    lines = (
        '{"id": 1, "annotator": "ann", "units": ["a"], "present": {"X": [1]}}\n'
        '{"id": 1, "annotator": "bob", "units": ["a"], "present": {"X": [0]}}\n'
    )
    assert read_table(tmp_path, lines, "units.jsonl").annotators == ("ann", "bob")
    with pytest.raises(FormatError, match="item '1' by annotator 'ann' comes twice"):
        read_table(tmp_path, lines.replace("bob", "ann"), "again.jsonl")
    with pytest.raises(FormatError, match="some items name an annotator and some do not"):
        read_table(tmp_path, lines.replace('"annotator": "bob", ', ""), "some.jsonl")


def test_one_annotator_is_an_error():
    with pytest.raises(InputError, match="at least two annotators"):
        annotator_agreement(UnitTable((ItemUnits("1", ("a",), {"X": (True,)}),)))


def test_without_a_common_mark_nothing_agrees_or_differs():
    ann = ItemUnits("1", ("a",), {"sys": (True,)}, "ann")
    bob = ItemUnits("2", ("b",), {"sys": (True,)}, "bob")
    result = annotator_agreement(UnitTable((ann, bob)))
    assert (result.marks, result.items) == (0, 0)
    assert math.isnan(result.same)
    assert math.isnan(result.alpha)
