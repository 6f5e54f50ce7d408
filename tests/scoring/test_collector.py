"""Collector: what is added up over blocks, and what is warned of."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

import assay
from assay.errors import EmptyTextWarning, PoolingWarning
from assay.scoring.collector import Collector
from assay.scoring.stream import score_stream


def test_a_system_that_appears_later():
    chunks = [
        assay.EvalSet([assay.Item("1", (assay.Reference("a"),), {"A": "a"})]),
        assay.EvalSet([assay.Item("2", (assay.Reference("a"),), {"B": "a", "A": ""})]),
    ]
    collector = Collector([assay.metric("rouge1"), assay.metric("bleu")])
    list(collector.follow(score_stream(chunks, collector.metrics)))
    assert list(collector.systems) == ["A", "B"]
    assert collector.means(0).tolist() == [0.5, 1.0]
    assert collector.empty_outputs == 1


def test_thai_under_rouge_gets_a_warning():
    data = assay.EvalSet.from_texts(["สวัสดี"], ["สวัสดี"])
    with pytest.warns(EmptyTextWarning, match="2 texts came out empty under tokenizer 'rouge'.*tokenizer=unicode"):
        assay.score(data, "rouge1")
    assert assay.score(data, "rouge1(tokenizer=unicode)").values.item() == 1.0


@pytest.mark.parametrize("pooling", ["sum", "mean", "prob"])
def test_paraphrased_references_that_lower_the_score_give_a_warning(pooling):
    """Each added reference holds one replacement: an output that matches the original matches the others less."""
    references = (
        assay.Reference("the answer came late"),
        assay.Reference("the reply came late", "paraphrase: answer > reply"),
    )
    item = assay.Item("1", references, {"A": "the answer came late"})
    original = assay.EvalSet([replace(item, references=references[:1])])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PoolingWarning)
        before = assay.score(original, f"rouge2(refs={pooling})")
        assert assay.score(assay.EvalSet([item]), "rouge2(refs=max)").means()[0] == before.means()[0]
        assay.score(assay.EvalSet([item]), "bleu")
    with pytest.warns(
        PoolingWarning, match=rf"rouge2 pools references by {pooling}, .* use rouge2\(refs=max\) \(1 out"
    ):
        after = assay.score(assay.EvalSet([item]), f"rouge2(refs={pooling})")
    assert after.means()[0] < before.means()[0]


def test_what_was_collected_apart_adds_up():
    """Every sum and count of two collectors, merged by their records, is that of one that saw all."""
    items = [
        assay.Item(str(i), (assay.Reference("a b"),) if i % 3 else (), {"A": "a b" if i % 2 else "", "B": "b"})
        for i in range(7)
    ]
    parts = [assay.EvalSet(items[:3]), assay.EvalSet(items[3:])]
    metrics = [assay.metric("rouge1"), assay.metric("bleu")]

    def collect(sets):
        collector = Collector(metrics)
        list(collector.follow(score_stream(sets, metrics)))
        return collector

    whole, merged = collect(parts), Collector(metrics)
    for part in parts:
        merged.merge(collect([part]).to_record())
    assert merged.to_record() == whole.to_record()
    assert whole.empty_outputs == 4
    assert merged.means(0).tolist() == whole.means(0).tolist()
