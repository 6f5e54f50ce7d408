"""A written file as a record."""

from __future__ import annotations

from assay.data.written_file import WrittenFile


def test_its_record():
    assert WrittenFile("report", "r.html", 7).records() == [
        {"kind": "file", "what": "report", "path": "r.html", "bytes": 7}
    ]
