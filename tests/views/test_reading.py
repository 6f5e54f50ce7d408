"""How a file was read, as it is printed."""

from __future__ import annotations

from assay.data.reading import Answerable, ReadColumn, Reading
from assay.views.reading import describe_reading, view_reading

COLUMNS = (
    ReadColumn("a.csv", "cost", "metadata", "a cost"),
    ReadColumn("a.csv", "fluency_ann", "judgment", "a rating by ann", ("3", "4"), "fluency", rater="ann"),
)


def test_counts_are_one_sentence():
    reading = Reading(("a.csv",), "csv", 2, ("A",), 3, ("fluency",), {"human": 2, "unknown": 1}, clusters=1)
    assert describe_reading(reading) == (
        "a.csv (csv): 2 items; 1 system; up to 3 references per item; 1 cluster; ratings of fluency; "
        "raters: 2 people, 1 of unknown kind."
    )


def test_what_is_not_used_stands_last_and_files_are_named_where_there_are_two():
    [columns, questions] = view_reading(
        Reading(("a.csv", "b.csv"), "csv", columns=COLUMNS, questions=(Answerable("Which?", "assay compare a.csv"),))
    ).tables
    assert [column.head for column in columns.columns] == ["file", "column", "role", "evidence", "first values"]
    assert columns.rows() == [
        ("a.csv", "fluency_ann", "judgment (fluency, ann)", "a rating by ann", "3 · 4"),
        ("a.csv", "cost", "not used", "a cost", ""),
    ]
    assert questions.rows() == [("Which?", "assay compare a.csv")]
