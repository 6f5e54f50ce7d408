"""Pooled differences as they are read."""

from __future__ import annotations

from dataclasses import replace

from assay.meta.pooled_differences import PooledDifferences, PooledMetric

BEST = PooledMetric("chrf", 0.193, 0.138, 0.257, 0.59, 0.57, 0.62, 0.0, 0.0, 0.0, 1.0)
OTHER = PooledMetric("bleu", 0.101, 0.037, 0.164, 0.53, 0.5, 0.56, -0.092, -0.132, -0.056, 0.0004)
RESULT = PooledDifferences(
    human="meaning",
    ranking=(BEST, OTHER),
    systems=306,
    items=444,
    outputs=1905,
    pairs=1971,
    comparable=73,
    system_pairs=46665,
    confidence=0.95,
    resamples=1000,
    seed=0,
    left_out=(),
    signatures={"chrf": "chrf", "bleu": "bleu"},
)


def test_the_headline_quotes_the_best_metric():
    view = RESULT.view()
    assert view.headline == (
        "chrf sees differences between outputs of the same item best: r = 0.193 (95% CI 0.138 to 0.257) with "
        "differences in meaning, and 59% of 1,971 pairs of outputs in the same order (444 items, 306 systems)."
    )
    cells = ["bleu", "0.101", "0.037 to 0.164", "53%", "-0.092", "-0.132 to -0.056", "<0.001*"]
    assert list(view.tables[0].rows()[1]) == cells
    assert "only 73 of 46,665 pairs of systems have 4 judged items in common" in view.sentences[1]


def test_metrics_that_may_be_as_good_are_named():
    view = replace(RESULT, ranking=(BEST, replace(OTHER, pvalue=0.3)), comparable=46665).view()
    assert view.headline.endswith("Not significantly worse: bleu.")
    assert len(view.sentences) == 1


def test_one_metric_is_not_called_best():
    assert (
        replace(RESULT, ranking=(BEST,)).view().headline.startswith("chrf sees differences between outputs of the same")
    )
    assert " best" not in replace(RESULT, ranking=(BEST,)).view().headline


def test_nothing_to_correlate():
    undefined = replace(BEST, value=float("nan"))
    assert "nothing can be correlated" in replace(RESULT, ranking=(undefined,)).view().headline
