"""What a conversion says of itself as records."""

from __future__ import annotations

from assay.data.conversion import Conversion, LostPart


def test_records():
    result = Conversion("a", "jsonl", "b", "csv", 2, 1, 0, (LostPart("judgments", 2),))
    record = result.records()[0]
    assert record["kind"] == "conversion"
    assert record["losses"] == [{"part": "judgments", "count": 2}]
