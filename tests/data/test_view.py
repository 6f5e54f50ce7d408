"""View: the parts of what is shown."""

from __future__ import annotations

import pytest

from assay.data.view import Column, Table, View, text_column


def test_the_headline_is_the_first_sentence():
    assert View(("A is best.", "B is second.")).headline == "A is best."
    assert View().headline == ""


def test_a_table_has_rows_of_equal_length():
    assert Table([text_column("system", ["A", "B"]), Column("mean", ["1", "2"])]).rows() == [("A", "1"), ("B", "2")]
    assert not text_column("system", []).right
    with pytest.raises(ValueError, match="argument 2"):
        Table([Column("a", ["1"]), Column("b", [])]).rows()


def test_the_first_rows_and_the_note_that_says_so():
    table = Table([text_column("system", ["A", "B", "C"]), Column("mean", ["1", "2", "3"], best={2})], title="means")
    cut, notes = table.cut(2)
    assert (cut.rows(), cut.title) == ([("A", "1"), ("B", "2")], "means")
    assert notes == ["The first 2 of 3 rows; --rows N prints more."]
    assert table.cut(3) == table.cut(None) == (table, [])


def test_tables_without_a_row_are_left_out():
    empty, full = Table([Column("a", [])]), Table([Column("a", ["1"])])
    assert View(tables=[empty, full, Table([])]).filled_tables() == [full]
