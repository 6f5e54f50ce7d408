"""Tables of scores: the same numbers as Scores, with signatures."""

from __future__ import annotations

import pytest

import assay
from assay.metrics import metric
from assay.scoring.collector import Collector
from assay.scoring.stream import prepare_metrics, score_stream
from assay.scoring.tables import describe_metrics, tabulate_items, tabulate_systems

NAMES = ["rouge1", "bleu"]


def test_tables_hold_what_score_returns(judged):
    metrics = prepare_metrics([metric(name) for name in NAMES], [judged])
    collector = Collector(metrics)
    blocks = list(collector.follow(score_stream([judged], metrics)))
    scores = assay.score(judged, NAMES)
    systems = tabulate_systems(collector, NAMES)
    expected = [float(mean) for name in NAMES for mean in scores[name].means()]
    assert [record["score"] for record in systems.records()] == pytest.approx(expected)
    assert systems.records()[0] == {
        "kind": "system_score",
        "system": judged.systems[0],
        "metric": scores["rouge1"].signature,
        "score": pytest.approx(expected[0]),
        "n": len(judged),
    }
    items = tabulate_items(blocks, describe_metrics(metrics, NAMES))
    by_place = {(r["metric"], r["system"], r["item"]): r["score"] for r in items.records()}
    for own in scores.values():
        assert own.records() == [
            {
                "kind": "item_score",
                "metric": own.signature,
                "system": s,
                "item": i,
                "score": by_place[own.signature, s, i],
            }
            for s in own.systems
            for i in own.items
        ]
