"""Leaks in words and tables."""

from __future__ import annotations

from dataclasses import replace

from assay.meta import LeakEffect, find_leaks

ROWS = [("1", "A", "a b c", ["a b c"]), ("2", "A", "d e f", ["d e f"]), ("1", "B", "x y", ["a b c"])]


def effect(without: float) -> LeakEffect:
    return LeakEffect("rouge1", "rouge1(own=keep)", "pyramid", "item", "pearson", 0.7, 0.6, without, 3)


def test_who_leaks():
    view = find_leaks(ROWS).view()
    assert view.headline == "2 outputs of A (67% of all outputs) are among their own references."
    assert view.tables[0].rows() == [("A", "2", "2")]


def test_what_it_does():
    leaks = find_leaks(ROWS)
    view = replace(leaks, effects=(effect(0.5),)).view()
    assert view.sentences[1] == (
        "If they are scored against themselves too, rouge1 correlates with pyramid at r = 0.700 (item level); if only "
        "against the other references, at r = 0.600; without these systems, at r = 0.500."
    )
    assert view.tables[0].rows() == [("rouge1", "0.700", "0.600", "0.500")]
    few = replace(leaks, effects=(effect(float("nan")),)).view()
    assert few.sentences[1].endswith("at r = 0.600.")
    assert few.tables[0].rows()[0][-1] == "–"


def test_none_and_chance():
    assert find_leaks(ROWS[2:]).view().headline == "No output is among its own references (1 output checked)."
    chance = find_leaks([("1", "A", "Yes.", ["yes."]), ("2", "A", "b c", ["d"]), ("3", "A", "e f", ["g"])]).view()
    assert chance.headline.startswith("1 output of 3 (33%) equals a reference, but no system does so on half")
    assert not chance.tables
