"""The alternative annotator test against a plain loop and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from judges_made import NAN, ratings
from scipy.stats import ttest_1samp

from assay import stats
from assay.errors import InputError, UnknownName
from assay.raters import alt_test


def made(seed: int = 0, n: int = 60, missing: float = 0.1):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, size=n)
    rows = {f"h{i}": np.clip(truth + rng.integers(-1, 2, size=n), 1, 5).astype(float) for i in range(4)}
    for row in rows.values():
        row[rng.random(n) < missing] = NAN
    rows["llm"] = np.clip(truth + rng.integers(-1, 2, size=n), 1, 5).astype(float)
    return ratings({name: row.tolist() for name, row in rows.items()})


def nearness(x, others, score):
    if score == "accuracy":
        return np.mean([x == o for o in others])
    return -np.sqrt(np.mean([(x - o) ** 2 for o in others]))


def plain(data, judge, epsilon, score):
    """The test as the paper tells it, one human and one output at a time."""
    humans = [r for r in data.raters if r != judge]
    found = {}
    for h in humans:
        w_judge, w_human = [], []
        for i in range(len(data.items)):
            others = [data.row(o)[i] for o in humans if o != h and not np.isnan(data.row(o)[i])]
            mine, its = data.row(h)[i], data.row(judge)[i]
            if not others or np.isnan(mine) or np.isnan(its):
                continue
            near = [nearness(x, others, score) for x in (its, mine)]
            w_judge.append(near[0] >= near[1] - 1e-12)
            w_human.append(near[1] >= near[0] - 1e-12)
        gap = np.array(w_human, float) - np.array(w_judge, float)
        found[h] = (len(gap), np.mean(w_judge), np.mean(w_human), ttest_1samp(gap, epsilon, alternative="less").pvalue)
    return found


@pytest.mark.parametrize("score", ["rmse", "accuracy"])
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_equals_the_plain_loop(score, epsilon):
    data = made()
    result = alt_test(data, judge="llm", score=score, epsilon=epsilon)
    expected = plain(data, "llm", epsilon, score)
    for row in result.humans:
        n, judge, human, p = expected[row.rater]
        assert (row.n, row.judge_advantage, row.human_advantage) == (n, pytest.approx(judge), pytest.approx(human))
        assert row.p == pytest.approx(p, abs=1e-12)
    adjusted = stats.benjamini_yekutieli([expected[r.rater][3] for r in result.humans])
    assert [r.won for r in result.humans] == adjusted.rejected.tolist()
    assert result.winning_rate == adjusted.rejected.mean()
    assert result.advantage == pytest.approx(np.mean([v[1] for v in expected.values()]))


def test_a_judge_who_is_everybody_wins_and_a_blind_one_does_not():
    truth = [1.0, 2, 3, 4, 5] * 8
    humans = {f"h{i}": truth for i in range(3)}
    good = alt_test(ratings({**humans, "llm": truth}), judge="llm")
    assert (good.winning_rate, good.advantage, good.passes) == (1, 1, True)
    assert good.view().headline.startswith("llm can replace a human rater of meaning: it wins against 3 of 3 raters")
    bad = alt_test(ratings({**humans, "llm": truth[::-1]}), judge="llm")
    assert (bad.winning_rate, bad.advantage, bad.passes) == (0, pytest.approx(0.2), False)
    assert "cannot replace" in bad.view().headline


def test_it_refuses_too_little():
    with pytest.raises(InputError, match="needs 3 human raters of 'meaning'; got 2"):
        alt_test(made(), judge="llm", humans=["h0", "h1"])
    with pytest.raises(InputError, match=r"30 outputs each .* got 0 \(the largest number of outputs is 20\)"):
        alt_test(made(n=20, missing=0), judge="llm")


def test_humans_with_few_outputs_are_skipped():
    data = made(missing=0)
    data.values[3, 20:] = NAN
    result = alt_test(data, judge="llm")
    assert result.skipped == ("h3",)
    assert len(result.humans) == 3


def test_bad_arguments():
    with pytest.raises(UnknownName, match="unknown rater 'lm'"):
        alt_test(made(), judge="lm")
    with pytest.raises(InputError, match="the judge 'llm' is among the humans"):
        alt_test(made(), judge="llm", humans=["h0", "h1", "h2", "llm"])
    with pytest.raises(InputError, match="epsilon must be at least 0"):
        alt_test(made(), judge="llm", epsilon=-1)
    with pytest.raises(InputError, match="score must be one of"):
        alt_test(made(), judge="llm", score="bleu")


@pytest.mark.slow
def test_false_passes_are_rare():
    """Random judge, random humans, epsilon 0: neither is nearer, so the judge may win at most q of the time."""
    rng = np.random.default_rng(0)
    wins = 0.0
    for _ in range(200):
        rows = {f"h{i}": rng.integers(1, 6, size=100).astype(float).tolist() for i in range(3)}
        rows["llm"] = rng.integers(1, 6, size=100).astype(float).tolist()
        wins += alt_test(ratings(rows), judge="llm", epsilon=0.0).winning_rate
    assert wins / 200 < 0.05


def test_half_of_the_raters_are_enough():
    """Calderon et al. 2025, section 3: the judge passes at a winning rate of at least 0.5."""
    truth = [1.0, 2, 3, 4, 5] * 8
    careless = {"h1": truth[3:] + truth[:3], "h2": truth[2:] + truth[:2]}
    llm = [value if n % 2 else 6 - value for n, value in enumerate(truth)]
    result = alt_test(ratings({"h3": truth, "h4": truth, **careless, "llm": llm}), judge="llm")
    assert {row.rater: row.won for row in result.humans} == {"h1": True, "h2": True, "h3": False, "h4": False}
    assert result.winning_rate == 0.5
    assert result.passes
    assert result.view().headline.startswith("llm can replace a human rater of meaning: it wins against 2 of 4 raters")
