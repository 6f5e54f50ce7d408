"""Links against those made by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from assay.text.align.evaluate import exact_links, score_links
from assay.text.align.monolingual import align, analyse
from assay.text.tokens.offsets import split_lexical_tokens

PAIRS = Path(__file__).parents[1] / "data" / "aligned.tsv"


def hand_aligned():
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(r["a"], r["b"], {tuple(map(int, k.split("-"))) for k in r["links"].split()}) for r in rows]


def pairs_of(found):
    return {(k.a, k.b) for k in found.links}


def test_links_made_by_hand_are_found():
    """The weights were tuned on the odd pairs; the even ones are the test."""
    pairs = hand_aligned()
    assert len(pairs) == 100
    for a, b, gold in pairs:
        assert [t.text for t in split_lexical_tokens(a)] == a.split()
        assert all(i < len(a.split()) and j < len(b.split()) for i, j in gold)
    even = pairs[1::2]
    ours = score_links((pairs_of(align(a, b)), gold) for a, b, gold in even)
    plain = score_links((exact_links(analyse(a), analyse(b)), gold) for a, b, gold in even)
    assert ours.f1 == pytest.approx(0.899, abs=0.002)
    assert plain.f1 == pytest.approx(0.766, abs=0.002)
