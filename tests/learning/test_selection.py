"""Fit to one set, select by a second, test on a third; and raters to leave out."""

from __future__ import annotations

import pytest
from learning_made import FEATURES

from assay import EvalSet, learning
from assay.errors import InputError
from assay.learning import build_training_set, fingerprint, select_scorer, worst_raters


@pytest.mark.filterwarnings("ignore:.*outside its range in training")
def test_select_and_test(make_set):
    sets = [make_set(seed=s, items=8, raters=("a", "b")) for s in (1, 2, 3)]
    fit, select = (build_training_set(d, dimension="content", features=FEATURES) for d in sets[:2])
    found = select_scorer(fit, select, level="item")
    assert found.fits == 21
    assert found.topics == (8, 8)
    test = learning.evaluate_scorer(found, sets[2], resamples=20).test
    assert [(c.level, c.value > 0.7) for c in test] == [("item", True), ("system", True)]
    assert found.scorer.record["chosen"]["fitted_to"] == fingerprint(sets[0])
    fewer = select_scorer(fit, select, level="item", without={"i0", "i3"})
    assert (fewer.topics, fewer.left_out) == ((6, 6), ("i0", "i3"))
    with pytest.raises(InputError, match="1 of 8 remain"):
        select_scorer(fit, select, without={f"i{k}" for k in range(7)})


def test_topics_of_the_worst_assessors(make_set):
    one, other = make_set(items=4, raters=("ann",)), make_set(items=4, raters=("zoe",), seed=2)
    items = [*one.entries, *(_renamed(item) for item in other.entries)]
    data = EvalSet([_twice(item, noisy=item.id.startswith("z")) for item in items])
    names, topics = worst_raters([data], "content", 1)
    assert names == ("zoe",)
    assert topics == {"z-i0", "z-i1", "z-i2", "z-i3"}
    with pytest.raises(InputError, match="leaving out 2 of 2 raters"):
        worst_raters([data], "content", 2)


def _renamed(item):
    from dataclasses import replace

    return replace(item, id=f"z-{item.id}")


def _twice(item, *, noisy):
    """Every output once more under another name; a noisy assessor says otherwise.

    On every fourth item the texts are others, so that no system is a copy of another one.
    """
    from dataclasses import replace

    more = [
        j._replace(system=f"{j.system}x", score=j.score + (7.0 * (hash_of(j) % 2) if noisy else 0.0))
        for j in item.judgments
    ]
    other = "in other words " if item.id.endswith("i3") else ""
    outputs = {**item.outputs, **{f"{s}x": other + t for s, t in item.outputs.items()}}
    return replace(item, outputs=outputs, judgments=(*item.judgments, *more))


def hash_of(judgment):
    return int(judgment.system[1:])
