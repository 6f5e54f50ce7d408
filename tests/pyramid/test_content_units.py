"""Content units: the kernel equals sets; files of units."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from unit_tables import sets, tables

from assay.errors import FormatError, InputError, UnknownName
from assay.formats import ItemUnits, read_units
from assay.pyramid.content_units import UnitTable, score_against


@settings(deadline=None, max_examples=60)
@given(tables())
def test_precision_recall_and_f_equal_sets(table):
    found = score_against(table, "A")
    for row, name in enumerate(table.columns):
        shared = mine = gold = 0
        for column, item in enumerate(table.items):
            if name not in item.present:
                assert np.isnan(found.f.values[row, column])
                continue
            a, b = sets(table, name, item), sets(table, "A", item)
            p, r = (len(a & b) / len(whole) if whole else 0.0 for whole in (a, b))
            assert found.precision.values[row, column] == pytest.approx(p)
            assert found.recall.values[row, column] == pytest.approx(r)
            assert found.f.values[row, column] == pytest.approx(2 * p * r / (p + r) if p + r else 0.0)
            shared, mine, gold = shared + len(a & b), mine + len(a), gold + len(b)
        assert found.pooled_f[row] == pytest.approx(2 * shared / (mine + gold) if shared else 0.0)


def test_names_and_shapes_are_checked():
    table = UnitTable((ItemUnits("1", ("u",), {"A": (True,)}),))
    with pytest.raises(UnknownName, match="unknown column 'B'"):
        score_against(table, "B")
    with pytest.raises(InputError, match="1 units but 2 marks of 'A'"):
        UnitTable((ItemUnits("1", ("u",), {"A": (True, False)}),))
    with pytest.raises(InputError, match="no content units"):
        UnitTable(())


def test_files(tmp_path):
    table = tmp_path / "units.csv"
    table.write_text("item,factoid,Ref,Long\n1,a,F,\n1,b,x,0\n2,c,?,1\n", "utf-8")
    assert read_units(table) == [
        ItemUnits("1", ("a", "b"), {"Ref": (True, True), "Long": (False, False)}),
        ItemUnits("2", ("c",), {"Ref": (None,), "Long": (True,)}),
    ]
    assert np.isnan(score_against(UnitTable(tuple(read_units(table))), "Ref").f.values[1, 1])
    lines = tmp_path / "units.jsonl"
    lines.write_text(json.dumps({"id": 7, "units": ["a"], "present": {"Ref": [1]}}) + "\n\n", "utf-8")
    assert read_units(lines) == [ItemUnits("7", ("a",), {"Ref": (True,)})]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("u.csv", "a,b\n1,1\n", "no column 'unit'"),
        ("u.csv", "unit\nx\n", "a column for each text"),
        ("u.csv", "unit,A\nx,maybe\n", r"u.csv:2: a mark is 1 or 0 .* got 'maybe' under 'A'"),
        ("u.csv", "unit,A\n", "holds no content units"),
        ("u.tsv", "unit\tA\nx\n", "1 fields where the header has 2"),
        ("u.jsonl", '{"id": 1, "units": ["a"], "present": {"A": [1, 0]}}', "2 marks of 'A' for 1 units"),
        ("u.jsonl", "{}", "no item with units and present"),
    ],
)
def test_bad_files(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=words):
        read_units(path)


def test_the_units_of_the_research_data(shared_file):
    """PyrXSum: all units are the reference's, so that the share held is the human score."""
    table = UnitTable(tuple(read_units(shared_file("pyrxsum-content-units.jsonl.gz"))))
    assert (len(table.items), len(table.columns)) == (100, 10)
    means = dict(zip(table.columns, table.coverage().means().tolist(), strict=True))
    assert means["facebook-bart-large"] == pytest.approx(0.314, abs=0.001)
    assert min(means, key=means.__getitem__) == "TransformerAbs"


@pytest.mark.parametrize("mark", [7, -3, 2, 10**30])
def test_a_mark_is_one_or_zero(mark, tmp_path):
    lines, table = tmp_path / "u.jsonl", tmp_path / "u.csv"
    lines.write_text(json.dumps({"id": "1", "units": ["a", "b"], "present": {"Ref": [1, mark]}}))
    with pytest.raises(FormatError, match=rf"u\.jsonl:1: a mark is 1 or 0 .*got {mark} of 'Ref'"):
        read_units(lines)
    table.write_text(f"unit,Ref\na,{mark}\n")
    with pytest.raises(FormatError, match=r"u\.csv:2: a mark is 1 or 0"):
        read_units(table)
    with pytest.raises(InputError, match=f"item '1': a mark of 'Ref' must be 1, 0 or None; got {mark}"):
        UnitTable((ItemUnits("1", ("a",), {"Ref": (mark,)}),))


def test_marks_that_are_no_numbers():
    for wrong in (0.5, float("nan"), "1", "no"):
        with pytest.raises(InputError, match="must be 1, 0 or None"):
            UnitTable((ItemUnits("1", ("a",), {"Ref": (wrong,)}),))
    assert UnitTable((ItemUnits("1", ("a",) * 3, {"Ref": (1, False, None)}),)).marks("Ref")[0] == 1
