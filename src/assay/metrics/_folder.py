"""The folder of metrics, and building one from a text."""

from __future__ import annotations

from ..component import Folder, split_call
from ..errors import UnknownName
from ._base import Metric


class _ScorerFiles:
    """The folders that `assay learn --out` writes."""

    def holds(self, text: str) -> bool:
        from ._scorer_files import is_scorer

        return is_scorer(text)

    def load(self, text: str) -> Metric:
        from ._scorer_files import load

        return load(text)


class _MetricFolder(Folder[Metric]):
    """The metrics; names of groups, and of metrics that are computed elsewhere, have errors of their own."""

    def unknown(self, text: str) -> UnknownName:
        from ._names import explain_absence

        return explain_absence(split_call(text, "metric", text)[0]) or super().unknown(text)


METRICS = _MetricFolder(
    __package__,
    Metric,
    kind="metric",
    example="rouge2(measure=recall)",
    hint="`assay metrics` lists them",
    files=_ScorerFiles(),
    group="assay.metrics",
)


def metric(text: str | Metric) -> Metric:
    """Build the metric that a text stands for: a name with parameters, or the folder of a learned scorer.

    >>> metric("ROUGE-2(measure=recall)").signature()
    'rouge2(words=0, measure=recall, beta=1, refs=sum, tokenizer=rouge, stem=none, stop=false, own=skip)'
    >>> metric("rogue2")
    Traceback (most recent call last):
    assay.errors.UnknownName: unknown metric 'rogue2'; did you mean 'rouge2'? `assay metrics` lists them
    """
    return METRICS.build(text)
