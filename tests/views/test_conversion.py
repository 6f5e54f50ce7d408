"""How a conversion is shown."""

from __future__ import annotations

from assay.data.conversion import Conversion, LostPart
from assay.views.conversion import view_conversion


def test_counts_and_losses():
    view = view_conversion(Conversion("a.jsonl", "jsonl", "b.csv", "csv", 1_200, 1, 0, (LostPart("judgments", 1_100),)))
    assert view.headline == "Wrote b.csv (csv) from a.jsonl (jsonl): 1,200 items, 1 system."
    assert view.notes == ["left out, with the number of items or systems: judgments (1,100)"]
    assert not view_conversion(Conversion("a", "jsonl", "b", "mtme", 1, 1, 7)).notes
