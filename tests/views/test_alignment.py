"""What is shown of aligned words."""

from __future__ import annotations

from assay.text.align.monolingual import align
from assay.text.align.results import PairAlignment, score_aligner


def test_lines_with_numbers_and_a_table():
    view = PairAlignment(1, align("The mayor stepped down.", "The mayor resigned.")).view()
    assert view.text.startswith("The mayor stepped down .\n1   2     3       3    4")
    assert view.tables[0].rows()[2][:4] == ("3", "stepped down", "resigned", "phrase")


def test_a_matrix_and_texts_without_links():
    assert "■" in PairAlignment(1, align("a b", "b c"), matrix=True).view().text
    assert "No words of these two texts are aligned." in PairAlignment(1, align("", "no words")).view().text


def test_scores_stand_beside_the_baseline():
    view = score_aligner([(align("the cat", "the cat"), {(0, 0), (1, 1)})]).view()
    assert view.headline == "The aligner reaches F1 1.000 on 1 pair; linking equal words reaches 1.000."
