"""Assay tells how good generated text is, and how far to believe the answer.

>>> import assay
>>> data = assay.EvalSet.from_texts({"A": ["the cat sat"]}, [["the cat sat down"]])
>>> assay.score(data, "rouge1").means().round(3).tolist()
[0.857]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparison.compare import compare
    from .corpus.describe import describe
    from .data.evalset import EvalSet
    from .data.item import Item, Judgment, Reference
    from .data.ratings import Ratings
    from .data.scores import Scores
    from .errors import AssayError, AssayWarning
    from .formats import read, stream, write
    from .learning import learn
    from .meta.correlate import correlate
    from .metrics import metric
    from .raters.agreement import agreement
    from .scoring.score import score
    from .systems.compress import compress
    from .systems.fuse import fuse
    from .views.charts import plot

# Where each public name lives: loaded when first asked for, so that `import assay` costs nothing.
_HOMES = {
    "AssayError": "errors",
    "AssayWarning": "errors",
    "EvalSet": "data.evalset",
    "Item": "data.item",
    "Judgment": "data.item",
    "Ratings": "data.ratings",
    "Reference": "data.item",
    "Scores": "data.scores",
    "agreement": "raters",
    "compare": "comparison",
    "compress": "systems.compress",
    "correlate": "meta",
    "describe": "corpus.describe",
    "fuse": "systems.fuse",
    "learn": "learning",
    "metric": "metrics",
    "plot": "views.charts",
    "read": "formats",
    "score": "scoring",
    "stream": "formats",
    "write": "formats",
}

__version__ = "0.1.0"
__all__ = [
    "AssayError",
    "AssayWarning",
    "EvalSet",
    "Item",
    "Judgment",
    "Ratings",
    "Reference",
    "Scores",
    "agreement",
    "compare",
    "compress",
    "correlate",
    "describe",
    "fuse",
    "learn",
    "metric",
    "plot",
    "read",
    "score",
    "stream",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
