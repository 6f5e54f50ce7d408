"""The two Porter stemmers, Snowball, and stop words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from assay import _core
from assay.errors import UnknownName
from assay.text import Lexicon, TextReading, Texts

NLTK = PorterStemmer()
_SUFFIXES = (
    "ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness "
    "aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant "
    "ement ment ent ion sion tion ou ism ate iti ous ive ize e ll y ies sses ss s eed ed ing ied at bl iz "
)
SUFFIXES = _SUFFIXES.split()
made_up = st.builds(
    lambda stem, one, two: stem + one + two,
    st.text(st.sampled_from("aeiouybcdlstwx"), max_size=6),
    st.sampled_from(["", *SUFFIXES]),
    st.sampled_from(["", "", *SUFFIXES]),
).filter(bool)


@settings(max_examples=3000, deadline=None)
@given(made_up)
def test_porter_as_nltk(word):
    assert _core.porter(word) == NLTK.stem(word)


@pytest.mark.parametrize("word", ["sky", "dying", "innings", "proceed", "news", "skies", "by", "a", "yyyy", "oed"])
def test_porter_exceptions_as_nltk(word):
    assert _core.porter(word) == NLTK.stem(word)


# Printed by sub stem of ROUGE-1.5.5.pl (perl 5.36) for each word.
PERL = {
    "relational": "relat",
    "enjoyment": "enjoy",
    "happy": "happi",
    "agreement": "agreem",
    "government": "govern",
    "flying": "fly",
    "yearly": "yearli",
    "generously": "gener",
    "controlling": "control",
    "hopping": "hop",
    "falling": "fall",
    "filing": "file",
    "sized": "size",
    "adoption": "adopt",
    "dependent": "depend",
    "ties": "ti",
    "caresses": "caress",
    "probate": "probat",
    "cease": "ceas",
    "possibly": "possibl",
}


@pytest.mark.parametrize(("word", "stem"), PERL.items())
def test_porter155_as_perl(word, stem):
    assert _core.porter155(word) == stem


def words(text: str, **reading) -> list[str]:
    return Texts([text], Lexicon()).words(TextReading(**reading))[0]


def test_short_words_are_not_stemmed():
    assert words("its cats", tokenizer="rouge", stem=True) == ["its", "cat"]
    assert words("its cats", tokenizer="rouge155", stem=True) == ["its", "cat"]


def test_irregular_forms_only_with_wordnet():
    assert words("children", tokenizer="rouge155", stem="porter155") == ["children"]
    assert words("children", tokenizer="rouge155", stem=True) == ["child"]


def test_adverbs_win_over_adjectives():
    """ROUGE-1.5.5 reads adv.exc last: NIST's own figures for DUC 2007 come out with these entries only."""
    text, reading = "best better deeper farther further harder hardest", {"tokenizer": "rouge155", "stem": True}
    assert words(text, **reading) == ["well", "well", "deeply", "far", "far", "hard", "hard"]


def test_snowball_languages():
    assert words("Häuser laufend", stem="german") == ["haus", "laufend"]
    assert words("running", stem=True) == ["run"]  # a tokenizer without a stemmer of its own takes Snowball English
    with pytest.raises(UnknownName, match="unknown stemmer 'germann'; did you mean 'german'"):
        TextReading(stem="germann")


def test_stop_words_go_before_stems_come():
    assert words("The others were running", tokenizer="rouge155", stop=True, stem=True) == ["run"]


def test_a_lexicon_grows_with_its_texts():
    lexicon = Lexicon()
    for text, stems in [("cats", ["cat"]), ("cats dogs", ["cat", "dog"]), ("dog cat", ["dog", "cat"])]:
        assert Texts([text], lexicon).words(TextReading("rouge", stem=True))[0] == stems
