"""Checks of the arrays and options that statistics take."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, UndefinedWarning

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def floats(values: ArrayLike, name: str, *, ndim: int | tuple[int, ...]) -> Array:
    """Return a float64 array of the wanted number of dimensions; infinities are an error, NaN means missing.

    >>> floats([1, 2, None], "x", ndim=1)
    array([ 1.,  2., nan])
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be an array of numbers (NaN = missing), got {values!r:.80}: {error}") from None
    wanted = (ndim,) if isinstance(ndim, int) else ndim
    if array.ndim not in wanted:
        dims = " or ".join(str(d) for d in wanted)
        raise InputError(f"{name} must have {dims} dimension(s), got shape {array.shape}")
    if np.isinf(array).any():
        raise InputError(f"{name} holds {int(np.isinf(array).sum())} infinite value(s); mark missing scores as NaN")
    return array


def moderate(values: Array) -> Array:
    """Scale an array by a power of two if squares or sums would overflow or vanish; correlations stay the same.

    >>> moderate(np.array([1e308, -1e308])).tolist()[0] < 2, moderate(np.array([0.5, 3.0]))
    (True, array([0.5, 3. ]))
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest == 0 or 1e-100 < largest < 1e100:
        return values
    exponent = int(np.frexp(largest)[1])
    return np.asarray(np.ldexp(values, -exponent))


def same_shape(name_a: str, a: NDArray[Any], name_b: str, b: NDArray[Any]) -> None:
    """Raise unless both arrays have one shape: pairs are made by position and never shifted."""
    if a.shape != b.shape:
        raise InputError(f"{name_a} and {name_b} must have the same shape, got {a.shape} and {b.shape}")


def stack(h: ArrayLike, ms: ArrayLike) -> tuple[Array, Array]:
    """Return human scores (systems x items) and a stack of metrics (metrics x systems x items)."""
    human, metrics = floats(h, "h", ndim=2), floats(ms, "ms", ndim=3)
    if metrics.shape[1:] != human.shape:
        raise InputError(
            f"each metric must have the shape of h, {human.shape} (systems x items), got {metrics.shape[1:]}"
        )
    if not metrics.size:
        raise InputError(f"at least one metric, system and item are needed, got {metrics.shape} scores")
    return human, metrics


def scale_free_stack(h: ArrayLike, ms: ArrayLike) -> tuple[Array, Array]:
    """Return human scores and a stack of metrics for what does not depend on their scale, each moderate."""
    human, metrics = stack(h, ms)
    scaled = [moderate(metric) for metric in metrics]
    same = all(new.base is metrics for new in scaled)  # rows of the array itself: nothing was scaled
    return moderate(human), metrics if same else np.stack(scaled)


def fill_missing(values: Array) -> Array:
    """Return the array with 0 where it is NaN; the array itself if all is there.

    >>> fill_missing(np.array([1.0, np.nan]))
    array([1., 0.])
    """
    return values if np.isfinite(values).all() else np.nan_to_num(values)


def choice(value: str, name: str, options: Sequence[str]) -> str:
    """Return value if it is one of the options.

    >>> choice("pearsen", "method", ["pearson"])
    Traceback (most recent call last):
    assay.errors.InputError: method must be one of pearson, got 'pearsen'
    """
    if value not in options:
        raise InputError(f"{name} must be one of {', '.join(options)}, got {value!r}")
    return value


def at_least(value: int, name: str, least: int) -> int:
    """Return value if it is a whole number of at least `least`."""
    if int(value) != value or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


def fraction(value: float, name: str) -> float:
    """Return value if it lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise InputError(f"{name} must lie between 0 and 1 (exclusive), got {value!r}")
    return float(value)


def warn_undefined(why: str) -> None:
    """Warn that a result is NaN, and why."""
    warnings.warn(f"undefined (NaN): {why}", UndefinedWarning, stacklevel=3)
