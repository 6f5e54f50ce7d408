"""Effects of operations: means by hand, Wilcoxon as in scipy, joint and separate paragraphs."""

from __future__ import annotations

import math
import random

import pytest
from scipy.stats import wilcoxon

from assay import EvalSet
from assay.corpus import compare_joint, edit_effects, edits
from assay.data.evalset import Item, Judgment


def judged(count, seed=0):
    """Items with two deletions and a rephrasing, and random scores."""
    rng = random.Random(seed)
    items = []
    for k in range(count):
        outputs = {"del": "The mayor resigned.", "del2": "The mayor resigned on Monday.", "sub": "The mayor quit."}
        judgments = tuple(Judgment(s, "r", "meaning", rng.uniform(1, 3) + (s == "sub")) for s in outputs)
        items.append(Item(str(k), outputs=outputs, sources=("The old mayor resigned on Monday.",), judgments=judgments))
    return EvalSet(items)


def test_means_and_wilcoxon():
    data = judged(30)
    effect = edit_effects(edits(data), [data.human("meaning")]).of("substitute")
    values = data.human("meaning")
    present, absent = values.row("sub"), (values.row("del") + values.row("del2")) / 2
    assert (effect.present, effect.absent) == pytest.approx((present.mean(), absent.mean()))
    assert effect.p == pytest.approx(wilcoxon(present, absent).pvalue)
    assert (effect.sources, effect.outputs_present, effect.outputs_absent) == (30, 30, 60)
    assert effect.difference > 0.5


def test_nothing_to_compare_is_nan():
    data = judged(2)
    effects = edit_effects(edits(data), [data.human("meaning")])
    assert effects.of("delete").sources == 0  # every output deletes
    assert math.isnan(effects.of("delete").p)
    assert math.isnan(effects.of("merge").all_absent)  # no source has two sentences


def test_joint_and_separate():
    said = {"p": 3.0, "q": 1.0, "both": 2.5}
    texts = {"p": "A cat slept.", "q": "A dog ran.", "both": "A cat slept.  A dog ran."}
    items = [
        Item(name, outputs={"s": "x"}, sources=(texts[name],), judgments=(Judgment("s", "r", "meaning", said[name]),))
        for name in texts
    ]
    [pair] = compare_joint(EvalSet(items)).dimensions
    assert (pair.joint, pair.separate, pair.paragraphs) == (2.5, 2.0, 1)
    [none] = compare_joint(EvalSet(items[:2])).dimensions
    assert none.paragraphs == 0
    assert math.isnan(none.joint)
