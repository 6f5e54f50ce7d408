"""Other forms of a word, as their spelling rules and the list of irregular ones give them."""

from __future__ import annotations

import pytest

from assay.systems.compress.edits._inflections import inflect_noun, inflect_verb


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("walk", ["walk", "walks", "walked", "walked", "walking"]),
        ("decide", ["decide", "decides", "decided", "decided", "deciding"]),
        ("carry", ["carry", "carries", "carried", "carried", "carrying"]),
        ("play", ["play", "plays", "played", "played", "playing"]),
        ("stop", ["stop", "stops", "stopped", "stopped", "stopping"]),
        ("refer", ["refer", "refers", "referred", "referred", "referring"]),
        ("open", ["open", "opens", "opened", "opened", "opening"]),
        ("pass", ["pass", "passes", "passed", "passed", "passing"]),
        ("veto", ["veto", "vetoes", "vetoed", "vetoed", "vetoing"]),
        ("agree", ["agree", "agrees", "agreed", "agreed", "agreeing"]),
        ("argue", ["argue", "argues", "argued", "argued", "arguing"]),
        ("dye", ["dye", "dyes", "dyed", "dyed", "dyeing"]),
        ("tie", ["tie", "ties", "tied", "tied", "tying"]),
        ("bring", ["bring", "brings", "brought", "brought", "bringing"]),
        ("break", ["break", "breaks", "broke", "broken", "breaking"]),
        ("go", ["go", "goes", "went", "gone", "going"]),
        ("have", ["have", "has", "had", "had", "having"]),
    ],
)
def test_verbs(lemma, forms):
    assert [inflect_verb(lemma, tag) for tag in ("VB", "VBZ", "VBD", "VBN", "VBG")] == forms


def test_be_has_forms_of_its_own():
    assert [inflect_verb("be", tag) for tag in ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")] == [
        *("be", "are", "is", "was", "been", "being")
    ]


def test_what_cannot_be_told_is_none():
    assert inflect_verb("forsake", "VBD") is None
    assert inflect_verb("forsake", "VBZ") == "forsakes"
    assert inflect_verb("walk", "MD") is None
    assert inflect_verb("co-write", "VBZ") is None
    assert [inflect_noun(noun) for noun in ("child", "mouse", "x-ray")] == [None, None, None]


def test_plurals():
    nouns = ("city", "day", "box", "boss", "church", "dish", "hero", "radio", "service")
    plurals = ["cities", "days", "boxes", "bosses", "churches", "dishes", "heroes", "radios", "services"]
    assert [inflect_noun(noun) for noun in nouns] == plurals
