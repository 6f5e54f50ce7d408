"""What is left of a model once it is fitted: arrays that predict with NumPy alone, and can be stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.scores import Floats
from ..errors import InputError

_CELLS = 2_000_000  # kernel values at a time: 16 MB


@dataclass(frozen=True, eq=False)
class Linear:
    """intercept + x w.

    >>> Linear(np.array([2.0, 0.0]), 1.0).predict(np.array([[3.0, 5.0]])).tolist()
    [7.0]
    """

    kind: ClassVar[str] = "linear"
    weights: Floats
    intercept: float = 0.0

    @property
    def width(self) -> int:
        """How many features it takes."""
        return len(self.weights)

    def predict(self, x: Floats) -> Floats:
        """Return one number per row."""
        predicted: Floats = x @ self.weights + self.intercept
        return predicted

    def arrays(self) -> dict[str, Floats]:
        """Return what to store."""
        return {"weights": self.weights, "intercept": np.array(self.intercept)}


def gaussian(a: Floats, b: Floats, gamma: float) -> Floats:
    """Return exp(-gamma |a - b|^2) of every row of a with every row of b.

    >>> gaussian(np.array([[0.0]]), np.array([[0.0], [1.0]]), 1.0).round(4).tolist()
    [[1.0, 0.3679]]
    """
    squares = a @ b.T
    squares *= -2
    squares += (a * a).sum(axis=1)[:, None]
    squares += (b * b).sum(axis=1)
    np.maximum(squares, 0.0, out=squares)
    squares *= -gamma
    kernel: Floats = np.exp(squares, out=squares)
    return kernel


@dataclass(frozen=True, eq=False)
class Kernel:
    """intercept + sum over support vectors s of dual_s exp(-gamma |x - s|^2): scikit-learn's SVR with an RBF kernel.

    >>> Kernel(np.array([[0.0], [1.0]]), np.array([1.0, -1.0]), 0.5, 1.0).predict(np.array([[0.5]])).tolist()
    [0.5]
    """

    kind: ClassVar[str] = "rbf"
    vectors: Floats
    dual: Floats
    intercept: float
    gamma: float

    @property
    def width(self) -> int:
        """How many features it takes."""
        return int(self.vectors.shape[1])

    def predict(self, x: Floats) -> Floats:
        """Return one number per row."""
        step = max(1, _CELLS // max(1, len(self.vectors)))
        parts = [self._some(x[at : at + step]) for at in range(0, len(x), step)]
        return np.concatenate(parts) if parts else np.empty(0)

    def _some(self, x: Floats) -> Floats:
        predicted: Floats = gaussian(x, self.vectors, self.gamma) @ self.dual + self.intercept
        return predicted

    def arrays(self) -> dict[str, Floats]:
        """Return what to store."""
        numbers = {"intercept": np.array(self.intercept), "gamma": np.array(self.gamma)}
        return {"vectors": self.vectors, "dual": self.dual, **numbers}


Predictor = Linear | Kernel


def from_arrays(kind: str, arrays: Mapping[str, Floats]) -> Predictor:
    """Return the predictor that `arrays()` came from; an InputError where they do not make one.

    >>> from_arrays("linear", Linear(np.array([2.0]), 1.0).arrays()).width
    1
    """
    if kind not in ("linear", "rbf"):
        raise InputError(f"there is no predictor {kind!r}; there are linear and rbf")
    try:
        predictor = _linear(arrays) if kind == "linear" else _kernel(arrays)
    except KeyError as error:
        raise InputError(f"the arrays of a {kind} predictor lack {error.args[0]!r}") from error
    except TypeError:
        predictor = None
    if predictor is None:
        raise InputError(f"the arrays of a {kind} predictor have the wrong shape")
    return predictor


def _linear(arrays: Mapping[str, Floats]) -> Predictor | None:
    weights, intercept = arrays["weights"], float(arrays["intercept"])
    return Linear(weights, intercept) if weights.ndim == 1 else None


def _kernel(arrays: Mapping[str, Floats]) -> Predictor | None:
    vectors, dual = arrays["vectors"], arrays["dual"]
    fits = vectors.ndim == 2 and dual.shape == (len(vectors),)
    return Kernel(vectors, dual, float(arrays["intercept"]), float(arrays["gamma"])) if fits else None


@dataclass(frozen=True, eq=False)
class Fitted:
    """(x - center) / spread through the predictor, times scale, plus shift. Rows with a NaN get NaN.

    `low` and `high` are the lowest and highest value of each feature in training, where they are known.
    """

    center: Floats
    spread: Floats
    predictor: Predictor
    shift: float
    scale: float
    low: Floats | None = None
    high: Floats | None = None

    def outside(self, x: Floats) -> NDArray[np.bool_]:
        """Tell which rows have a feature that lies outside its range in training: their score is extrapolated."""
        if self.low is None or self.high is None:
            return np.zeros(len(x), dtype=np.bool_)
        tolerance = 1e-9 * self.spread
        beyond = (x < self.low - tolerance) | (x > self.high + tolerance)
        return np.asarray(beyond.any(axis=1))

    def predict(self, x: Floats) -> Floats:
        """Return one number per row of features, on the scale of the target."""
        predicted = np.full(len(x), np.nan)
        whole = ~np.isnan(x).any(axis=1)
        predicted[whole] = self.shift + self.scale * self.predictor.predict((x[whole] - self.center) / self.spread)
        return predicted
