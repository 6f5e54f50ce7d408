"""Ties by word order, where the parser may have erred."""

from __future__ import annotations

import pytest

from assay.text.logic.facts import Facts
from assay.text.logic.polarity import Polarity
from assay.text.logic.surface import SurfaceTies, find_comparisons, find_limits
from assay.text.parse.flat import parse_texts


def read_facts(text: str) -> Facts:
    [a] = parse_texts([text])
    return Facts(a)


def tie_words(text: str) -> set[tuple[str, str]]:
    facts = read_facts(text)
    ties = SurfaceTies(facts, Polarity(facts)).find()
    return {(facts.a.tokens[tie.word].text, facts.a.tokens[tie.needed].text) for tie in ties}


@pytest.mark.parametrize(
    ("text", "kept", "needed"),
    [
        ("The court may order the firm to pay the workers if it finds a fault.", "order", "if"),
        ("They stay on condition that the unions agree to lower wages.", "stay", "on"),
        ("They stay on condition that the unions agree to lower wages.", "agree", "on"),
        ("The new car is more expensive than the old one.", "more", "than"),
        ("The train is as fast as the bus.", "as", "as"),
        ("The risk is as high for the mother as for the child.", "as", "mother"),
        ("The bank will close every branch in villages with few people.", "branch", "villages"),
        ("All candidates over the age of thirty who have never held office must pay.", "candidates", "held"),
        ("It was the highest fine ever imposed on a bank.", "fine", "imposed"),
        ("The fine may be reduced where the firm helps the authority.", "reduced", "where"),
        ("The city spent too much on roads, an audit shows.", "spent", "shows"),
    ],
)
def test_ties(text, kept, needed):
    assert (kept, needed) in tie_words(text)


def test_what_is_no_limit():
    assert not list(find_limits(read_facts("She asked whether they came once.")))
    assert not tie_words("A man in Rome bought a red car with a new roof.")


def test_comparisons_end_at_a_comma():
    assert list(find_comparisons(read_facts("More people came, and than was a word."))) == []
    assert list(find_comparisons(read_facts("He sings as well as she does."))) == []
