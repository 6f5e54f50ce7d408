"""Alignments as results."""

from __future__ import annotations

from assay.text.align.monolingual import align
from assay.text.align.results import PairAlignment, score_aligner

ALIGNMENT = align("A cat slept.", "The cat slept.")


def test_records_have_tokens_offsets_and_links():
    (record,) = PairAlignment(3, ALIGNMENT).records()
    assert (record["line"], record["a"][1]) == (3, ["cat", 2, 5])
    assert {"a": 1, "b": 1, "kind": "exact"}.items() <= record["links"][1].items()


def test_scores_of_all_odd_and_even_lines():
    result = score_aligner([(ALIGNMENT, {(1, 1), (2, 2), (3, 3)})] * 3)
    assert result.pairs == 3
    assert [(s.aligner, s.lines) for s in result.scores][:3] == [
        ("aligner", "all"),
        ("equal words", "all"),
        ("aligner", "odd"),
    ]
    assert [s.gold for s in result.scores] == [9, 9, 6, 6, 3, 3]
