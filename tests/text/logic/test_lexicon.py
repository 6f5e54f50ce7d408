"""The lexicons: every row has a class that a rule reads, and a source."""

from __future__ import annotations

import pytest

from assay.extras import find_data
from assay.text.logic import lexicon

CLASSES = {
    "quantifiers": {"up", "down", "none", "definite"},
    "modifiers": {
        *("privative", "nonsubsective", "quantity", "identity", "plain", "approximator", "frequency", "modal", "focus"),
        *("aspect", "negation", "comparison", "discourse"),
    },
    "predicates": {"negative", "factive", "implicative", "saying", "attitude", "omissible"},
    "connectives": {
        *("conditional", "exceptive", "attribution", "negative", "comparative", "concessive", "factual", "frame"),
    },
    "bounds": {"before", "after", "operator"},
    "nouns": {"unit", "scale", "partitive", "title", "place"},
}


@pytest.mark.parametrize("name", lexicon.NAMES)
def test_rows_have_known_classes(name):
    rows = lexicon.read_rows(name)
    assert len(rows) > 60
    assert {row[1] for row in rows} <= CLASSES[name]
    assert all(row[0] == row[0].strip() and row[0] for row in rows)
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("name", lexicon.NAMES)
def test_each_file_says_where_its_classes_are_from(name):
    lines = find_data(f"text/data/logic/{name}.tsv").read_text("utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert "written for Assay" in " ".join(head)


def test_words():
    assert lexicon.quantifiers()["every"] == ("down", "up")
    assert lexicon.modifiers()["alleged", "adj"] == "nonsubsective"
    assert lexicon.predicates()["refuse"] == {"negative"}
    assert "refuse" in lexicon.omissible()
    assert "tell" not in lexicon.omissible()
    assert "exceptive" in lexicon.connectives()["apart", "from"]
    assert "before" in lexicon.bounds()["no", "more", "than"]
    assert "unit" in lexicon.nouns()["percent"]


def test_the_longest_phrase_is_found():
    words = ["with", "the", "exception", "of", "two"]
    assert lexicon.find_phrases(words, lexicon.connectives())[0][0] == 4
    assert lexicon.find_phrases([], lexicon.bounds()) == {}
