"""The bottom share of editors (Toutanova et al. 2016, 3.1)."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import ratings

from assay import EvalSet, Item, Reference
from assay.data.evalset import Judgment
from assay.errors import InputError
from assay.raters import combine_dimensions, drop_editors, without_editors

ROWS = {"ann": [1, 3, 3, 2, 3], "bob": [1, 2, 3, 2, 3]}


def test_an_editor_is_the_mean_of_their_outputs():
    """A wrote 1 and 2.5, B 3 and 2, C 3."""
    made = ratings(ROWS, systems="AABBC", items="12123", texts=tuple("vwxyz"))
    result = drop_editors(made, worst=1)
    assert (result.editors, result.left_out[0].quality, result.remaining) == (("A",), 1.75, 2)
    assert (result.outputs_before, result.outputs_after) == (5, 3)
    assert result.mean_before == pytest.approx(11.5 / 5)
    assert result.mean_after == pytest.approx(8 / 3)
    assert (result.ratings.systems, result.ratings.texts) == (("B", "B", "C"), ("x", "y", "z"))
    assert result.view().headline.startswith(
        "Without the worst 1 of 3 editors (2 of 5 outputs), mean meaning rises from 2.300"
    )


def test_share():
    with pytest.raises(InputError, match=r"a share of 0\.1 of 3 editors is less than one"):
        drop_editors(ratings(ROWS, systems="AABBC", items="12123"), share=0.1)


def test_msr(shared):
    """305 editors, of whom some wrote twice for a source (62#2): one editor is never counted as two."""
    both = combine_dimensions(shared("msr-compression/RawData/valid.tsv"))
    result = drop_editors(both, share=0.1)
    assert len(result.editors) + result.remaining == 305
    assert len(result.editors) == 30
    assert result.mean_after > result.mean_before
    assert 0 < result.rise_unseen < result.mean_after - result.mean_before  # half of the rise is chance


def test_quality_is_the_mean_of_the_dimensions():
    data = judged_by_two(0.0)
    result = drop_editors(data, worst=2)
    assert result.dimension == "meaning+grammar"
    assert [change.dimension for change in result.changes] == ["meaning", "grammar"]
    assert all(change.after > change.before for change in result.changes)
    assert result.view().headline.startswith("Without the worst 2 of 20 editors")
    assert "the mean of meaning and grammar rises" in result.view().headline
    assert drop_editors(data, "grammar", worst=2).dimension == "grammar"


def judged_by_two(spread, seed=0):
    """20 editors who differ by `spread`, and ratings that differ by chance."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, spread, 20)
    items = []
    for k in range(60):
        editors = rng.choice(20, 5, replace=False).tolist()
        judgments = [
            Judgment(f"e{e}", rater, dimension, float(2 + skill[e] + rng.normal(0, 0.5)))
            for e in editors
            for rater in ("ann", "bob")
            for dimension in ("meaning", "grammar")
        ]
        outputs = {f"e{e}": f"text {k} {e}" for e in editors}
        references = tuple(Reference(text, name) for name, text in outputs.items())
        items.append(Item(str(k), references, outputs, (f"source {k}",), None, tuple(judgments)))
    return EvalSet(items, allow_missing=True)


def test_chance_is_not_a_rise():
    """Where editors do not differ, the mean still rises in the ratings they were chosen by, but not in the others."""
    results = [drop_editors(judged_by_two(0.0, seed), share=0.1) for seed in range(20)]
    assert min(r.mean_after - r.mean_before for r in results) > 0.005
    assert abs(np.mean([r.rise_unseen for r in results])) < 0.005
    differ = [drop_editors(judged_by_two(1.0, seed), share=0.1) for seed in range(5)]
    assert min(r.rise_unseen for r in differ) > 0.1


def test_the_set_without_them():
    data = judged_by_two(1.0)
    worst = drop_editors(data, worst=2).editors
    remaining = without_editors(data, worst)
    assert not set(remaining.systems) & set(worst)
    assert not {r.id for item in remaining for r in item.references} & set(worst)
    assert len(remaining.systems) == 18
    assert not {j.system for item in remaining for j in item.judgments} & set(worst)
