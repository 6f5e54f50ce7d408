"""What is printed of automatic annotation."""

from __future__ import annotations

from assay.pyramid.auto import AnnotatorDifference, AutoPyramid, MissedUnit, TopicDifference


def result(difference, misses=()):
    row = (0.5, 0.5 - difference, difference)
    return AutoPyramid(
        method="lemma",
        size="truncate",
        skip_copies=False,
        topics=1,
        peers=4,
        copies=0,
        suggested=8,
        marked=10,
        precision=0.75,
        recall=0.6,
        pearson=0.9,
        spearman=0.8,
        annotators=(AnnotatorDifference("ann", 1, *row),),
        by_topic=(TopicDifference("D1", "ann", 4, *row),),
        misses=misses,
    )


def test_the_headline_quotes_recall_precision_and_r():
    headline = result(0.1).view().headline
    assert headline.startswith(
        "Suggestions from other texts of the topic find 60% of the marked units, and 75% of what"
    )
    assert headline.endswith("r = 0.900.")
    assert len(result(0.1).view().sentences) == 1


def test_an_annotator_below_the_automatic_score_is_named():
    miss = MissedUnit("D1", "7", "ann", "3", "a unit", "some words", "exact", "B")
    view = result(-0.1, (miss,)).view()
    assert view.sentences[1] == (
        "ann may have missed units: the automatic score is above the manual one by 0.100 on average (0.600 against "
        "0.500)."
    )
    assert view.tables[-1].title == "Found automatically, not marked"
    assert "dictionary forms" in view.notes[0]
