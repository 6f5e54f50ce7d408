"""Means adjusted for items, clusters and raters: equal to statsmodels and to the plain mixed model."""

import numpy as np
import pytest

from assay.errors import InputError
from assay.stats import crossed_model, mixed_model


def draw(seed=1, systems=4, items=60, clusters=12, share=0.6):
    rng = np.random.default_rng(seed)
    s, item = (codes.ravel() for codes in np.indices((systems, items)))
    cluster = item % clusters
    y = (
        0.3 * s
        + 0.8 * rng.normal(size=items)[item]
        + 0.5 * rng.normal(size=clusters)[cluster]
        + rng.normal(size=len(s))
    )
    keep = rng.random(len(s)) < share
    return y[keep], s[keep], item[keep], cluster[keep]


def test_equals_the_mixed_model():
    y, s, item, cluster = draw()
    fit = crossed_model(y, s, {"item": item, "cluster": cluster}, pooled=True)
    plain = mixed_model(y, np.eye(4)[s], {"item": item, "cluster": cluster})
    assert fit.means == pytest.approx(plain.effects, rel=1e-6)
    assert fit.covariance == pytest.approx(plain.covariance, rel=1e-5)
    assert fit.variances == pytest.approx(plain.variances, rel=1e-5)
    assert fit.loglik == pytest.approx(plain.loglik, rel=1e-9)


def test_equals_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    y, s, item, _ = draw(share=0.7)
    reference = sm.MixedLM(y, np.eye(4)[s], groups=item).fit(reml=True)
    fit = crossed_model(y, s, {"item": item}, pooled=True)
    assert fit.means == pytest.approx(reference.fe_params, rel=1e-4)
    assert fit.loglik == pytest.approx(reference.llf, rel=1e-9)
    # statsmodels takes its errors from the second derivatives in effects and variances together
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(reference.bse_fe, rel=1e-3)
    assert fit.variances["item"] == pytest.approx(reference.cov_re[0, 0], rel=1e-4)
    assert fit.residual[0] == pytest.approx(reference.scale, rel=1e-4)


def test_error_variance_of_each_system():
    """By the likelihood: no other set of variances has a higher one."""
    y, s, item, cluster = draw(seed=4)
    y = np.where(s == 2, 3 * y, y)
    fit = crossed_model(y, s, {"item": item, "cluster": cluster})
    assert fit.residual[2] > 3 * fit.residual[0]
    assert len(fit.residual) == 4
    codes = [item, cluster]

    def loglik(errors, components):
        v = np.diag(np.asarray(errors)[s])
        for c, variance in zip(codes, components, strict=True):
            v += variance * (c[:, None] == c)
        x = np.eye(4)[s]
        inverse = np.linalg.inv(v)
        a = x.T @ inverse @ x
        rest = y - x @ np.linalg.solve(a, x.T @ inverse @ y)
        logs = np.linalg.slogdet(v)[1] + np.linalg.slogdet(a)[1]
        return -(logs + rest @ inverse @ rest + (len(y) - 4) * np.log(2 * np.pi)) / 2

    components = [fit.variances["item"], fit.variances["cluster"]]
    best = loglik(fit.residual, components)
    assert fit.loglik == pytest.approx(best, rel=1e-9)
    for k in range(4):
        for factor in (0.95, 1.05):
            errors = fit.residual.copy()
            errors[k] *= factor
            assert loglik(errors, components) < best
    for k in range(2):
        for factor in (0.9, 1.1):
            changed = [c * factor if n == k else c for n, c in enumerate(components)]
            assert loglik(fit.residual, changed) <= best + 1e-9


def test_complete_scores_are_the_paired_t_test():
    """Two complete systems: the difference of means, its paired error, and n - 1 degrees of freedom."""
    rng = np.random.default_rng(0)
    base = 2 * rng.normal(size=20)
    x = base + rng.normal(size=(2, 20))
    s, item = (codes.ravel() for codes in np.indices((2, 20)))
    fit = crossed_model(x.ravel(), s, {"item": item}, pooled=True)
    d = x[0] - x[1]
    assert fit.difference[0, 1] == pytest.approx(d.mean())
    assert fit.error[0, 1] == pytest.approx(d.std(ddof=1) / np.sqrt(20), rel=1e-4)
    assert fit.df[0, 1] == pytest.approx(19, rel=0.02)


def test_units_do_not_matter():
    y, s, item, _ = draw()
    one, other = crossed_model(y, s, {"item": item}), crossed_model(1000 * y, s, {"item": item})
    assert other.error == pytest.approx(1000 * one.error, rel=1e-6)
    assert other.df[0, 1] == pytest.approx(one.df[0, 1], rel=1e-5)


def test_bad_input():
    with pytest.raises(InputError, match="each system needs two scores, got 1"):
        crossed_model([1.0, 2, 3], [0, 0, 1], {"item": [0, 1, 0]})
    with pytest.raises(InputError, match="one entry per row, none missing"):
        crossed_model([1.0, np.nan, 3], [0, 0, 1], {"item": [0, 1, 0]})
