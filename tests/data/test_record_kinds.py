"""Kinds of records as records."""

from __future__ import annotations

from assay.data.record_kinds import RecordKind, RecordKinds


def test_a_record_per_kind():
    kinds = RecordKinds(1, (RecordKind("pair", ("compare", "report"), "Two systems."),))
    assert kinds.records() == [
        {"kind": "record_kinds", "version": 1},
        {"kind": "record_kind", "name": "pair", "commands": ["compare", "report"], "meaning": "Two systems."},
    ]
