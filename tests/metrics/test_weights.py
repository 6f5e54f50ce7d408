"""Weights of relations, as text and from a file."""

from __future__ import annotations

import json

import pytest

import assay
from assay.metrics import metric


def test_weights_from_a_file_are_spelled_out(tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"subj": 2, "*": 0.5}))
    built = metric(f"depeval(weights={path})")
    assert "weights=subj:2;*:0.5" in built.signature()
    assert metric(built.signature()) == built
    path.write_text("[1]")
    with pytest.raises(assay.errors.InputError, match="must hold one object"):
        metric(f"depeval(weights={path})")
