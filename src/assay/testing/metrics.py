"""What must hold of every metric."""

from __future__ import annotations

import warnings

import numpy as np

from ..data.evalset import EvalSet
from ..data.item import Item, Reference
from ..errors import AssayWarning
from ..metrics import Metric
from ..scoring import score
from .component import check_class, check_signature, list_variants, require

DATA = EvalSet.from_texts(
    {
        "same": ["the cat sat on the mat .", "one two three four five six"],
        "near": ["the cat sat on a mat .", "one two three four six"],
        "empty": ["", ""],
        "other": ["dogs bark", "nothing shared here at all"],
    },
    [["the cat sat on the mat .", "a cat was on the mat"], ["one two three four five six", "one two"]],
    ["the big cat sat down on the mat over there .", "one two three four five six seven eight"],
)
SUMMARY = 72  # characters, for the list of metrics
COPIES = 1500  # of the items: enough for several chunks


def check_metric(cls: type[Metric]) -> None:
    """Check a metric; raises BrokenContract with what does not hold.

    It is a documented frozen dataclass; its signature gives it again; scores are finite, and better for outputs that
    are nearer to the reference; threads, chunks and order change nothing; without a reference there is no score.

    >>> from assay.metrics.exact import Exact
    >>> check_metric(Exact)
    """
    check_class(cls, Metric)
    for metric in list_variants(cls):
        check_signature(metric)
        require(len(metric.summary()) <= SUMMARY, metric, f"its first line must have at most {SUMMARY} characters")
        if metric.needs != "content units" and not metric.undefined:
            check_scores(metric)
            check_chunks(metric)
            check_missing_references(metric)


def check_scores(metric: Metric) -> None:
    """Check that scores are finite and that nearer outputs have better ones."""
    scores = score(DATA, metric)
    require(scores.values.shape == (4, 2), metric, f"2 items of 4 systems have scores of shape {scores.values.shape}")
    require(np.isfinite(scores.values).all(), metric, "a score is not finite")
    means = dict(zip(scores.systems, scores.means().tolist(), strict=True))
    if metric.needs == "outputs":
        return
    if metric.higher_is_better:
        # Where only an equal output counts, near and other are both 0.
        near = means["near"] > means["other"] or means["near"] == means["other"] == 0
        require(means["same"] > means["other"] and near, metric, f"a worse output has a higher score: {means}")
        if metric.needs == "references":  # an empty output does delete what the reference deletes
            require(means["empty"] == 0, metric, f"an empty output has a score above 0: {means['empty']}")
    elif metric.needs == "references":
        ordered = means["same"] < means["near"] < min(means["other"], means["empty"])
        require(ordered, metric, f"a better output has a higher error: {means}")


def check_chunks(metric: Metric) -> None:
    """Check that threads, chunks and the other items change no score."""
    many = [Item(f"{k}-{i.id}", i.references, i.outputs, i.sources) for k in range(COPIES) for i in DATA]
    one, two = score(EvalSet(many), metric), score(EvalSet(many), metric, threads=2)
    require(np.array_equal(one.values, two.values), metric, "two threads give other scores than one")
    alike = np.array_equal(one.values, np.tile(one.values[:, :2], COPIES))
    require(alike, metric, "equal items have different scores")
    if not metric.whole_set:
        alone = score(DATA, metric).values
        require(np.array_equal(one.values[:, :2], alone), metric, "an item has another score among many items")


def check_missing_references(metric: Metric) -> None:
    """Check that an item without what the metric needs has no score."""
    data = EvalSet([Item("1", (Reference("a"),), {"A": "a"}), Item("2", (), {"A": "a"})])
    if metric.needs == "references":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AssayWarning)
            values = score(data, metric).values
        require(np.isnan(values).tolist() == [[False, True]], metric, "an item without a reference must have NaN")
