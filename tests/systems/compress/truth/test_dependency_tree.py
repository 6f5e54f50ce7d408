"""The laws of grammar, each with a sentence: what stays with what, at every length."""

from __future__ import annotations

import pytest

from assay.systems.compress import compress
from assay.systems.compress.truth.dependency_tree import DependencyTree, find_unspaced
from assay.text.parse.flat import parse_texts

RATIOS = (0.3, 0.45, 0.6, 0.75, 0.9)


def shorter(text: str, *, faithful: bool) -> list[str]:
    """Compress a text to each length."""
    return [compress([text], "tagger-tree(keep=none)", ratio=ratio, faithful=faithful)[0].text for ratio in RATIOS]


@pytest.mark.parametrize("faithful", [True, False])
@pytest.mark.parametrize(
    ("text", "word", "clause"),
    [
        ("The farmer moved to the small town in the north where his parents had lived.", "where", "lived"),
        ("The singer was at home with her two small children when the thieves broke the window.", "when", "broke"),
        ("The engineer from Leeds met the old woman who had sold the green house last year.", "who", "sold"),
        ("The board of the club left early because the heavy rain had damaged the roof.", "because", "damaged"),
    ],
)
def test_a_clause_keeps_the_word_that_introduces_it(text, word, clause, faithful):
    for output in shorter(text, faithful=faithful):
        assert clause not in output or word in output, output


@pytest.mark.parametrize("faithful", [True, False])
@pytest.mark.parametrize(
    ("text", "verb", "complement"),
    [
        ("The senator told the press on Monday evening that the new tax would hurt small firms.", "told", "hurt"),
        ("The young director wants to open a second theatre in the old harbour next year.", "wants", "open"),
        ("My neighbour thinks that the red car in the street belongs to a doctor.", "thinks", "belongs"),
    ],
)
def test_a_verb_keeps_what_completes_it(text, verb, complement, faithful):
    for ratio in RATIOS[2:]:
        [c] = compress([text], "tagger-tree(keep=none)", ratio=ratio, faithful=faithful)
        assert verb not in c.text or complement in c.text, c.text


@pytest.mark.parametrize("text", ["The two boys ' old bicycle was stolen near the station on Friday evening ."])
def test_an_apostrophe_with_spaces_stays_with_its_word(text):
    for output in shorter(text, faithful=False):
        assert ("boys '" in output) == ("boys" in output), output


def test_a_phrase_with_a_clause_in_it_is_no_relative_phrase():
    [a] = parse_texts(["Hall said that the firm will save two million in costs of mines where the work had stopped."])
    tree = DependencyTree(a)
    forms = [t.text for t in a.tokens]
    assert forms.index("mines") not in [word for word, _ in tree.loose]
    assert forms.index("that") in [word for word, _ in tree.loose]


def test_words_without_a_space_between_them():
    [a] = parse_texts(["A well-known man cannot pay $5m."])
    forms = [t.text for t in a.tokens]
    pairs = {(forms[i], forms[k]) for i, k in find_unspaced(a)}
    assert {("well", "known"), ("can", "not")} <= pairs


@pytest.mark.parametrize("faithful", [True, False])
def test_marks_and_articles(faithful):
    texts = [
        "The bakery , a family business , sold an old oven , two tables and a very ugly lamp to a young collector .",
        "`` It was an awful day , '' said the captain of the small ferry , `` and we lost a whole hour . ''",
        "The museum (opened in 1950) showed an enormous whale, a tiny mouse, and an old tiger to the children.",
    ]
    for text in texts:
        for output in shorter(text, faithful=faithful):
            assert ", ," not in output
            assert ", ." not in output
            assert output.count("``") == output.count("''")
            assert output.count("(") == output.count(")")
            assert "an ugly" in output or "a ugly" not in output
            assert " an whale" not in output
            assert " an lamp" not in output
            assert " an tiger" not in output


@pytest.mark.parametrize("faithful", [True, False])
def test_halves_of_a_coordination(faithful):
    text = "The old bakery near the bridge sells fresh bread and very sweet cakes to tourists on Sunday mornings."
    for output in shorter(text, faithful=faithful):
        words = output.rstrip(".").split()
        assert ("and" in words) == ("bread" in words and "cakes" in words), output
