"""Labels of single deletions."""

from __future__ import annotations

import pytest

from assay.text.logic.bonds import Bonds
from assay.text.parse.flat import parse_texts

E, U, N = "entailed", "unknown", "not entailed"


def label_of(text: str, word: str) -> str:
    [a] = parse_texts([text])
    return Bonds(a).rules.judge([token.text for token in a.tokens].index(word)).label


@pytest.mark.parametrize(
    ("text", "word", "label"),
    [
        ("He bought a red car.", "red", E),
        ("He did not buy a red car.", "red", N),
        ("He bought the red car.", "red", U),
        ("He bought a quixotic car.", "quixotic", U),
        ("The alleged killer left.", "alleged", N),
        ("A former judge left.", "former", N),
        ("The bread was of poor quality.", "poor", N),
        ("The firm almost went bankrupt.", "almost", N),
        ("The drug seldom causes pain.", "seldom", N),
        ("She slept well in Rome.", "Rome", E),
        ("No guest slept in Rome.", "Rome", N),
        ("The dam broke because it rained.", "rained", E),
        ("The dam breaks if it rains.", "rains", N),
        ("All members except the cook were rescued.", "cook", N),
        ("According to the police, he stole it.", "police", N),
        ("He bought a car and a house.", "house", E),
        ("He bought a car or a house.", "house", N),
        ("He did not buy a car or a house.", "house", E),
        ("The dam, which was old, broke.", "old", E),
        ("He may leave.", "may", N),
        ("She was the first woman to lead it.", "lead", N),
        ("Most of the men left.", "men", N),
        ("It rains, the minister said.", "minister", U),
        ("Anyone who finds it gets a prize.", "finds", N),
        ("They sell it to men under 18 years.", "years", N),
        ("He came, too.", "too", E),
    ],
)
def test_labels(text, word, label):
    assert label_of(text, word) == label


def test_who_said_it():
    [a] = parse_texts(["Had the guard closed the gate, they would not have escaped."])
    bonds = Bonds(a)
    words = [token.text for token in a.tokens]
    assert bonds.rules.is_inverted(words.index("closed"))
    [b] = parse_texts(['"We slept," a fisherman told the radio.'])
    assert any({x.word, x.needed} == {2, [t.text for t in b.tokens].index("told")} for x in Bonds(b).strict)
