"""The mixed model: equal to lme4, MixedModels.jl, statsmodels, and a likelihood written with the full covariance."""

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
import statsmodels.api
from stats_twins import same

from assay import stats
from assay.errors import InputError, UndefinedWarning

# Davies and Goldsmith (1972): yields of dyestuff, five samples of each of six batches; Dyestuff in lme4.
DYESTUFF = """1545 1440 1440 1520 1580  1540 1555 1490 1560 1495  1595 1550 1605 1510 1560
              1445 1440 1595 1465 1545  1595 1630 1515 1635 1625  1520 1455 1450 1480 1445"""
# The same source: six samples of penicillin (columns) on each of 24 plates (rows); Penicillin in lme4.
PENICILLIN = """
27 23 26 23 23 21  27 23 26 23 23 21  25 21 25 24 24 20  26 23 25 23 23 20  25 22 26 22 23 20  24 22 25 23 22 19
24 20 23 21 22 19  26 22 26 24 24 21  24 21 24 22 22 20  24 21 24 23 22 19  26 23 26 24 24 21  25 22 26 24 24 20
26 24 26 24 25 22  26 23 26 23 23 20  26 23 25 24 24 22  25 22 25 23 23 20  25 21 24 23 23 20  25 22 24 23 23 19
24 21 23 21 21 19  26 23 26 24 24 21  25 21 24 22 22 18  25 22 25 22 22 20  24 21 24 22 24 19  24 21 24 22 21 18"""


def draw(seed, rows=240, deviations=(0.7, 0.4), levels=(9, 14)):
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), rng.normal(size=rows), rng.integers(0, 2, rows)])
    codes = [rng.integers(0, count, rows) for count in levels]
    y = x @ [3, 0.5, -0.2] + rng.normal(size=rows)
    for sd, count, code in zip(deviations, levels, codes, strict=True):
        y += sd * rng.normal(size=count)[code]
    return y, x, dict(zip("ab", codes, strict=True))


def plain_deviance(variances, y, x, groups):
    """-2 restricted log-likelihood from the full covariance matrix; the last variance is the residual."""
    v = variances[-1] * np.eye(len(y))
    for variance, codes in zip(variances, groups.values(), strict=False):
        v += variance * (np.asarray(codes)[:, None] == np.asarray(codes))
    inverse = np.linalg.inv(v)
    information = x.T @ inverse @ x
    effects = np.linalg.solve(information, x.T @ inverse @ y)
    rest = y - x @ effects
    logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(information)[1]
    deviance = logs + rest @ inverse @ rest + (len(y) - x.shape[1]) * np.log(2 * np.pi)
    return deviance, effects, np.linalg.inv(information)


def test_dyestuff_equals_lme4():
    """lme4 1.1, lmer(Yield ~ 1 + (1 | Batch)): REML criterion 319.6543, intercept 1527.50 with error 19.38."""
    y = np.array(DYESTUFF.split(), dtype=float)
    fit = stats.mixed_model(y, np.ones((30, 1)), {"batch": np.repeat(list("ABCDEF"), 5)})
    assert -2 * fit.loglik == pytest.approx(319.6543, abs=5e-5)
    assert fit.variances["batch"] == pytest.approx(1764.05, abs=5e-3)
    assert fit.residual == pytest.approx(2451.25, abs=5e-3)
    assert (fit.effects[0], fit.errors[0]) == pytest.approx((1527.5, 19.3834), abs=1e-4)
    assert (fit.rows, fit.levels) == (30, {"batch": 6})


def test_penicillin_equals_mixed_models_jl():
    """MixedModels.jl, diameter ~ 1 + (1 | plate) + (1 | sample), REML = true: criterion 330.8605889912561."""
    y = np.array(PENICILLIN.split(), dtype=float)
    groups = {"plate": np.repeat(range(24), 6), "sample": np.tile(list("ABCDEF"), 24)}
    fit = stats.mixed_model(y, np.ones((144, 1)), groups)
    assert -2 * fit.loglik == pytest.approx(330.8605889912561, abs=1e-6)
    assert fit.variances == pytest.approx({"plate": 0.716908, "sample": 3.730907}, abs=2e-5)
    assert fit.residual == pytest.approx(0.302416, abs=1e-6)


def test_one_factor_equals_statsmodels():
    y, x, groups = draw(0)
    fit = stats.mixed_model(y, x, {"a": groups["a"]})
    twin = statsmodels.api.MixedLM(y, x, groups=groups["a"]).fit(reml=True)
    assert same(fit.effects, twin.fe_params, 1e-4)
    assert same(fit.errors, twin.bse_fe, 1e-4)
    assert fit.variances["a"] == pytest.approx(float(twin.cov_re[0, 0]), abs=1e-4)
    assert fit.residual == pytest.approx(twin.scale, abs=1e-4)
    assert fit.loglik == pytest.approx(twin.llf, abs=1e-6)
    assert same(fit.pvalues, twin.pvalues[:3], 1e-4)


