"""Variance components: textbook figures, plain twins, and recovery of what was put in."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats.variance_components import NAMES, complete_components, variance_components


def draw(rng, shape, parts):
    """Ratings of a complete table with these components."""
    s, i, r = shape
    sizes = {
        "system": (s, 1, 1),
        "item": (1, i, 1),
        "rater": (1, 1, r),
        "system_item": (s, i, 1),
        "system_rater": (s, 1, r),
        "item_rater": (1, i, r),
        "rest": (s, i, r),
    }
    return sum(rng.normal(0, np.sqrt(parts[name]), size) for name, size in sizes.items())


def estimate(table, mask=None):
    levels = np.indices(table.shape).reshape(3, -1)
    cells = np.ones(table.size, bool) if mask is None else mask.ravel()
    return variance_components(table.ravel()[cells], *levels[:, cells])


def anova_twin(table):
    """The textbook analysis of variance of a complete three-way table, mean square by mean square."""
    s, i, r = table.shape
    grand = table.mean()

    def mean(*axes):
        return table.mean(axis=tuple(a for a in range(3) if a not in axes), keepdims=True)

    effects = {"system": mean(0) - grand, "item": mean(1) - grand, "rater": mean(2) - grand}
    effects["system_item"] = mean(0, 1) - mean(0) - mean(1) + grand
    effects["system_rater"] = mean(0, 2) - mean(0) - mean(2) + grand
    effects["item_rater"] = mean(1, 2) - mean(1) - mean(2) + grand
    effects["rest"] = table - sum(effects.values()) - grand
    df = dict(zip(NAMES, [s - 1, i - 1, r - 1, (s - 1) * (i - 1), (s - 1) * (r - 1), (i - 1) * (r - 1)], strict=False))
    df["rest"] = (s - 1) * (i - 1) * (r - 1)
    ms = {n: (np.broadcast_to(e, table.shape) ** 2).sum() / df[n] for n, e in effects.items()}
    rest = ms["rest"]
    si, sr, ir = ((ms[n] - rest) / k for n, k in (("system_item", r), ("system_rater", i), ("item_rater", s)))
    return {
        "system": (ms["system"] - ms["system_item"] - ms["system_rater"] + rest) / (i * r),
        "item": (ms["item"] - ms["system_item"] - ms["item_rater"] + rest) / (s * r),
        "rater": (ms["rater"] - ms["system_rater"] - ms["item_rater"] + rest) / (s * i),
        "system_item": si,
        "system_rater": sr,
        "item_rater": ir,
        "rest": rest,
    }


def test_shrout_and_fleiss():
    """Shrout and Fleiss 1979, Table 2: six targets, four judges; mean squares 11.24, 32.49 and 1.02."""
    table = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)
    parts = estimate(table[None])
    assert parts.item == pytest.approx((11.2417 - 1.0194) / 4, abs=1e-3)
    assert parts.rater == pytest.approx((32.4861 - 1.0194) / 6, abs=1e-3)
    assert parts.item_rater == pytest.approx(1.0194, abs=1e-3)
    assert np.isnan(parts.system)
    assert np.isnan(parts.rest)


@pytest.mark.parametrize("shape", [(2, 3, 2), (4, 5, 3), (3, 8, 4)])
def test_complete_tables_equal_the_analysis_of_variance(shape):
    rng = np.random.default_rng(sum(shape))
    table = rng.normal(size=shape) + rng.normal(size=(shape[0], 1, 1)) * 3
    expected = anova_twin(table)
    parts = variance_components(table.ravel(), *np.indices(shape).reshape(3, -1), clip=False)
    quick = complete_components(table, clip=False)
    for name, value in expected.items():
        assert getattr(parts, name) == pytest.approx(value, abs=1e-10), name
        assert getattr(quick, name) == pytest.approx(value, abs=1e-10), name
    assert set(parts.negative) == {name for name, value in expected.items() if value < 0}


def test_summeval_experts(shared_file):
    """Published with the planning method: components of SummEval's three experts, complete 16 x 100 x 3."""
    import assay

    data = assay.read(shared_file("summeval.jsonl.gz"))
    expected = {
        "coherence": (0.309, 0.506, 0.085, 0.414),
        "consistency": (0.297, 0.523, 0.006, 0.082),
        "fluency": (0.132, 0.330, 0.005, 0.159),
        "relevance": (0.105, 0.275, 0.036, 0.386),
    }
    for dimension, figures in expected.items():
        rows = [
            (j.score, j.system, item.id, j.rater)
            for item in data
            for j in item.judgments
            if j.dimension == dimension and j.rater.startswith("expert")
        ]
        codes = [np.unique([row[k] for row in rows], return_inverse=True)[1] for k in (1, 2, 3)]
        parts = variance_components([row[0] for row in rows], *codes)
        assert (parts.system, parts.system_item, parts.system_rater, parts.rest) == pytest.approx(figures, abs=5.1e-4)


