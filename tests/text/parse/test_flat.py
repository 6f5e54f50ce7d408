"""Parses as one row of tokens."""

from __future__ import annotations

from assay.text.parse.flat import flatten, parse_texts
from assay.text.parse.parser import parse


def test_heads_count_from_the_start_of_the_text():
    [a] = parse_texts(["Cats  sleep. Old dogs bark."])
    assert [a.text[t.start : t.end] for t in a.tokens] == [w.form for w in a.words]
    assert a.heads[a.heads.index(-1) + 3] == 5
    assert a.sentence == (0, 0, 0, 1, 1, 1, 1)
    assert a.subtree(4) == [3, 4]
    assert a.children[5] == (4, 6)
    assert [t.text for t, mark in zip(a.tokens, a.punctuation, strict=True) if mark] == [".", "."]


def test_flatten_is_what_parse_texts_does():
    text = "Dogs bark."
    [parsed] = parse([text])
    assert flatten(text, parsed) == parse_texts([text])[0]
