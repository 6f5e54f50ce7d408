"""Metrics: one file per close family. The folder is the list; nothing is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from ._base import Metric as Metric
    from ._base import OverlapMetric as OverlapMetric
    from ._folder import METRICS as METRICS
    from ._folder import metric as metric
    from ._names import FAMILIES as FAMILIES
    from ._names import GRID as GRID
    from ._names import expand_names as expand_names
    from ._names import replace_stand_ins as replace_stand_ins
    from ._predictors import Fitted as Fitted
    from ._predictors import Kernel as Kernel
    from ._predictors import Linear as Linear
    from ._predictors import Predictor as Predictor
    from ._predictors import gaussian as gaussian
    from ._scorer_files import save_scorer as save_scorer

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "._base": "Metric OverlapMetric",
            "._folder": "METRICS metric",
            "._names": "FAMILIES GRID expand_names replace_stand_ins",
            "._predictors": "Fitted Kernel Linear Predictor gaussian",
            "._scorer_files": "save_scorer",
        },
    )
