"""Keyphrases by hand: TextRank of the words, then the phrases, none a part of another."""

from __future__ import annotations

import pytest

from assay.systems.fuse._graph import GraphWord
from assay.systems.fuse._keyphrases import keyphrases, word_scores


def words(text: str) -> list[GraphWord]:
    """Words of a text: lower case has no content, a star marks verbs."""
    return [GraphWord(w.strip("*").lower(), w[0].isupper(), verb="*" in w) for w in text.split()]


def test_three_words_in_a_row_have_scores_of_a_triangle_and_a_pair():
    assert word_scores([words("A B C")]) == pytest.approx({"a": 1.0, "b": 1.0, "c": 1.0})
    scores = word_scores([words("A B"), words("B C")])  # b is joined to both, a and c to b only
    assert scores["a"] == pytest.approx(scores["c"])
    b = (0.15 + 0.85 * 2 * 0.15) / (1 - 0.85 * 0.85)  # b = .15 + .85 (a + c), a = .15 + .85 b / 2
    assert scores["b"] == pytest.approx(b, abs=1e-5)
    assert word_scores([words("the of")]) == {}
    assert word_scores([words("A")]) == pytest.approx({"a": 0.15})


def test_phrases_are_runs_of_content_words_without_verbs():
    phrases = keyphrases([words("the Big Storm Closed* all Schools")])
    assert set(phrases) == {("big", "storm"), ("schools",)}
    assert phrases["big", "storm"] == pytest.approx(2 / 3)
    assert phrases["schools",] == pytest.approx(1 / 2)


def test_of_a_phrase_and_its_part_the_better_stays():
    assert list(keyphrases([words("Big Storm of Storm")])) == [("big", "storm")]
    assert list(keyphrases([words("A B C D E F G of H")])) == [("h",)]  # runs of more than six are none
    assert list(keyphrases([words("A B C D E F of H")])) == [("a", "b", "c", "d", "e", "f"), ("h",)]
