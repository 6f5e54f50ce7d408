"""Judged outputs as rows: what is refused, and the direction of features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.data.scores import Scores
from assay.errors import InputError, UnknownName
from assay.learning.cross_validation import fit
from assay.learning.examples import examples
from assay.learning.models import Ridge


def scores(values, name="f"):
    values = np.asarray(values, dtype=float)
    names = tuple(map(str, range(values.shape[0]))), tuple(map(str, range(values.shape[1])))
    return Scores(values, *names, name=name)


def test_bad_input():
    rng = np.random.default_rng(0)
    human = scores(rng.normal(size=(4, 5)), "pyramid")
    good = scores(rng.normal(size=(4, 5)), "rouge1")
    with pytest.raises(InputError, match="no feature to learn from"):
        examples([], [human])
    with pytest.raises(InputError, match=r"feature 'empty' has no score .NaN. for any of the 20 judged outputs"):
        examples([good, scores(np.full((4, 5), np.nan), "empty")], [human])
    with pytest.raises(InputError, match="outputs of 2 topics are too few"):
        examples([good.select(items="01")], [human.select(items="01")])
    with pytest.raises(InputError, match="outputs of 2 topics are too few"):
        examples([good], [human], topics=list("aabbb"))
    with pytest.raises(InputError, match="'pyramid' are constant within every topic"):
        examples([good], [scores(np.tile(np.arange(5), (4, 1)), "pyramid")])
    with pytest.raises(InputError, match="no output was judged"):
        examples([good], [scores(np.full((4, 5), np.nan), "pyramid")])
    with pytest.raises(InputError, match="infinite"):
        examples([scores(np.full((4, 5), np.inf), "odd")], [human])
    with pytest.raises(InputError, match="other systems or items"):
        examples([good.select(systems="0123"[::-1])], [human])
    with pytest.raises(UnknownName, match="there are mean, none"):
        fit(examples([good], [human]), Ridge(), normalize="z")


def test_lower_is_better_is_turned():
    rng = np.random.default_rng(0)
    human, metric = scores(rng.normal(size=(4, 5)), "pyramid"), scores(rng.normal(size=(4, 5)), "ter")
    turned = examples([replace(metric, higher_is_better=False)], [human])
    assert (turned.x == -examples([metric], [human]).x).all()
