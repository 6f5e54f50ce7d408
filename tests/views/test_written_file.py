"""What is said of a file that was written."""

from __future__ import annotations

from assay.data.written_file import WrittenFile


def test_a_report_and_another_file():
    assert str(WrittenFile("model", "m.npz", 2_000_000)) == "Wrote m.npz (2.0 MB)."
    assert "Open it in a browser" in str(WrittenFile("report", "r.html", 2_000_000))
