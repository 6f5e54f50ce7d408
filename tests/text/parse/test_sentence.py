"""What a parse is made of."""

from __future__ import annotations

from assay.text.parse.sentence import Parse, Word


def test_a_parse_is_plain_data():
    """Parses are compared, hashed and stored: they must be tuples all the way down."""
    word = Word("cats", "cat", "NOUN", "NNS", "Number=Plur", -1, "root")
    parse = Parse(((word,),))
    assert parse == Parse((((word),),), 0.0)
    assert hash(parse) == hash(Parse(((Word(*word),),)))
    assert parse.sentences[0][0].lemma == "cat"
