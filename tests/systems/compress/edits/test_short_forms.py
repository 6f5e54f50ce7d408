"""Short forms say the same in fewer words, and only where the text around them allows."""

from __future__ import annotations

import pytest

from assay.errors import UnknownName
from assay.systems.compress.edits._inflections import inflect_noun, inflect_verb
from assay.systems.compress.edits.short_forms import KINDS, _read, find_short_forms, parse_form_kinds
from assay.text.parse.flat import parse_texts

ALL = frozenset(KINDS)
CASES = [
    ("He came in order to help.", [("to", "phrase")]),
    ("The shelves stood in order to the left.", []),  # no verb follows
    ("More than 20 people came.", [("over", "phrase")]),
    ("It was more than they asked for.", []),
    ("It can carry no more than 10 people.", []),
    ("A number of people came.", [("several", "phrase")]),
    ("They made a decision after lunch.", [("decided", "nominalization")]),
    ("Ann is making use of it.", [("using", "nominalization")]),
    ("He took part in the race.", [("joined", "nominalization")]),
    ("He paid a visit to Rome and one to Oslo.", []),  # "visit to" asks for a verb after to
    ("It cost one hundred and fifty dollars.", [("150", "numeral")]),
    ("It cost two million dollars.", []),
    ("One and two are three.", []),
    ("He left on the 3rd of May.", [("May 3", "date")]),
    ("He left on May the 3rd.", [("May 3", "date")]),
    ("Prices rose 5 percent.", [("%", "abbreviation")]),
    ("A percent of the people came.", []),
    ("The United States agreed.", [("U.S.", "abbreviation")]),
    ("The World Bank Group (WBG) met; the World Bank Group agreed.", [("WBG", "abbreviation")]),
    ("The World Bank (XY) met; the World Bank agreed.", []),
    ("He did not go, and it is late.", [("didn't", "contraction"), ("it's", "contraction")]),
]


@pytest.mark.parametrize(("text", "wanted"), CASES, ids=[text for text, _ in CASES])
def test_short_forms(text, wanted):
    [a] = parse_texts([text])
    forms = find_short_forms(a, ALL)
    assert [(form.text, form.kind) for form in forms] == wanted


def test_only_the_kinds_asked_for():
    [a] = parse_texts(["He came in order to see 5 percent."])
    assert [form.kind for form in find_short_forms(a, frozenset({"abbreviation"}))] == ["abbreviation"]
    assert find_short_forms(a, frozenset()) == []


def test_kinds_are_spelled_as_calls():
    assert parse_form_kinds("none") == frozenset()
    with pytest.raises(UnknownName, match="unknown kind of short form 'dates'; did you mean 'date'"):
        parse_form_kinds("phrase+dates")


def test_the_lists_are_shorter_and_have_no_doubles():
    for name in ("short-forms.tsv", "light-verbs.tsv"):
        phrases = [phrase for several in _read(name).values() for phrase in several]
        assert len({phrase.words for phrase in phrases}) == len(phrases)
        for phrase in phrases:
            assert phrase.following in ("", "number", "verb", "noun"), phrase
            assert len(phrase.new) < len(" ".join(phrase.words)), phrase
            assert not {"not", "no", "never"} & set(phrase.words), phrase


def test_every_light_verb_can_be_inflected():
    for several in _read("light-verbs.tsv").values():
        for phrase in several:
            verb = phrase.new.split()[0]
            assert all(inflect_verb(verb, tag) for tag in ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")), phrase


def test_inflections():
    verbs = ("carry", "stop", "visit", "agree", "tie", "see", "pay", "argue")
    assert [inflect_verb(verb, "VBG") for verb in verbs] == [
        *("carrying", "stopping", "visiting", "agreeing", "tying", "seeing", "paying", "arguing")
    ]
    assert [inflect_verb(verb, "VBD") for verb in verbs] == [
        *("carried", "stopped", "visited", "agreed", "tied", "saw", "paid", "argued")
    ]
    assert inflect_verb("go", "NN") is None
    assert inflect_noun("box") == "boxes"
