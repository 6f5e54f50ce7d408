"""People, LLM judges and metrics in one table: on SummEval against the golden cells, and on small sets by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay import EvalSet, Item, Judgment, Scores
from assay.errors import InputError
from assay.raters import alt_test, judge_table
from assay.raters.judge_verdict import UNKNOWN, Limits

# An independent script after Calderon et al. (2025), equal to the authors' notebook on 16 cells; made on SummEval.
GOLDEN = json.loads((Path(__file__).parent / "golden" / "alt-test-summeval.json").read_text())["cells"]


@pytest.fixture(scope="module")
def summeval(shared_file):
    judgments = shared_file("summeval-llm-judges.jsonl.gz")
    return assay.read(shared_file("summeval.jsonl.gz"), judgments=judgments).keep_raters(["expert*"])


def make_set(items: int = 40, people: int = 3, seed: int = 0) -> EvalSet:
    """Four systems, people with noise, a good and a bad LLM; every output of D repeats that of C."""
    rng = np.random.default_rng(seed)
    raters = [*(f"h{i}" for i in range(people)), "good", "bad"]
    entries = []
    for number in range(items):
        outputs = {"A": f"short {number}", "B": f"a longer text {number}", "C": f"one {number}", "D": f"one {number}"}
        judgments = []
        for system, quality in zip("ABCD", (1.5, 2.5, 3.5, 4.5), strict=True):
            true = quality + rng.normal(0, 0.5)
            for rater in raters:
                score = rng.integers(1, 6) if rater == "bad" else np.clip(round(true + rng.normal(0, 0.5)), 1, 5)
                kind = "llm" if rater in ("good", "bad") else None
                judgments.append(Judgment(system, rater, "meaning", float(score), kind=kind))
        entries.append(Item(str(number), outputs=outputs, judgments=tuple(judgments)))
    return EvalSet(entries)


@pytest.mark.parametrize("dimension", ["coherence", "consistency", "fluency", "relevance"])
def test_all_golden_cells(summeval, dimension):
    """The test as published, over outputs: advantage to 1e-4, p to 1e-3 relative."""
    judges = [name for name, kind in summeval.assessors if kind == "llm"]
    assert {f"{judge}|{dimension}" for judge in judges} <= set(GOLDEN)
    for judge in judges:
        cell, result = GOLDEN[f"{judge}|{dimension}"], alt_test(summeval, dimension, judge=judge)
        assert [h.rater for h in result.humans] == ["expert1", "expert2", "expert3"]
        assert result.winning_rate == pytest.approx(cell["winning_rate"], abs=1e-4)
        assert result.advantage == pytest.approx(cell["advantage"], abs=1e-4)
        assert [h.p for h in result.humans] == pytest.approx(cell["pvalues"], rel=1e-3)


def test_on_item_means_one_cell_changes(summeval):
    changed = []
    for cell, golden in GOLDEN.items():
        judge, dimension = cell.split("|")
        rate = alt_test(summeval, dimension, judge=judge, unit="items").winning_rate
        if rate != pytest.approx(golden["winning_rate"], abs=1e-3):
            changed.append((cell, round(rate, 3)))
    assert changed == [("gemini_pro|relevance", 0.333)]


def test_the_headline_counts_people_only(summeval):
    result = judge_table(summeval, "relevance", resamples=100)
    rows = {row.assessor: row for row in result.assessors}
    assert (rows["gpt-4o"].wins, rows["gpt-4o"].people) == (0, 3)
    view = str(result)
    assert "gemini_pro passes the test as published (2 of 3)" in view
    assert "fails it on the means of 100 items (1 of 3)" in " ".join(view.split())
    assert {row.assessor_kind for row in result.assessors} == {"human", "llm", "panel"}


def test_agreement_and_ceiling_by_hand():
    data = make_set()
    result = judge_table(data, resamples=50)
    people = np.stack([data.human("meaning", rater=f"h{i}").values.ravel() for i in range(3)])
    good = data.human("meaning", rater="good").values.ravel()
    others = [np.delete(people, i, axis=0).mean(axis=0) for i in range(3)]
    ceiling = np.mean([pearsonr(people[i], others[i])[0] for i in range(3)])
    assert result.ceiling == pytest.approx(ceiling)
    rows = {row.assessor: row for row in result.assessors}
    assert rows["good"].agreement == pytest.approx(np.mean([pearsonr(good, o)[0] for o in others]))
    assert rows["good"].segment.value == pytest.approx(pearsonr(good, people.mean(axis=0))[0])
    assert rows["h1"].agreement == pytest.approx(pearsonr(people[1], others[1])[0])
    left_out = [row for row in result.left_out if row.assessor == "good"]
    assert [row.rater for row in left_out] == ["h0", "h1", "h2"]
    assert rows["good"].twice == 40  # C and D are the same text
    assert rows["good"].level.value == pytest.approx((good - people.mean(axis=0)).mean())


def test_a_good_judge_replaces_and_a_blind_one_cannot_be_used():
    rows = {row.assessor: row for row in judge_table(make_set(), resamples=200).assessors}
    assert rows["good"].verdict == "can replace a human"
    assert rows["bad"].verdict in ("cannot be used", UNKNOWN)
    assert rows["mean of 2 LLMs"].assessor_kind == "panel"
    good, bad = (make_set().human("meaning", rater=r).values for r in ("good", "bad"))
    assert rows["mean of 2 LLMs"].level.value == pytest.approx(
        ((good + bad) / 2 - make_set().human("meaning").values).mean()
    )


def test_few_items_or_people_have_no_verdict_and_a_reason():
    for data, reason in ((make_set(items=20), "30 items each"), (make_set(people=2), "needs 3 human raters")):
        row = next(row for row in judge_table(data, resamples=50).assessors if row.assessor == "good")
        assert (row.verdict, row.wins) == (UNKNOWN, None)
        assert reason in row.reason
    limits = Limits(alt_test="wilcoxon")
    row = next(
        r for r in judge_table(make_set(items=20), limits=limits, resamples=50).assessors if r.assessor == "good"
    )
    assert row.people == 3


def test_a_metric_has_no_level_and_can_rank():
    data = make_set()
    human = data.human("meaning")
    metric = Scores(-10 * human.values, human.systems, human.items, name="error", higher_is_better=False)
    row = judge_table(data, metrics=[metric], resamples=100).assessors[-1]
    assert (row.assessor, row.assessor_kind, row.level, row.wins) == ("error", "metric", None, None)
    assert row.segment.value == pytest.approx(1.0)


def test_families_show_self_preference():
    families = {"good": "x", "A": "x", "B": "y"}
    rows = {row.assessor: row for row in judge_table(make_set(), families=families, resamples=50).assessors}
    assert rows["good"].own_family.low < 0 < rows["good"].own_family.high
    assert rows["bad"].own_family is None


def test_a_judge_that_looks_at_nothing_is_warned_of():
    entries = []
    for number in range(40):
        rating = 1.0 if number % 13 == 0 else 5.0
        judgments = [Judgment(s, r, "meaning", rating) for s in "AB" for r in ("h0", "h1", "h2")]
        judgments += [Judgment(s, "flat", "meaning", 5.0, kind="llm") for s in "AB"]
        entries.append(Item(str(number), outputs={"A": "a", "B": "b"}, judgments=tuple(judgments)))
    result = judge_table(EvalSet(entries), resamples=50)
    assert result.blind.constant_passes
    assert "A judge that always answers 5 passes the alt-test" in " ".join(str(result).split())


def test_it_needs_a_dimension():
    item = Item("1", outputs={"A": "a"}, judgments=(Judgment("A", "x", "m", 1.0), Judgment("A", "x", "n", 1.0)))
    with pytest.raises(InputError, match="several dimensions"):
        judge_table(EvalSet([item]))
    with pytest.raises(InputError, match="no judgments by people"):
        judge_table(EvalSet([Item("1", outputs={"A": "a"})]))


def test_records_hold_everything():
    records = judge_table(make_set(), resamples=50).records()
    kinds = {record["kind"] for record in records}
    assert kinds == {"judge_table", "assessor", "left_out", "alt_test", "human", "statement"}
    good = next(r for r in records if r["kind"] == "assessor" and r["assessor"] == "good")
    assert {"verdict", "wins", "ordered", "ordered_low", "level", "level_low", "length", "system_high"} <= set(good)


def test_costs_failures_and_panels_of_a_file_are_shown(tmp_path):
    """Seconds and cost stand beside judgments, failures in their items; a panel is no judge of its own."""
    lines = []
    for number in range(40):
        judgments = [
            {"system": s, "rater": r, "dimension": "m", "score": (number + k) % 5 + 1}
            for k, s in enumerate("AB")
            for r in ("h0", "h1", "h2")
        ]
        for rater in ("x", "y", "both"):
            more = {"panel": ["x", "y"]} if rater == "both" else {"seconds": 2.0, "cost": 0.01}
            judgments += [
                {"system": s, "rater": rater, "dimension": "m", "score": (number + k) % 5 + 1, "kind": "llm", **more}
                for k, s in enumerate("AB")
            ]
        failures = [{"rater": "x", "systems": ["A"], "dimension": "m", "reason": "refusal"}] if number < 3 else []
        item = {"id": str(number), "outputs": {"A": "a", "B": "b"}, "judgments": judgments, "failures": failures}
        lines.append(json.dumps(item))
    path = tmp_path / "judged.jsonl"
    path.write_text("\n".join(lines))
    rows = {row.assessor: row for row in judge_table(assay.read(path), "m", resamples=20).assessors}
    assert set(rows) == {"h0", "h1", "h2", "x", "y", "both"}
    assert (rows["both"].assessor_kind, rows["both"].failures) == ("panel", None)
    assert (rows["x"].seconds, rows["x"].cost, rows["x"].failures) == (2.0, pytest.approx(0.8), 3)
    assert rows["y"].failures == 0


def test_the_share_of_the_scale_that_an_assessor_used():
    data = make_set()
    rows = {row.assessor: row for row in judge_table(data, resamples=20).assessors}
    everybody = {j.score for item in data for j in item.judgments}
    for rater in ("good", "h0"):
        own = {j.score for item in data for j in item.judgments if j.rater == rater}
        assert rows[rater].scale_used == len(own) / len(everybody)
    assert rows["bad"].scale_used == 1.0
