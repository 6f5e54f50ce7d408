"""Assay measures generated text, and how far the measurement can be trusted.

>>> import assay
>>> data = assay.EvalSet.from_texts({"A": ["the cat sat"]}, [["the cat sat down"]])
>>> assay.score(data, "rouge1").means().round(3).tolist()
[0.857]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the public names, each loaded when it is first used
    from .comparison.compare import compare as compare
    from .corpus.describe import describe as describe
    from .data.evalset import EvalSet as EvalSet
    from .data.item import Item as Item
    from .data.item import Judgment as Judgment
    from .data.item import Reference as Reference
    from .data.ratings import Ratings as Ratings
    from .data.scores import Scores as Scores
    from .errors import AssayError as AssayError
    from .errors import AssayWarning as AssayWarning
    from .formats import check as check
    from .formats import read as read
    from .formats import stream as stream
    from .formats import write as write
    from .learning import learn as learn
    from .meta.correlate import correlate as correlate
    from .metrics import metric as metric
    from .page.report import report as report
    from .raters.agreement import agreement as agreement
    from .scoring.score import score as score
    from .systems.compounds import split as split
    from .systems.compress import compress as compress
    from .systems.fuse import fuse as fuse
    from .views.charts import plot as plot

    __all__: list[str]  # these names
else:
    from .lazy import lazy_names

    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            ".comparison.compare": "compare",
            ".corpus.describe": "describe",
            ".data.evalset": "EvalSet",
            ".data.item": "Item Judgment Reference",
            ".data.ratings": "Ratings",
            ".data.scores": "Scores",
            ".errors": "AssayError AssayWarning",
            ".formats": "check read stream write",
            ".learning": "learn",
            ".meta.correlate": "correlate",
            ".metrics": "metric",
            ".page.report": "report",
            ".raters.agreement": "agreement",
            ".scoring.score": "score",
            ".systems.compounds": "split",
            ".systems.compress": "compress",
            ".systems.fuse": "fuse",
            ".views.charts": "plot",
        },
    )

__version__ = "0.2.0"
