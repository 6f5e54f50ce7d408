"""A scorer must not fall when outputs become references."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from learning_made import quick

from assay import EvalSet
from assay.learning.monotonicity import Monotonicity, _summarize, probe_monotonicity, replace_sentences


def test_sentences_are_replaced_one_by_one():
    assert replace_sentences("One.", "Yes. No.") == ["One.", "Yes.", "Yes.\nNo."]
    assert replace_sentences("", "A.") == ["", "A."]


def test_the_default_never_falls_and_a_bounded_kernel_does(make_set):
    """Far above its training data a Gaussian kernel falls back to its mean; references are far above."""
    data = make_set(items=8)
    weak = [s for s in data.systems if s in ("s0", "s1", "s2")]
    few = EvalSet(
        [
            replace(
                item,
                outputs={s: item.outputs[s] for s in weak},
                judgments=tuple(j for j in item.judgments if j.system in weak),
            )
            for item in data
        ]
    )
    ridge, svr = (quick(few, learner=name).monotonicity for name in ("ridge", "svr"))
    assert ridge.holds
    assert ridge.largest_fall == ridge.ends_below == 0
    assert ridge.means[-1] > ridge.means[0]
    assert ridge.outputs == 24
    assert svr.means[-1] < ridge.means[-1]
    assert svr.ends_below > 0.5


def test_means_carry_the_end_of_short_outputs_on():
    probe = _summarize([np.array([0.0, 1.0]), np.array([0.0, 3.0, 1.0])])
    assert probe == Monotonicity((0.0, 2.0, 1.0), 1.0, 0.0, 2)
    assert not probe.holds
    assert _summarize([np.array([1.0, 0.5])]).ends_below == 1


def test_nothing_to_probe(make_set):
    data = make_set()
    scorer = quick(data).scorer
    assert probe_monotonicity(scorer, EvalSet([replace(item, references=()) for item in data]), data.systems) is None
    assert probe_monotonicity(scorer, data, ()) is None
