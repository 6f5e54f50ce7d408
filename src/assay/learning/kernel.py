"""Support vector regression on a Gaussian kernel, plain or with a constant for every topic."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.scores import Floats
from ..errors import InputError
from ..extras import import_extra
from ..metrics import Kernel, gaussian
from .examples import Integers

MAX_ROWS = 12_000  # a table of rows x rows: 1.2 GB


def support_vectors(x: Floats, y: Floats, topic: Integers | None, *, c: float, epsilon: float, gamma: float) -> Kernel:
    """Fit scikit-learn's SVR; with topics, to what is left of each summary's image less its topic's mean image.

    With k the kernel and P the mean over a topic, the kernel is (1 - P) k (1 - P), and a new x gets
    sum of ((1 - P) dual)_i k(x_i, x): an expansion in the rows as without topics. The constant is such that the rows
    have the mean 0, as their targets do.
    """
    if topic is None:
        model = _svr(kernel="rbf", C=c, epsilon=epsilon, gamma=gamma).fit(x, y)
        return Kernel(model.support_vectors_, model.dual_coef_[0], float(model.intercept_[0]), gamma)
    if len(x) > MAX_ROWS:
        raise InputError(
            f"svr compares all summaries with one another, and {len(x):,} are too many (at most {MAX_ROWS:,}): "
            "use ridge or rank, or svr(within=false) and patience"
        )
    plain = gaussian(x, x, gamma)
    level = plain.mean(axis=0)
    share = np.zeros((int(topic.max()) + 1, len(x)))
    share[topic, np.arange(len(x))] = 1 / np.bincount(topic)[topic]
    plain -= (share @ plain)[topic]
    plain -= (plain @ share.T)[:, topic]
    model = _svr(kernel="precomputed", C=c, epsilon=epsilon).fit(plain, y)
    dual = np.zeros(len(x))
    dual[model.support_] = model.dual_coef_[0]
    dual -= (share @ dual)[topic]
    return Kernel(x, dual, -float(level @ dual), gamma)


def _svr(**parameters: Any) -> Any:
    svm = import_extra("sklearn.svm", "learn", "support vector regression (svr; ridge and rank do without)")
    return svm.SVR(cache_size=500, **parameters)
