"""Pyramid scores equal the best choice of units; scores of texts by hand."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit_tables import sets, tables

from assay.errors import InputError
from assay.formats import ItemUnits
from assay.pyramid.content_units import UnitTable, unit_kappas
from assay.pyramid.score import score_pyramid, score_texts


@settings(deadline=None, max_examples=60)
@given(tables(), st.sampled_from(["truncate", "round", "ceil"]))
def test_pyramid_equals_the_best_choice_of_units(table, size):
    found = score_pyramid(table, ["A", "B", "C"], size=size)
    rounding = {"truncate": math.floor, "round": lambda x: math.floor(x + 0.5), "ceil": math.ceil}[size]
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
            average = max(1, rounding(sum(map(len, models)) / len(models)))

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


def test_scores_of_texts_together():
    marks = {"Ref": (1, 1, 0, 0), "Long": (1, 0, 1, 1)}
    table = UnitTable((ItemUnits("1", tuple("abcd"), marks),))
    ref, long = score_texts(table, gold="Ref", references=["Ref"]).texts
    assert (long.coverage, long.precision, long.recall) == (0.75, pytest.approx(1 / 3), 0.5)
    assert (ref.f, ref.items, math.isnan(ref.original)) == (1.0, 1, True)  # no other reference
    assert score_texts(table).texts[0].f is None


def test_a_pyramid_needs_references():
    table = UnitTable((ItemUnits("1", ("u",), {"A": (True,)}),))
    with pytest.raises(InputError, match="at least one reference"):
        score_pyramid(table, [])
    assert np.isnan(score_pyramid(table, ["A"]).original.values).all()  # no one else to compare with
