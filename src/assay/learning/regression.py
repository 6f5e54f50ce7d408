"""Ridge, and the three regressions of CLASSY (Rankel et al. 2012): robust, non-negative, canonical correlation."""

from __future__ import annotations

import numpy as np

from ..data.scores import Floats

TUNES = {"bisquare": 4.685, "huber": 1.345}
_NORMAL = 0.6744897501960817  # the 75% point of the normal distribution: the median absolute error over the deviation
_STEPS = 100
_NEAR = 1e-8


def ridge(x: Floats, y: Floats, *, penalty: float = 1.0, monotone: bool = False) -> Floats:
    """Return argmin |y - x w|^2 + penalty |w|^2; with `monotone` among the w that are 0 or more.

    >>> x, y = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]]), np.array([-1.0, 1.0, 1.0])
    >>> ridge(x, y, penalty=0.5).round(3).tolist()
    [0.769, -0.615]
    >>> ridge(x, y, penalty=0.5, monotone=True).round(3).tolist()
    [0.545, 0.0]
    """
    gram, target = x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y
    if not monotone:
        return np.linalg.solve(gram, target).astype(np.float64)
    from scipy.optimize import nnls

    root = np.linalg.cholesky(gram)  # |y - x w|^2 + penalty |w|^2 = |root' w - root^-1 target|^2 + a constant
    weights: Floats = nnls(root.T, np.linalg.solve(root, target))[0]
    return weights


def irls(x: Floats, y: Floats, *, weight: str = "bisquare", tune: float = 0.0) -> tuple[Floats, float]:
    """Return weights and intercept by iteratively reweighted least squares, as statsmodels' RLM.

    An error of e deviations counts (1 - (e / tune)^2)^2, and nothing beyond tune (bisquare), or min(1, tune / e)
    (huber). The deviation is the median absolute error / .6745; where that is 0, more than half of the rows are met
    exactly and the fit stays.

    >>> x = np.arange(6.0)[:, None]
    >>> w, b = irls(x, np.array([1.0, 3.0, 5.0, 7.0, 9.0, 61.0]))
    >>> w.round(6).tolist(), round(b, 6)
    ([2.0], 1.0)
    """
    tune = tune or TUNES[weight]
    design = np.column_stack([np.ones(len(x)), x])
    beta = np.linalg.lstsq(design, y, rcond=None)[0]
    for _ in range(_STEPS):
        error = np.abs(y - design @ beta)
        deviation = float(np.median(error)) / _NORMAL
        if deviation <= 1e-12 * max(1.0, float(np.abs(y).max())):
            break
        share = error / (tune * deviation)
        if weight == "huber":
            counts = 1 / np.maximum(share, 1.0)
        else:
            counts = np.where(share < 1, (1 - np.minimum(share, 1.0) ** 2) ** 2, 0.0)
        root = np.sqrt(counts)
        before, beta = beta, np.linalg.lstsq(design * root[:, None], y * root, rcond=None)[0]
        if np.abs(beta - before).max() <= _NEAR * max(1.0, float(np.abs(beta).max())):
            break
    weights: Floats = beta[1:].astype(np.float64)
    return weights, float(beta[0])


def non_negative(x: Floats, y: Floats) -> tuple[Floats, float]:
    """Return least-squares weights that are 0 or more, with a free intercept.

    >>> w, b = non_negative(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]]), np.array([1.0, 2.0, 3.0]))
    >>> w.round(6).tolist(), round(b, 6)
    ([1.0, 0.0], 1.0)
    """
    from scipy.optimize import nnls

    middle, height = x.mean(axis=0), float(y.mean())
    weights = nnls(x - middle, y - height)[0]
    return weights, height - float(middle @ weights)


def canonical(x: Floats, y: Floats) -> Floats:
    """Return the combination of x's columns most correlated with a combination of y's, positive with the first target.

    >>> x = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 1.0]])
    >>> w = canonical(x, (x @ [2.0, 1.0])[:, None])
    >>> round(float(w[0] / w[1]), 6)
    2.0
    """
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    u, s, v = _whiten(x)
    q, _, _ = _whiten(y)
    left, _, _ = np.linalg.svd(u.T @ q, full_matrices=False)
    weights: Floats = v @ (left[:, 0] / s) if left.size else np.zeros(x.shape[1])
    return weights if float((x @ weights) @ y[:, 0]) >= 0 else -weights


def _whiten(a: Floats) -> tuple[Floats, Floats, Floats]:
    """Return u, s, v of a = u s v' with the directions in which nothing varies left out."""
    u, s, v = np.linalg.svd(a, full_matrices=False)
    varying = s > 1e-10 * (s[0] if len(s) else 0.0)
    return u[:, varying], s[varying], v[varying].T
