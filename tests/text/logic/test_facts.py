"""What the rules ask of words."""

from __future__ import annotations

from assay.text.logic.facts import Facts
from assay.text.parse.flat import parse_texts


def facts_of(text: str) -> tuple[Facts, dict[str, int]]:
    [a] = parse_texts([text])
    return Facts(a), {token.text: i for i, token in enumerate(a.tokens)}


def test_classes_of_words():
    facts, at = facts_of("The so-called experts almost ruled out a rise of up to 20 percent.")
    assert facts.hyphen_word(at["called"]) == "so-called"
    assert facts.modifier(at["called"]) == "privative"
    assert facts.modifier(at["almost"]) == "approximator"
    assert "negative" in facts.predicate(at["ruled"])
    assert facts.bounds[at["up"]][0] == at["20"]
    assert "unit" in facts.noun(at["percent"])
    assert facts.is_number(at["20"])
    assert not facts.is_number(at["rise"])


def test_connectives_begin_phrases():
    facts, at = facts_of("With the exception of Malta, every state signed only if it rained.")
    places, classes = facts.lead(at["exception"])
    assert (places, classes) == (range(4), frozenset({"exceptive"}))
    assert "conditional" in facts.lead(at["rained"])[1]


def test_nouns():
    facts, at = facts_of("The largest party of the general met no workers and a judge.")
    assert facts.is_referential(at["general"])
    assert facts.singles_out(at["party"])
    assert facts.restriction(at["workers"]) == ("down", "down")
    assert facts.restriction(at["judge"]) == ("up", "up")


def test_tense():
    facts, at = facts_of("She left, but he may stay.")
    assert facts.is_past(at["left"])
    assert not facts.is_past(at["stay"])


def test_bounds_are_quantifiers():
    facts, at = facts_of("He met at most six men and exactly two women.")
    assert facts.restriction(at["men"]) == ("down", "down")
    assert facts.restriction(at["women"]) == ("none", "none")
