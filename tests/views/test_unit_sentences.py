"""What is printed of matched sentences."""

from __future__ import annotations

from assay.pyramid.unit_sentences import SentenceMatches, SystemMatches


def test_the_headline_quotes_the_numbers():
    systems = (SystemMatches("A", 4, 0.5, 0.25),)
    view = SentenceMatches("exact", 4, 4, 9, 6, 3, 0.5, 0.25, 0.9, 0.8, 0.4, systems).view()
    assert view.headline == (
        "Matching the sentences of units finds 25% of the units that people marked, and people marked "
        "50% of the units it finds (9 units in 4 items); the coverage of systems correlates at r = 0.900, that of "
        "single texts at 0.400."
    )
    assert [column.cells for column in view.tables[0].columns] == [["A"], ["0.500"], ["0.250"], ["4"]]
