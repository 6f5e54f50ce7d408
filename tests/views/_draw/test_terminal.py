"""Tables fit the width and line up."""

from __future__ import annotations

import sys

import pytest

from assay.data.view import Column
from assay.views._draw.terminal import display_width as display_width
from assay.views._draw.terminal import draw_table as table


def test_wide_tables_go_on_below_with_the_first_column_again():
    columns = [Column("system", ["A"], right=False), *(Column(f"metric-number-{i}", ["0.5"]) for i in range(12))]
    lines = table(columns).splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.startswith("system") for line in lines) == 3


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("first", ["A", "a long name of a system", "x" * 130, "東" * 70], ids=len)
@pytest.mark.parametrize("wide", ["0.5", "0.1234 to 0.5678 and more of that kind", "z" * 90], ids=len)
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(width, first, wide):
    columns = [Column("system", [first, "B"], right=False), *(Column(f"m{i}", [wide, "1"]) for i in range(9))]
    drawn = table(columns, width=width)
    assert max(map(display_width, drawn.splitlines())) <= width
    for text in (first, wide):
        letter = max(text, key=text.count)
        assert drawn.replace("system", "").count(letter) >= text.count(letter)


def test_notes_are_folded():
    text = table([Column("x", ["1"])], notes=["note " * 40])
    assert max(map(len, text.splitlines())) <= 100


def test_wide_characters_line_up():
    lines = table([Column("東京", ["a"], right=False), Column("n", ["10"])]).splitlines()
    assert [display_width(line) for line in lines] == [8, 8, 8]


def test_each_cell_is_measured_a_fixed_number_of_times(monkeypatch):
    """A width per cell of a column's every cell made long tables quadratic."""
    calls = []
    monkeypatch.setattr(
        sys.modules["assay.views._draw.terminal"], "display_width", lambda text: calls.append(text) or len(text)
    )
    columns = [Column(f"c{i}", [str(k) for k in range(2000)]) for i in range(3)]
    assert len(table(columns).splitlines()) == 2002
    assert len(calls) <= 5 * 3 * 2001
