"""Dominance among metrics."""

from __future__ import annotations

import numpy as np
import pytest
from made import noisy, people, scores, shuffled
from scipy.stats import pearsonr

from assay import stats
from assay.errors import InputError, UndefinedWarning
from assay.meta import dominate

HUMAN = people(4, 200)
NOISE = {
    "SKIP-2+Recall+MULT-PROB": 0.5,
    "SKIP-2+Precision+MULT-PROB": 4.0,
    "LR-1+Recall+MULT-PROB": 0.52,
    "LR-1+Recall+SINGLE-REF": 6.0,
    "other": 0.5,
}
METRICS = {name: noisy(HUMAN, noise, seed=k, name=name) for k, (name, noise) in enumerate(NOISE.items())}


def test_shares_are_the_plain_loop_of_williams_tests():
    found = dominate(METRICS, shuffled(HUMAN))
    a, b = "SKIP-2+Recall+MULT-PROB", "LR-1+Recall+MULT-PROB"
    better = []
    for i, k in stats.system_pairs(4):
        dh, da, db = (s.values[i] - s.values[k] for s in (HUMAN, METRICS[a], METRICS[b]))
        r12, r13, r23 = pearsonr(dh, da)[0], pearsonr(dh, db)[0], pearsonr(da, db)[0]
        better.append(stats.williams(r12, r13, r23, n=200).pvalue < 0.05)
    assert found.share[found.metrics.index(a), found.metrics.index(b)] == np.mean(better)


def test_top_group_and_the_dominated():
    found = dominate(METRICS, HUMAN)
    assert set(found.top) == {"SKIP-2+Recall+MULT-PROB", "LR-1+Recall+MULT-PROB", "other"}
    assert found.dominates("other", "LR-1+Recall+SINGLE-REF")
    assert not found.dominates("LR-1+Recall+SINGLE-REF", "other")
    assert "Not significantly worse: " in found.view().headline


def test_best_per_unit_measure_and_pooling():
    found = dominate(METRICS, HUMAN)
    assert [r.metric.split("+")[0] for r in found.best_per("unit")] == ["LR-1", "SKIP-2"]
    measures = {r.metric: r.mark for r in found.best_per("measure")}
    assert measures["SKIP-2+Precision+MULT-PROB"] == "-"
    assert measures[found.best_per("measure")[0].metric] == "*"
    assert [r.mark for r in found.best_per("pooling")] == ["-", "*"]
    with pytest.raises(InputError, match="part must be"):
        found.best_per("colour")


def test_undefined_tests_find_nothing():
    with pytest.warns(UndefinedWarning, match="Williams tests are undefined"):
        found = dominate({**METRICS, "flat": scores(np.ones((4, 200)), "flat")}, HUMAN)
    flat = next(s for s in found.ranking if s.metric == "flat")
    assert np.isnan(flat.value)
    assert not flat.top
    with pytest.raises(InputError, match="at least two systems"):
        dominate(METRICS, HUMAN, systems=["s0"])
    with pytest.raises(InputError, match="no metric"):
        dominate({}, HUMAN)


def test_the_table_of_toutanova_has_eighty_metrics():
    human = people(4, 785)
    metrics = {f"m{k}": noisy(human, 1 + k / 10, seed=k, name=f"m{k}") for k in range(80)}
    result = dominate(metrics, human)
    assert len(result.metrics) == 80
    assert result.ranking[0].metric in {"m0", "m1", "m2", "m3", "m4"}  # those with the least noise
