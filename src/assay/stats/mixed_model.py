"""Estimate effects when rows share raters, items or editors: a linear mixed model with crossed random intercepts.

y = X b + sum over factors of (an intercept drawn for each level) + e, fitted by restricted maximum likelihood (REML).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import Array, Bools, Ints, floats, warn_undefined


@dataclass(frozen=True)
class MixedModel:
    """Fixed effects with standard errors and two-sided normal p-values, and the variance of each factor's intercepts.

    `loglik` is the restricted log-likelihood: compare it between models with the same X only. `rows` and `levels` count
    what entered the fit.
    """

    names: tuple[str, ...]
    effects: Array
    errors: Array
    pvalues: Array
    covariance: Array
    variances: dict[str, float]
    residual: float
    loglik: float
    rows: int
    levels: dict[str, int]


def mixed_model(
    y: ArrayLike, x: ArrayLike, groups: Mapping[str, ArrayLike], *, names: Sequence[str] | None = None
) -> MixedModel:
    """Fit y on the columns of x (rows x effects, with a column of ones for the intercept) and random intercepts.

    `groups` maps each factor to the label of every row (NaN or None: missing); factors may cross or nest. REML profiles
    out the effects and the residual variance (Bates et al. 2015, section 3): with V = I + sum phi_f Z_f Z_f' and P the
    projection that removes X, it minimizes log|V| + log|X' V^-1 X| + (n - p) log y' P y over the ratios of variances
    phi_f >= 0. Standard errors come from the residual variance times (X' V^-1 X)^-1 and take the variances as known;
    p-values are normal, so too small when a factor has few levels. A variance of 0 is a valid answer.

    Rows with a missing value are left out. Linearly dependent columns, a factor with one level or one level per row, or
    two factors with the same levels, are errors. Fewer rows than effects + 2, or no residual: NaN with an
    UndefinedWarning. Time grows with the cube of the number of levels in all.

    >>> rater = np.repeat(["a", "b", "c", "d"], 5)
    >>> dose = np.tile([0.0, 1, 2, 3, 4], 4)
    >>> y = dose * 0.5 + np.repeat([1.0, 3, 2, 5], 5) + np.tile([0.1, -0.2, 0.1, 0.3, -0.3], 4)
    >>> fit = mixed_model(y, np.column_stack([np.ones(20), dose]), {"rater": rater}, names=["intercept", "dose"])
    >>> fit.effects.round(3), fit.errors.round(3), round(fit.variances["rater"], 2), round(fit.residual, 3)
    (array([2.81, 0.47]), array([0.858, 0.039]), 2.9, 0.062)
    """
    outcome, design = floats(y, "y", ndim=1), floats(x, "x", ndim=2)
    labels = {factor: np.asarray(values, dtype=object) for factor, values in groups.items()}
    columns = _column_names(names, design.shape[1])
    _check_rows(outcome, design, labels)
    present = _present_rows(outcome, design, labels)
    outcome, design = outcome[present], design[present]
    levels = {f: np.unique(values[present].astype(str), return_inverse=True)[1] for f, values in labels.items()}
    counts = {factor: int(codes.max(initial=-1)) + 1 for factor, codes in levels.items()}
    rows, width = design.shape
    if rows < width + 2:
        warn_undefined(f"mixed model of {rows} complete rows and {width} effects; it needs {width + 2} rows")
        return _undefined_model(columns, counts, rows)
    _check_design(design, columns, levels, counts)
    problem = _Problem(outcome, design, levels)
    if problem.perfect:
        warn_undefined(f"mixed model of {rows} rows that x and the groups explain without a residual")
        return _undefined_model(columns, counts, rows)
    return _result(problem, columns, counts, list(levels))


def _result(problem: _Problem, columns: tuple[str, ...], counts: dict[str, int], factors: list[str]) -> MixedModel:
    from scipy.special import ndtr

    ratios = problem.minimize()
    effects, unscaled, residual, deviance = problem.solve(ratios)
    errors = np.sqrt(residual * np.diag(unscaled))
    return MixedModel(
        names=columns,
        effects=effects,
        errors=errors,
        pvalues=2 * ndtr(-np.abs(effects / errors)),
        covariance=residual * unscaled,
        variances={factor: float(residual * ratio) for factor, ratio in zip(factors, ratios, strict=True)},
        residual=residual,
        loglik=-deviance / 2,
        rows=problem.rows,
        levels=counts,
    )


class _Problem:
    """The cross products of y, X and the indicators Z, all that the likelihood needs."""

    def __init__(self, y: Array, x: Array, levels: Mapping[str, Ints]) -> None:
        from scipy.linalg import qr, solve_triangular

        self.rows, self.width = x.shape
        basis, triangle = qr(x, mode="economic")
        self._back = solve_triangular(triangle, np.eye(self.width))  # effects of x from effects of its basis
        self._ordinary = basis.T @ y
        self._rest = y - basis @ self._ordinary  # y'Py does not change, and differences of large sums are avoided
        z = np.hstack([np.eye(int(codes.max()) + 1)[codes] for codes in levels.values()])
        self._factor = np.repeat(np.arange(len(levels)), [int(codes.max()) + 1 for codes in levels.values()])
        self._zz, self._zx, self._zy = z.T @ z, z.T @ basis, z.T @ self._rest
        self._log_scale = -2 * float(np.log(np.abs(np.diag(self._back))).sum())
        explained = self._zy @ np.linalg.lstsq(self._zz - self._zx @ self._zx.T, self._zy, rcond=None)[0]
        self.perfect = bool(self._rest @ self._rest - explained <= 1e-11 * (y @ y))

    def minimize(self) -> Array:
        """Return the ratios of variances with the lowest deviance."""
        from scipy.optimize import minimize

        count = int(self._factor.max()) + 1
        options = {"maxiter": 500, "ftol": 1e-15, "gtol": 1e-9}
        limits = [(0.0, None)] * count
        return np.asarray(minimize(self._deviance, np.ones(count), jac=True, bounds=limits, options=options).x)

    def solve(self, ratios: Array) -> tuple[Array, Array, float, float]:
        """Return effects, their covariance over the residual variance, that variance, and the restricted deviance."""
        _, inner, xx, xy, squares = self._project(ratios)
        degrees = self.rows - self.width
        residual = squares / degrees
        inverse = np.linalg.inv(xx)
        effects = self._back @ (self._ordinary + inverse @ xy)
        logs = np.linalg.slogdet(inner)[1] + np.linalg.slogdet(xx)[1] + self._log_scale
        deviance = logs + degrees * (1 + np.log(2 * np.pi * residual))
        return effects, self._back @ inverse @ self._back.T, float(residual), float(deviance)

    def _project(self, ratios: Array) -> tuple[Array, Array, Array, Array, float]:
        """Apply V^-1 = I - Z D (I + D Z'Z D)^-1 D Z' with D = sqrt(phi): the parts that hold X, y and the squares."""
        from scipy.linalg import solve_triangular

        root = np.sqrt(ratios)[self._factor]
        inner = np.eye(len(root)) + root[:, None] * self._zz * root
        half = solve_triangular(np.linalg.cholesky(inner), np.diag(root), lower=True)
        zx, zy = half @ self._zx, half @ self._zy
        xx, xy = np.eye(self.width) - zx.T @ zx, -zx.T @ zy
        squares = float(self._rest @ self._rest - zy @ zy - xy @ np.linalg.solve(xx, xy))
        return half, inner, xx, xy, squares

    def _deviance(self, ratios: Array) -> tuple[float, Array]:
        """Return the deviance per degree of freedom, without constants, and its gradient in the ratios.

        d/d phi_f = tr(Z_f' P Z_f) - (n - p) |Z_f' P y|^2 / y'Py.
        """
        half, inner, xx, xy, squares = self._project(ratios)
        degrees = self.rows - self.width
        value = np.linalg.slogdet(inner)[1] + np.linalg.slogdet(xx)[1] + degrees * np.log(squares)
        side = half @ self._zz
        vx, vy = self._zx - side.T @ (half @ self._zx), self._zy - side.T @ (half @ self._zy)  # Z' V^-1 X, Z' V^-1 y
        diagonal = np.diag(self._zz) - (side**2).sum(axis=0) - (vx * np.linalg.solve(xx, vx.T).T).sum(axis=1)
        projected = vy - vx @ np.linalg.solve(xx, xy)
        slope = diagonal - degrees * projected**2 / squares
        return float(value) / degrees, np.bincount(self._factor, weights=slope) / degrees


def _column_names(names: Sequence[str] | None, width: int) -> tuple[str, ...]:
    columns = tuple(f"x{i}" for i in range(width)) if names is None else tuple(names)
    if len(columns) != width:
        raise InputError(f"names must hold one name per column of x, got {len(columns)} for {width} columns")
    return columns


def _check_rows(y: Array, x: Array, labels: Mapping[str, Array]) -> None:
    lengths = {"y": len(y), "x": len(x), **{factor: len(values) for factor, values in labels.items()}}
    if len(set(lengths.values())) > 1:
        raise InputError(f"y, x and groups must have one row each, got {lengths}")
    if not labels:
        raise InputError("at least one grouping factor is needed; without one this is ordinary least squares")


def _present_rows(y: Array, x: Array, labels: Mapping[str, Array]) -> Bools:
    missing = np.isnan(y) | np.isnan(x).any(axis=1)
    for values in labels.values():
        missing |= np.array([v is None or v != v for v in values], dtype=bool)
    return ~missing


def _check_design(x: Array, columns: Sequence[str], levels: Mapping[str, Ints], counts: Mapping[str, int]) -> None:
    """Refuse what cannot be told apart, by name."""
    for i in range(x.shape[1]):
        if np.linalg.matrix_rank(x[:, : i + 1]) <= i:
            raise InputError(f"column {columns[i]!r} of x is a combination of the columns before it; leave it out")
    for factor, count in counts.items():
        if not 1 < count < len(x):
            problem = "one level" if count == 1 else "a level for each row"
            raise InputError(f"factor {factor!r} has {problem}, so its variance cannot be estimated; leave it out")
    factor_of: dict[bytes, str] = {}
    for factor, codes in levels.items():
        first = factor_of.setdefault(np.unique(codes, return_index=True)[1][codes].tobytes(), factor)
        if first != factor:
            raise InputError(f"factors {first!r} and {factor!r} group the rows in the same way; leave one out")


def _undefined_model(columns: tuple[str, ...], counts: dict[str, int], rows: int) -> MixedModel:
    nan, missing = float("nan"), np.full(len(columns), np.nan)
    table = np.full((len(columns), len(columns)), np.nan)
    return MixedModel(
        columns, missing, missing, missing, table, dict.fromkeys(counts, nan), nan, nan, rows, dict(counts)
    )
