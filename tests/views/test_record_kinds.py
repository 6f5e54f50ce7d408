"""The list of kinds of records."""

from __future__ import annotations

from assay.data.record_kinds import RecordKind, RecordKinds


def test_a_line_per_kind():
    kinds = RecordKind("pair", ("compare", "report"), "Two systems " * 20), RecordKind("rater_rank", (), "A rater.")
    text = str(RecordKinds(1, kinds))
    assert text.startswith("2 kinds of records, version 1 of the schema.")
    assert "pair        compare, report   Two systems" in text
    assert "rater_rank  (only in Python)  A rater." in text
    assert max(map(len, text.splitlines())) <= 100
