"""Checks that must hold for every metric, format, system and learner, for those of other packages too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that are loaded when they are first used
    from .formats import check_format as check_format
    from .learners import check_learner as check_learner
    from .metrics import check_metric as check_metric
    from .systems import check_system as check_system

    __all__: list[str]  # these names
else:
    from ..lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".formats": "check_format",
            ".learners": "check_learner",
            ".metrics": "check_metric",
            ".systems": "check_system",
        },
    )