def test_with_cells_missing_the_mean_estimate_is_what_was_put_in():
    truth = dict(zip(NAMES, (0.4, 0.2, 0.3, 0.5, 0.1, 0.2, 0.6), strict=True))
    rng = np.random.default_rng(1)
    estimates = []
    for _ in range(300):
        table = draw(rng, (5, 12, 6), truth)
        mask = rng.random(table.shape) < 0.6
        levels = np.indices(table.shape).reshape(3, -1)[:, mask.ravel()]
        parts = variance_components(table[mask], *levels, clip=False)
        estimates.append([getattr(parts, name) for name in NAMES])
    means, errors = np.mean(estimates, axis=0), np.std(estimates, axis=0) / np.sqrt(len(estimates))
    assert (np.abs(means - list(truth.values())) < 4 * errors).all()


def test_statsmodels_agrees():
    """REML of a crossed model by statsmodels, on a complete table where REML and ANOVA estimates are the same."""
    import warnings

    import pandas as pd
    import statsmodels.formula.api as smf

    rng = np.random.default_rng(3)
    truth = dict(zip(NAMES, (0.5, 0.3, 0.3, 0.4, 0.2, 0.2, 0.3), strict=True))
    shape = (4, 5, 4)
    table = draw(rng, shape, truth)
    parts = estimate(table)
    assert not parts.negative
    s, i, r = np.indices(shape).reshape(3, -1)
    frame = pd.DataFrame({"y": table.ravel(), "s": s, "i": i, "r": r, "one": 1})
    formulas = {"s": "0 + C(s)", "i": "0 + C(i)", "r": "0 + C(r)"}
    formulas |= {"si": "0 + C(s):C(i)", "sr": "0 + C(s):C(r)", "ir": "0 + C(i):C(r)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smf.mixedlm("y ~ 1", frame, groups="one", vc_formula=formulas).fit(method=["lbfgs"])
    ours = {"i": parts.item, "ir": parts.item_rater, "r": parts.rater, "s": parts.system, "si": parts.system_item}
    ours["sr"] = parts.system_rater
    theirs = dict(zip(fit.model.exog_vc.names, fit.vcomp, strict=True))
    assert theirs == pytest.approx(ours, abs=0.02)
    assert fit.scale == pytest.approx(parts.rest, abs=0.01)


def test_what_a_design_cannot_tell_is_nan():
    rng = np.random.default_rng(0)
    one_rater = estimate(rng.normal(size=(3, 4, 1)))
    assert np.isnan([one_rater.rater, one_rater.system_rater, one_rater.item_rater, one_rater.rest]).all()
    assert one_rater.system_item >= 0


def test_generalizability_by_hand():
    parts = variance_components([1.0, 2, 4, 3, 2, 5, 6, 8], *np.indices((2, 2, 2)).reshape(3, -1))
    noise = parts.system_item / 10 + parts.system_rater / 4 + parts.rest / 20
    assert parts.generalizability(10, 4, 2) == pytest.approx(parts.system / (parts.system + noise))
    more = noise + parts.item / 10 + parts.rater / 4 + parts.item_rater / 20
    assert parts.dependability(10, 4, 2) == pytest.approx(parts.system / (parts.system + more))


def test_bad_input():
    with pytest.raises(InputError, match="equal length"):
        variance_components([1.0, 2.0], [0, 1], [0, 1], [0])
    with pytest.raises(InputError, match="at least two ratings"):
        variance_components([1.0], [0], [0], [0])
