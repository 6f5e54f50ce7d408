"""Words that must not be separated."""

from __future__ import annotations

import pytest

from assay.text.logic.bonds import Bonds
from assay.text.parse.flat import parse_texts


def strict(text: str) -> set[tuple[str, str]]:
    [a] = parse_texts([text])
    return {(a.tokens[b.word].text, a.tokens[b.needed].text) for b in Bonds(a).strict}


@pytest.mark.parametrize(
    ("text", "kept", "needed"),
    [
        ("Only employees may enter.", "employees", "Only"),
        ("Hardly anyone believed it.", "anyone", "Hardly"),
        ("She is no longer a member.", "member", "longer"),
        ("Adults should not take more than 2 tablets.", "2", "more"),
        ("The bridge is barely safe.", "safe", "barely"),
        ("It lacks the licence that it needs.", "licence", "lacks"),
        ("Police said that he had fled.", "fled", "said"),
        ("The court failed to hear it.", "hear", "failed"),
        ("He signs it only if they pay.", "signs", "pay"),
        ("He signs it only if they pay.", "pay", "only"),
        ("The Bank of England waited.", "England", "Bank"),
        ("Up to a quarter of the crop was lost.", "lost", "quarter"),
        ("They agreed on everything but the date.", "everything", "date"),
        ("Neither the mayor nor his aide came.", "Neither", "aide"),
    ],
)
def test_bonds(text, kept, needed):
    assert (kept, needed) in strict(text)


def test_own_opinions_are_no_attributions():
    assert ("rains", "think") not in strict("I think it rains.")
    assert ("rains", "think") in strict("They think it rains.")


def test_who_speaks_is_part_of_a_quotation():
    assert ("rains", "admitted") not in strict("They admitted that it rains.")
    assert ("wrong", "admitted") in strict('"We were wrong," admitted the coach.')


def test_each_pair_has_its_worst_label():
    [a] = parse_texts(["Nearly two thousand runners did not take part in the oldest race of the town."])
    pairs = [bond[:2] for bond in Bonds(a).all]
    assert len(set(pairs)) == len(pairs)


def test_a_text_without_words_has_no_bonds():
    for text in ("", "...", "Yes."):
        [a] = parse_texts([text])
        assert Bonds(a).all == ()
