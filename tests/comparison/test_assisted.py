"""Rankings from few labels and many scores: on sets whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assay import EvalSet, Item, Judgment
from assay.comparison.assisted import compare_assisted
from assay.errors import InputError, UnknownName
from assay.stats import prediction_powered

LABELLED = range(40)
QUALITY = {"A": 2.0, "B": 3.0, "C": 3.1, "D": 4.0}


def make_set(items: int = 120, labelled: Sequence[int] = LABELLED, seed: int = 0, skip: str = "") -> EvalSet:
    """Two people on some items and an LLM on all, half a point too low; people never judge the systems of `skip`."""
    rng = np.random.default_rng(seed)
    entries = []
    for number in range(items):
        ease = rng.normal(0, 0.5)
        judgments = []
        for system, quality in QUALITY.items():
            true = quality + ease + rng.normal(0, 0.5)
            judgments.append(Judgment(system, "gpt", "meaning", true - 0.5 + rng.normal(0, 0.3), kind="llm"))
            labels = [Judgment(system, r, "meaning", true + rng.normal(0, 0.3)) for r in ("ann", "bob")]
            if number in labelled and system not in skip:
                judgments += labels
        outputs = {s: f"{s} text of item {number}" for s in QUALITY}
        entries.append(Item(str(number), outputs=outputs, judgments=tuple(judgments), group=f"g{number % 3}"))
    return EvalSet(entries)


def test_three_rankings_and_what_was_saved():
    data = make_set()
    result = compare_assisted(data, "meaning", "gpt")
    human, judge = data.human("meaning"), data.human("meaning", rater="gpt")
    rows = {row.system: row for row in result.systems}
    expected = prediction_powered(human.values, judge.values)
    for i, system in enumerate(human.systems):
        assert rows[system].both == pytest.approx(expected.value[i])
        assert (rows[system].both_low, rows[system].both_high) == pytest.approx((expected.low[i], expected.high[i]))
        assert rows[system].people == pytest.approx(np.nanmean(human.values[i]))
        assert rows[system].judge == pytest.approx(judge.values[i].mean())
    assert result.systems[0].system == "D"
    assert result.overall_judge < result.overall
    assert result.saved > 0
    assert (result.labels, result.labelled_items, result.design) == (160, 40, "unknown")
    assert not result.refused


def test_intervals_hold_for_all_pairs_at_once():
    result = compare_assisted(make_set(), "meaning", "gpt")
    for pair in result.pairs:
        assert pair.significant == (pair.low > 0 or pair.high < 0) == (pair.p <= 0.05)
    two = compare_assisted(make_set(), "meaning", "gpt", systems=["A", "D"])
    (alone,) = two.pairs
    pair = next(p for p in result.pairs if {p.first, p.second} == {"A", "D"})
    assert 1.2 < (pair.high - pair.low) / (alone.high - alone.low) < 1.5


def test_differences_are_taken_within_items():
    """The ease of an item is in both outputs, so that their difference is known better than either mean."""
    result = compare_assisted(make_set(), "meaning", "gpt")
    pair = next(p for p in result.pairs if {p.first, p.second} == {"A", "D"})
    rows = {row.system: row for row in result.systems}
    assert pair.high - pair.low < rows["A"].both_high - rows["A"].both_low + rows["D"].both_high - rows["D"].both_low
    assert pair.significant
    assert pair.new_raters_high - pair.new_raters_low >= pair.high - pair.low


def test_ranks_leave_open_what_is_not_significant():
    rows = {row.system: row for row in compare_assisted(make_set(), "meaning", "gpt").systems}
    assert (rows["D"].rank_low, rows["D"].rank_high) == (1, 1)
    assert (rows["A"].rank_low, rows["A"].rank_high) == (4, 4)
    assert rows["B"].rank_low <= 2 <= rows["C"].rank_high


def test_a_system_without_labels_is_uncorrected():
    result = compare_assisted(make_set(skip="C"), "meaning", "gpt")
    row = next(row for row in result.systems if row.system == "C")
    assert not row.corrected
    assert row.both == row.judge
    assert np.isnan(row.both_low)
    assert row.rank_low is None
    assert "uncorrected" in str(result)
    assert all("C" not in (pair.first, pair.second) for pair in result.pairs)


def best_items(data: EvalSet, n: int) -> list[int]:
    judge = data.human("meaning", rater="gpt").values.mean(axis=0)
    return np.argsort(-judge)[:n].tolist()


def test_labels_on_the_best_items_have_no_interval():
    """People judged what the judge likes: refused, unless somebody states that chance chose them."""
    picked = best_items(make_set(), 40)
    result = compare_assisted(make_set(labelled=picked), "meaning", "gpt")
    assert result.refused
    assert [check.what for check in result.checks if check.differs] == ["judge score"]
    assert all(np.isnan(row.both_low) for row in result.systems)
    assert all(np.isnan(pair.p) and not pair.significant for pair in result.pairs)
    assert str(result).split("\n\n")[1].startswith("No interval from people and gpt together")
    stated = compare_assisted(make_set(labelled=picked), "meaning", "gpt", design="random")
    assert (stated.refused, stated.design) == (False, "random")


def test_people_who_judged_everything_need_no_judge():
    result = compare_assisted(make_set(labelled=range(120)), "meaning", "gpt")
    human = make_set(labelled=range(120)).human("meaning")
    assert result.design == "complete"
    assert result.saved == pytest.approx(0, abs=1e-6 + 0.05 * result.labels)
    assert sorted(row.both for row in result.systems) == pytest.approx(sorted(human.values.mean(axis=1)))


def with_probabilities(data: EvalSet, probabilities) -> EvalSet:
    pairs = zip(data.entries, probabilities, strict=True)
    return EvalSet([item if p is None else replace(item, extra={"label_probability": p}) for item, p in pairs])


def test_drawn_items_are_weighted_and_refused_without_their_probability():
    data = make_set()
    drawn = with_probabilities(data, [0.6] * 20 + [0.2] * 100)
    result = compare_assisted(drawn, "meaning", "gpt")
    expected = prediction_powered(
        data.human("meaning").values,
        data.human("meaning", rater="gpt").values,
        probabilities=[0.6] * 20 + [0.2] * 100,
    )
    assert result.design == "drawn"
    assert sorted(row.both for row in result.systems) == pytest.approx(sorted(expected.value))
    with pytest.raises(InputError, match=r"item '5' was labelled but has no label_probability.*1 labelled item"):
        compare_assisted(with_probabilities(data, [0.5] * 5 + [None] + [0.5] * 114), "meaning", "gpt")
    with pytest.raises(InputError, match="above 0 and at most 1; got 3"):
        compare_assisted(with_probabilities(data, [3] * 120), "meaning", "gpt")


@pytest.mark.parametrize("method", ["isotonic", "ordinal"])
def test_calibration_is_checked_on_held_out_items(method):
    entries = []
    for item in make_set().entries:
        rounded = tuple(j._replace(score=float(np.clip(round(j.score), 1, 5))) for j in item.judgments)
        entries.append(replace(item, judgments=rounded))
    result = compare_assisted(EvalSet(entries), "meaning", "gpt", calibrate=method)
    [check] = result.calibration
    assert check.error < check.raw_error
    assert abs(check.bias) < 0.1 < abs(check.raw_bias)


def test_several_raters_are_kept_apart():
    result = compare_assisted(make_set(), "meaning", "gpt")
    assert {(row.system, row.rater) for row in result.by_rater} == {(s, r) for s in "ABCD" for r in ("ann", "bob")}
    assert result.system_rater >= 0


def test_who_can_assist():
    with pytest.raises(UnknownName, match="unknown judge 'gtp'"):
        compare_assisted(make_set(), "meaning", "gtp")
    with pytest.raises(InputError, match="'ann' counts as a person"):
        compare_assisted(make_set(), "meaning", "ann")
    apart = (Judgment("A", "ann", "m", 1.0), Judgment("B", "gpt", "m", 1.0, kind="llm"))
    data = EvalSet([Item("1", outputs={"A": "a", "B": "b"}, judgments=apart)])
    with pytest.raises(InputError, match="both are needed"):
        compare_assisted(data, "m", "gpt")


def test_records_hold_systems_pairs_checks_and_raters():
    kinds = {record["kind"] for record in compare_assisted(make_set(), "meaning", "gpt").records()}
    assert kinds == {"assisted", "assisted_system", "assisted_pair", "label_check", "rater_mean"}
