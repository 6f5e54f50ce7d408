"""What is printed of automatic annotation."""

from __future__ import annotations

from assay.pyramid.auto import AnnotatorDifference, AutoPyramid, MissedUnit, SuggestionQuality, TopicDifference


def result(difference, misses=(), without_copies=()):
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
        within_topics=0.85,
        without_copies=without_copies,
        annotators=(AnnotatorDifference("ann", 1, *row),),
        by_topic=(TopicDifference("D1", "ann", 4, *row),),
        misses=misses,
    )


def test_the_headline_quotes_recall_precision_and_r():
    headline = result(0.1).view().headline
    assert headline.startswith(
        "Suggestions from other texts of the topic find 60% of the marked units, and 75% of their"
    )
    assert headline.endswith("r = 0.900.")
    assert len(result(0.1).view().sentences) == 1


def test_an_annotator_below_the_automatic_score_is_named():
    miss = MissedUnit("D1", "7", "ann", "3", "a unit", "some words", 4, "lemma", "B", "some word")
    view = result(-0.1, (miss,)).view()
    assert view.sentences[1] == (
        "ann may have missed units: the automatic score is above the manual one by 0.100 on average (0.600 against "
        "0.500)."
    )
    assert view.tables[-1].title == "Found automatically, not marked"
    assert view.tables[-1].columns[-1].cells == ["B: some word"]  # where it was assigned, in these words
    assert "dictionary forms" in view.notes[0]


def test_copies_have_a_row_of_their_own():
    fair = SuggestionQuality(5, 10, 0.8, 0.4, 0.7, 0.6, 0.65)
    table = result(0.1, without_copies=(fair,)).view().tables[0]
    assert [row[1:3] for row in table.rows()] == [("0.750", "0.600"), ("0.800", "0.400")]
    assert table.columns[-1].cells == ["0.850", "0.650"]
