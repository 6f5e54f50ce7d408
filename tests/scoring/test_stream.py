"""Streams: blocks in order that add up to the whole, and what no metric can read."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.scoring.collector import Collector
from assay.scoring.stream import full_signature, score_stream


def test_a_stream_adds_up_to_the_whole():
    items = [assay.Item(str(i), (assay.Reference("a b c"),), {"A": "a b" if i % 2 else "c"}) for i in range(10)]
    chunks = [assay.EvalSet(items[:3]), assay.EvalSet(items[3:])]
    metrics = [assay.metric("rouge1"), assay.metric("bleu")]
    collector = Collector(metrics)
    blocks = list(collector.follow(score_stream(chunks, metrics)))
    whole = assay.score(assay.EvalSet(items), ["rouge1", "bleu"])
    assert sum(len(b.items) for b in blocks) == 10
    assert collector.means(0) == pytest.approx(whole["rouge1"].means())
    assert collector.means(1) == pytest.approx(whole["bleu"].means())


def test_blocks_come_in_the_order_of_the_chunks():
    chunks = [assay.EvalSet([assay.Item(str(i), (assay.Reference("a"),), {"A": "a" * (i + 1)})]) for i in range(20)]
    blocks = list(score_stream(chunks, [assay.metric("length")], threads=4))
    assert [item for block in blocks for item in block.items] == [str(i) for i in range(20)]
    assert blocks[0].table(0).tolist() == [[1.0]]


def test_lattices_are_refused_by_metrics_that_cannot_read_them():
    lattice = assay.Reference("a cat", alternatives=((0, 1, "the"),))
    data = assay.EvalSet([assay.Item("1", (lattice,), {"A": "the cat"})])
    assert assay.score(data, "rouge1").means().tolist() == [1.0]
    with pytest.raises(InputError, match=r"ter cannot read references with alternatives \(a lattice\)"):
        list(score_stream([data], [assay.metric("ter")]))


def test_a_signature_says_what_was_done_to_the_texts():
    rouge = assay.metric("rouge1")
    assert full_signature(rouge, "") == rouge.signature()
    assert full_signature(rouge, "tags removed") == f"{rouge.signature()} + tags removed"
