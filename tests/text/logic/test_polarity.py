"""Polarity of places: textbook cases of monotonicity (van Benthem 1986; MacCartney and Manning 2009)."""

from __future__ import annotations

import pytest

from assay.text.logic.facts import Facts
from assay.text.logic.polarity import Polarity
from assay.text.parse.flat import parse_texts


def polarity_of(text: str, word: str, *, inner: bool = False) -> int:
    [a] = parse_texts([text])
    i = [token.text for token in a.tokens].index(word)
    polarity = Polarity(Facts(a))
    return polarity.inner[i] if inner else polarity.outer[i]


@pytest.mark.parametrize(
    ("text", "word", "sign"),
    [
        ("A man saw a red car.", "red", 1),
        ("The firm did not buy a red car.", "red", -1),
        ("Nobody bought a red car.", "red", -1),
        ("Few people bought a red car.", "red", -1),
        ("Every man with a red car smiled.", "red", -1),
        ("Every man bought a red car.", "red", 1),
        ("If she bought a red car, he smiled.", "red", -1),
        ("He left without a red car.", "red", -1),
        ("She refused to buy a red car.", "red", -1),
        ("They lack a red car.", "red", -1),
        ("Nobody refused to buy a red car.", "red", 1),
        ("Most men with a red car smiled.", "red", 0),
        ("Exactly two men with a red car smiled.", "red", 0),
        ("They sold no men a red car.", "red", -1),
        ("They sold no car that has a red roof.", "red", -1),
        ("They did not sell any car that has a red roof.", "red", -1),
        ("Do not smile if she bought a red car.", "red", -1),
        ("It is the oldest house with a red roof.", "red", 0),
        ("Did she buy a red car?", "red", 0),
        ("They closed every shop with a red roof.", "red", 0),
        ("Unless she buys a red car, he will stay.", "red", 0),
    ],
)
def test_signs(text, word, sign):
    assert polarity_of(text, word) == sign


def test_what_is_singled_out_is_neither():
    assert polarity_of("She was the first woman in Rome.", "woman", inner=True) in (0, 1)
    assert polarity_of("They met the oldest man in Rome.", "man", inner=True) == 0


def test_if_nothing_is_given_definites_stand_inside():
    [a] = parse_texts(["They did not join the party of the general."])
    place = [token.text for token in a.tokens].index("party")
    assert Polarity(Facts(a), presuppose=False).inner[place] == -1


def test_a_predicate_has_two_places():
    [a] = parse_texts(["It is not the oldest house in Rome."])
    polarity, place = Polarity(Facts(a)), [token.text for token in a.tokens].index("house")
    assert (polarity.inner[place], polarity.noun[place]) == (-1, 0)


def test_definites_stand_outside_negation():
    assert polarity_of("They did not join the party of the general.", "party", inner=True) == 1
    assert polarity_of("They did not allow the killing of whales.", "killing", inner=True) == -1