def test_crossed_factors_equal_statsmodels():
    import pandas as pd
    import statsmodels.formula.api as formula

    y, x, groups = draw(1)
    fit = stats.mixed_model(y, x, groups)
    data = pd.DataFrame({"y": y, "x1": x[:, 1], "x2": x[:, 2], "one": 1, **groups})
    terms = {"a": "0 + C(a)", "b": "0 + C(b)"}
    twin = formula.mixedlm("y ~ x1 + x2", data, groups="one", re_formula="0", vc_formula=terms).fit(reml=True)
    assert same(fit.effects, twin.fe_params, 1e-4)
    information = -twin.model.hessian(twin.params_object)[0][:3, :3]  # bse_fe also counts the error of the variances
    assert same(fit.errors, np.sqrt(np.diag(np.linalg.inv(information))), 1e-4)
    assert same(list(fit.variances.values()), twin.vcomp, 1e-4)
    assert fit.residual == pytest.approx(twin.scale, abs=1e-4)
    assert fit.loglik == pytest.approx(twin.llf, abs=1e-6)


@pytest.mark.parametrize("deviations", [(0.7, 0.4), (0.0, 1.0), (0.0, 0.0), (60.0, 0.01), (60.0, 40.0)])
def test_equals_the_full_covariance(deviations):
    """Also where a variance is 0 or much larger than the residual."""
    y, x, groups = draw(2, rows=120, deviations=deviations)
    fit = stats.mixed_model(y, x, groups)
    best = np.array([*fit.variances.values(), fit.residual])
    deviance, effects, covariance = plain_deviance(best, y, x, groups)
    assert -2 * fit.loglik == pytest.approx(deviance, abs=1e-6)
    assert same(fit.effects, effects, 1e-7)
    assert same(fit.covariance, covariance, 1e-6)
    assert same(fit.errors, np.sqrt(np.diag(covariance)), 1e-7)

    def loss(logs):
        return plain_deviance(np.exp(logs), y, x, groups)[0]

    start = np.log(np.maximum(best, 1e-4))
    plain = scipy.optimize.minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-10})
    assert -2 * fit.loglik <= plain.fun + 1e-6
    assert same(np.sqrt(best), np.exp(plain.x / 2), 1e-3 * max(1, *deviations) + 0.02 * (best.min() < 1e-3))


def test_balanced_one_factor_is_the_analysis_of_variance():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(8, 6)) + 2 * rng.normal(size=(8, 1))
    fit = stats.mixed_model(values.ravel(), np.ones((48, 1)), {"row": np.repeat(range(8), 6)})
    within, between = values.var(axis=1, ddof=1).mean(), 6 * values.mean(axis=1).var(ddof=1)
    assert fit.residual == pytest.approx(within, abs=1e-6)
    assert fit.variances["row"] == pytest.approx((between - within) / 6, abs=1e-5)


def test_missing_rows_are_left_out():
    y, x, groups = draw(4)
    fit = stats.mixed_model(y[3:], x[3:], {f: codes[3:] for f, codes in groups.items()})
    y[0], x[1, 1] = np.nan, np.nan
    labels = {"a": groups["a"], "b": [None if i == 2 else int(c) for i, c in enumerate(groups["b"])]}
    other = stats.mixed_model(y, x, labels)
    assert same(fit.effects, other.effects)
    assert fit.rows == other.rows == 237


def test_scale_and_shift_carry_over():
    y, x, groups = draw(5)
    fit, other = stats.mixed_model(y, x, groups), stats.mixed_model(1000 * y + 5e5, x * [1, 10, 1], groups)
    assert same(1000 * fit.effects + [5e5, 0, 0], other.effects * [1, 10, 1], 1e-3)
    assert other.residual == pytest.approx(1e6 * fit.residual, rel=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.ones((6, 2))}, "column 'x1' of x is a combination"),
        ({"groups": {"a": [0] * 6}}, "factor 'a' has one level,"),
        ({"groups": {"a": range(6)}}, "factor 'a' has a level for each row"),
        ({"groups": {"a": list("xxxyyy"), "b": [1, 1, 1, 0, 0, 0]}}, "'a' and 'b' group the rows in the same way"),
        ({"groups": {}}, "at least one grouping factor"),
        ({"groups": {"a": [0, 1]}}, "one row each"),
        ({"names": ["one", "two"]}, "one name per column"),
    ],
)
def test_designs_without_an_answer_are_refused(change, message):
    arguments = {"y": [1.0, 2, 3, 4, 5, 7], "x": np.ones((6, 1)), "groups": {"a": [0, 0, 1, 1, 2, 2]}, **change}
    with pytest.raises(InputError, match=message):
        stats.mixed_model(arguments.pop("y"), arguments.pop("x"), arguments.pop("groups"), **arguments)


def test_too_few_rows_or_no_residual_are_undefined():
    with pytest.warns(UndefinedWarning, match="2 complete rows and 1 effects"):
        fit = stats.mixed_model([1, 2, np.nan], np.ones((3, 1)), {"a": [0, 1, 1]})
    assert np.isnan(fit.effects).all()
    with pytest.warns(UndefinedWarning, match="without a residual"):
        fit = stats.mixed_model([1, 1, 2, 2, 5, 5.0], np.ones((6, 1)), {"a": [0, 0, 1, 1, 2, 2]})
    assert np.isnan(fit.loglik)


@pytest.mark.slow
def test_level_of_a_fixed_effect():
    """Two crossed factors of 30 levels, an effect of 0 that varies within both; 4,000 runs at .05: rejected .058."""
    rejected = 0
    for run in range(4000):
        y, x, groups = draw(run, rows=200, levels=(30, 30))
        fit = stats.mixed_model(y - 0.5 * x[:, 1], x, groups)
        rejected += fit.pvalues[1] <= 0.05
    assert 0.035 <= rejected / 4000 <= 0.065
