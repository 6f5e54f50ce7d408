"""Exact match by hand."""

from __future__ import annotations

import assay
from assay import EvalSet

SOURCE = "the big dog and the small dog ran home ."


def one(output: str, reference: str | list[str], name: str, source: str = SOURCE) -> float:
    return assay.score(EvalSet.from_texts([output], [reference], [source]), name).values.item()


def test_exact_match():
    assert one("The dog ran.", ["A dog ran.", "The dog  ran ."], "exact") == 1.0
    assert one("The dog ran.", ["A dog ran.", "The dog  ran ."], "exact(refs=mean)") == 0.5
    assert one("the dog ran", ["The dog ran."], "exact") == 0.0
    assert one("the dog ran", ["The dog ran."], "exact(lower=true, punctuation=false)") == 1.0
    assert one("", [""], "exact") == 1.0
