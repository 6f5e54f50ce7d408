"""What a conversion says of itself as records."""

from __future__ import annotations

from assay.data.conversion import Conversion, LostPart


def test_records():
    result = Conversion("a", "jsonl", "b", "csv", 2, 1, 0, (LostPart("judgments", 2),))
    conversion, loss = result.records()
    assert (conversion["kind"], conversion["items"]) == ("conversion", 2)
    assert (loss["kind"], loss["part"], loss["count"]) == ("loss", "judgments", 2)
