"""A scorer on a second set, against the feature that was best on the first."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from learning_made import FEATURES, quick

import assay
from assay import EvalSet
from assay.learning import evaluate_transfer
from assay.learning.second_set import _paired_bootstrap, best_feature


def test_scorer_and_feature_on_another_set(make_set):
    other = make_set(seed=7, items=9)
    trained = quick(make_set(), test_set=other, test_dimension="overall", resamples=200)
    name, _ = best_feature(trained.human, trained.feature_scores)
    human = other.human("overall")
    item, system = trained.second_set
    assert (item.level, system.level) == ("item", "system")
    assert {row.feature for row in trained.second_set} == {name}
    with pytest.warns(assay.AssayWarning, match="outside its range in training"):
        scores = assay.score(other, trained.scorer)
    for row in trained.second_set:
        ours = assay.correlate(scores, human, level=row.level, interval=None).value
        alone = assay.correlate(assay.score(other, name), human, level=row.level, interval=None).value
        assert (row.value, row.feature_value) == (pytest.approx(ours), pytest.approx(alone))
        assert row.difference == pytest.approx(ours - alone)
        assert row.low <= row.difference <= row.high
        assert 0 < row.pvalue <= 1
    assert (item.systems, item.items, item.outputs) == (5, 9, 45)


def test_outputs_outside_the_range_are_counted(make_set):
    """A reference under another name is better than any output of the training data."""
    trained = quick(make_set())
    other = make_set(seed=1)
    copies = EvalSet([replace(i, outputs={"copy": i.references[0].text}, judgments=()) for i in other])
    with pytest.warns(assay.AssayWarning, match=r"outside its range in training.*\(6 outputs\)"):
        scores = assay.score(copies, trained.scorer)
    x = np.stack(
        [v.values * (1 if v.higher_is_better else -1) for v in assay.score(copies, FEATURES).values()], axis=-1
    )
    assert trained.scorer.fitted.outside(x.reshape(-1, 3)).all()
    assert scores.values.min() > trained.predicted.values.mean()


def test_paired_bootstrap():
    d = np.linspace(-0.1, 0.9, 1001)
    low, high, p = _paired_bootstrap(d)
    assert (low, high) == (pytest.approx(-0.075), pytest.approx(0.875))
    assert p == pytest.approx(2 * 102 / 1002)
    assert _paired_bootstrap(np.full(99, 1.0))[2] == pytest.approx(0.02)
    assert all(np.isnan(v) for v in _paired_bootstrap(np.array([np.nan])))


@pytest.mark.slow
def test_the_default_transfers_and_puts_a_copied_reference_first(shared):
    """On other topics, systems and data it is not below the best feature of its training part; svr failed the copy."""
    for name in ("tac2008.jsonl.gz", "summeval.jsonl.gz"):
        shared(name)
    sys.path.insert(0, str(Path(__file__).parents[2] / "training" / "learning"))
    import transfer

    fit_to, parts = transfer.read_parts(held_back=False)
    trained = assay.learn(fit_to, dimension="pyramid", resamples=50)
    for part in parts:
        tested = evaluate_transfer(trained, part.data, dimension=part.dimension, raters=part.raters or None)
        assert all(row.difference > 0 or row.pvalue > 0.05 for row in tested.second_set)
    assert transfer._place(trained, parts[0]) == "1 of 30"
    assert trained.monotonicity.holds
