"""The chart of a result, by itself."""

from __future__ import annotations

from typing import Any

from ..data.result import Result
from ..data.scores import Scores
from ..errors import InputError
from ._chart import Chart


def plot(what: Scores | Result | Any) -> Chart:
    """Return the chart that goes with scores or a result: `assay.plot(assay.compare(scores))`.

    >>> import numpy as np
    >>> s = Scores(np.array([[0.5, 1.0], [0.0, 0.5]]), ("A", "B"), ("1", "2"), name="rouge1")
    >>> print(plot(s))
    system  rouge1          interval  group
    ───────────────────────────────────────
    A       0.7500  0.5000 to 1.0000      1
    B       0.2500  0.0000 to 0.5000      1
    """
    if isinstance(what, Scores):
        from ..comparison.compare import compare

        what = compare(what)
    charts = what.view().charts if isinstance(what, Result) else ()
    if not charts:
        raise InputError(f"there is no chart of {type(what).__name__}; plot takes Scores and results")
    return charts[0]
