"""Tables of scores: order, decimals, settings."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.scoring.tables import ItemScores, ScoredMetric, SystemScore, SystemScores

ROUGE = ScoredMetric("rouge1(stem=true)", "rouge1(words=0, stem=true)", True)
RATE = ScoredMetric("rate", "rate", False)


def scores(higher_is_better: bool = True) -> assay.Scores:
    values = np.array([[0.5, np.nan], [0.25, 0.9], [np.nan, np.nan]])
    return assay.Scores(values, ("A", "B", "C"), ("1", "2"), "rouge1", higher_is_better=higher_is_better)


@pytest.mark.parametrize(("higher", "order"), [(True, ["B", "A", "C"]), (False, ["A", "B", "C"])])
def test_printed_scores_are_a_table_with_the_best_system_first(higher, order):
    lines = str(scores(higher)).splitlines()
    assert lines[0].split() == ["system", "rouge1", "items"]
    assert [line.split()[0] for line in lines[2:]] == order
    assert lines[-1].split() == ["C", "–", "0"]


def test_the_signature_stands_under_the_table():
    signed = assay.score(assay.EvalSet.from_texts({"A": ["a b"]}, [["a c"]]), "rouge1")
    assert " ".join(str(signed).split()).endswith(f"rouge1 = {signed.signature}")


def test_systems_are_sorted_by_the_first_metric():
    rows = [("A", 0.25, 0.9), ("B", 0.5, 0.4)]
    table = SystemScores(
        (ROUGE, RATE),
        tuple(SystemScore(s, m.signature, (a, b)[i], 2) for i, m in enumerate((ROUGE, RATE)) for s, a, b in rows),
    )
    view = table.view()
    assert [column.head for column in view.tables[0].columns] == ["system", "rouge1", "rate", "items"]
    assert view.tables[0].rows() == [("B", "0.5000", "0.4000", "2"), ("A", "0.2500", "0.9000", "2")]
    assert view.notes == ["rouge1 = rouge1(words=0, stem=true)", "rate = rate"]


def test_many_metrics_stand_below_each_other():
    metrics = tuple(ScoredMetric(f"rouge{n}", f"rouge{n}()", True) for n in range(1, 14))
    table = SystemScores(
        metrics, tuple(SystemScore(s, m.signature, v, 2) for m in metrics for s, v in (("A", 0.25), ("B", 0.5)))
    )
    view = table.view()
    assert [column.head for column in view.tables[0].columns] == ["metric", "B", "A"]
    assert view.tables[0].rows()[12] == ("rouge13", "0.5000", "0.2500")


def test_outputs_beyond_a_thousand_are_counted():
    items = tuple(map(str, range(1200)))
    result = ItemScores((RATE,), items, ("A",) * 1200, ((0.5,) * 1200,), ((),), 5000)
    view = result.view()
    assert len(view.tables[0].rows()) == 1000
    assert view.notes == ["The first 1,000 of 5,000 rows; --out FILE writes all, --json prints all."]
