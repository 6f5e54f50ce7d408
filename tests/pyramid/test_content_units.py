"""Content units: the kernel equals sets, Pyramid equals the best choice of units, agreement equals Cohen by hand."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import FormatError, InputError, UnknownName
from assay.formats import ItemUnits, read_units
from assay.pyramid.content_units import UnitTable, score_against, unit_kappas
from assay.pyramid.score import score_pyramid

NAMES = ("A", "B", "C", "sys", "other")


@st.composite
def tables(draw):
    items = []
    for k in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 6))
        marks = {name: tuple(draw(st.lists(st.booleans(), min_size=n, max_size=n))) for name in NAMES}
        if draw(st.booleans()):
            del marks["other"]
        items.append(ItemUnits(str(k), tuple(f"u{i}" for i in range(n)), marks))
    return UnitTable(tuple(items))


def sets(table, name, item):
    return {k for k, mark in enumerate(item.present[name]) if mark}


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


@settings(deadline=None, max_examples=60)
@given(tables())
def test_pyramid_equals_the_best_choice_of_units(table):
    found = score_pyramid(table, ["A", "B", "C"])
    for row, name in enumerate(table.columns):
        for column, item in enumerate(table.items):
            original, modified = found.original.values[row, column], found.modified.values[row, column]
            models = [sets(table, m, item) for m in "ABC" if m != name]
            weight = {u: sum(u in m for m in models) for u in range(len(item.units))}
            if name not in item.present or not any(weight.values()):
                assert np.isnan(original)
                continue
            mine = sets(table, name, item)
            got = sum(weight[u] for u in mine)
            average = max(1, math.floor(sum(map(len, models)) / len(models) + 0.5))

            def most(size, weight=weight):
                return max((sum(weight[u] for u in c) for c in combinations(weight, min(size, len(weight)))), default=0)

            assert original == pytest.approx(got / most(len(mine)) if mine else 0.0)
            assert modified == pytest.approx(got / most(average))


def test_by_hand():
    """Three models hold 3, 2 and 2 of four units of weight 3, 2, 1, 1; the text holds those of weight 2 and 1."""
    marks = {"A": (1, 1, 1, 0), "B": (1, 1, 0, 0), "C": (1, 0, 0, 1), "sys": (0, 1, 1, 0)}
    table = UnitTable((ItemUnits("1", tuple("wxyz"), marks),))
    found = score_pyramid(table, ["A", "B", "C"])
    assert found.original.row("sys")[0] == pytest.approx(3 / 5)
    assert found.original.row("A")[0] == pytest.approx(3 / 4)  # against B and C: weights 2 1 0 1, holds 2 + 1 + 0
    assert found.modified.row("A")[0] == pytest.approx(3 / 3)
    assert table.coverage().row("sys")[0] == 0.5
    [pair] = unit_kappas(table, ["A", "B"]).pairs
    assert pair.kappa == pytest.approx((3 / 4 - 1 / 2) / (1 / 2))  # .75 equal, .5 expected


def test_names_and_shapes_are_checked():
    table = UnitTable((ItemUnits("1", ("u",), {"A": (True,)}),))
    with pytest.raises(UnknownName, match="unknown column 'B'"):
        score_against(table, "B")
    with pytest.raises(InputError, match="at least one reference"):
        score_pyramid(table, [])
    with pytest.raises(InputError, match="1 units but 2 marks of 'A'"):
        UnitTable((ItemUnits("1", ("u",), {"A": (True, False)}),))
    with pytest.raises(InputError, match="no content units"):
        UnitTable(())
    assert np.isnan(score_pyramid(table, ["A"]).original.values).all()  # nobody else to compare with


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
