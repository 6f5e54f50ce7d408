"""Intraclass correlation: how much of the spread of ratings is between the items (Shrout and Fleiss 1979).

Ratings are items x raters. An item that some rater skipped is left out: the forms need complete tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .checks import Array, choice, floats, fraction, warn_undefined
from .unit_jackknife import group_units, jackknife_limits

FORMS = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")


@dataclass(frozen=True)
class ICC:
    """An intraclass correlation with its F-based interval; items used and left out."""

    value: float
    low: float
    high: float
    form: str
    items: int
    raters: int
    left_out: int
    confidence: float


def icc(
    ratings: ArrayLike, *, form: str = "2,1", confidence: float = 0.95, units: Sequence[object] | None = None
) -> ICC:
    """Return the intraclass correlation of a form.

    "1": each item has other raters; "2": the raters are a sample of raters, and a difference in severity is error;
    "3": these raters only, severity is not error. ",1" is the reliability of one rater, ",k" of the mean of all. Fewer
    than two complete items or raters, or no spread (0/0): NaN with an UndefinedWarning. `units` name what rows were
    drawn with: where some share one, the interval is by the jackknife over units, as F would count each row as drawn.

    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> [round(icc(table, form=form).value, 2) for form in FORMS]
    [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    """
    choice(form, "form", FORMS)
    fraction(confidence, "confidence")
    values = floats(ratings, "ratings", ndim=2)
    complete = values[~np.isnan(values).any(axis=1)]
    n, k = complete.shape
    nan, left = float("nan"), len(values) - n
    if n < 2 or k < 2 or np.ptp(complete) == 0:
        warn_undefined(
            f"ICC of {n} complete item(s) x {k} rater(s)" + (", all ratings equal" if n > 1 and k > 1 else "")
        )
        return ICC(nan, nan, nan, form, n, k, left, confidence)
    value, low, high = _forms(complete, form, (1 - confidence) / 2)
    codes = group_units(units, len(values))[~np.isnan(values).any(axis=1)]
    if units is not None and len(groups := np.unique(codes)) < n:
        rest = [complete[codes != g] for g in groups.tolist()]
        if min(map(len, rest)) < 2:  # without one unit there are no two outputs left
            return ICC(value, nan, nan, form, n, k, left, confidence)
        with np.errstate(invalid="ignore", divide="ignore"):
            without = np.array([_forms(part, form, 0.025)[0] for part in rest])
        low, high = jackknife_limits(value, without, confidence)
    return ICC(value, low, high, form, n, k, left, confidence)


def _mean_squares(x: Array) -> tuple[float, float, float, float]:
    """Return the mean squares between items, within items, between raters, and of the residual."""
    n, k = x.shape
    grand, rows, columns = x.mean(), x.mean(axis=1), x.mean(axis=0)
    items = k * ((rows - grand) ** 2).sum() / (n - 1)
    within = ((x - rows[:, None]) ** 2).sum() / (n * (k - 1))
    raters = n * ((columns - grand) ** 2).sum() / (k - 1)
    error = ((x - rows[:, None] - columns + grand) ** 2).sum() / ((n - 1) * (k - 1))
    return float(items), float(within), float(raters), float(error)


def _forms(x: Array, form: str, tail: float) -> tuple[float, float, float]:
    """Return value and interval: single-rater forms, stepped up by Spearman-Brown for the mean of k raters."""
    n, k = x.shape
    bms, wms, jms, ems = _mean_squares(x)
    if form[0] == "1":
        single = (bms - wms) / (bms + (k - 1) * wms)
        low, high = _f_interval(bms / wms if wms else np.inf, n - 1, n * (k - 1), k, tail)
    elif form[0] == "3":
        single = (bms - ems) / (bms + (k - 1) * ems)
        low, high = _f_interval(bms / ems if ems else np.inf, n - 1, (n - 1) * (k - 1), k, tail)
    else:
        single = (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n)
        low, high = _random_raters(bms, jms, ems, n, k, single, tail)
    if form[2] == "1":
        return single, low, high
    return tuple(_spearman_brown(r, k) for r in (single, low, high))  # type: ignore[return-value]


def _spearman_brown(r: float, k: int) -> float:
    below = 1 + (k - 1) * r
    return k * r / below if below else float("-inf")


def _f_interval(f: float, df1: int, df2: int, k: int, tail: float) -> tuple[float, float]:
    """Return (F' - 1) / (F' + k - 1) at F divided, and multiplied, by its critical value."""
    from scipy.special import fdtri

    if np.isinf(f):
        return 1.0, 1.0
    lower, upper = f / fdtri(df1, df2, 1 - tail), f * fdtri(df2, df1, 1 - tail)
    return float((lower - 1) / (lower + k - 1)), float((upper - 1) / (upper + k - 1))


def _random_raters(
    bms: float, jms: float, ems: float, n: int, k: int, single: float, tail: float
) -> tuple[float, float]:
    """Return the interval of form 2 with Satterthwaite's degrees of freedom (Shrout and Fleiss 1979, p. 424)."""
    from scipy.special import fdtri

    if ems == 0:
        return float("nan"), float("nan")
    fj = jms / ems
    part = n * (1 + (k - 1) * single) - k * single
    v = (k - 1) * (n - 1) * (k * single * fj + part) ** 2 / ((n - 1) * k**2 * single**2 * fj**2 + part**2)
    up, down = fdtri(n - 1, v, 1 - tail), fdtri(v, n - 1, 1 - tail)
    spread = k * jms + (k * n - k - n) * ems
    low = n * (bms - up * ems) / (up * spread + n * bms)
    high = n * (down * bms - ems) / (spread + n * down * bms)
    return float(low), float(high)
