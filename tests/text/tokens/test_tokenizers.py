"""Each tokenizer equals the program it is named after."""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import tokenize as rouge_tokenize
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

from assay.errors import UnknownName
from assay.text import Lexicon, TextReading, Texts, tokenize

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)

tricky = st.text(st.sampled_from("aB3.,-'\" \n\t&<>$_:;%/()[]éßİK\u00a0\u3000東ア한ส\u0301👍🏽🇩🇪\u200d"), max_size=40)

mteval = st.text(st.sampled_from("ab12.,- \n&quot;<skipped>'$\u00a0é"), max_size=40)

texts = st.one_of(anything, tricky, mteval)

relaxed = settings(deadline=None, max_examples=400)


@relaxed
@given(texts)
def test_rouge_as_rouge_score(text):
    assert tokenize(text, "rouge") == rouge_tokenize.tokenize(text, None)


@relaxed
@given(texts)
def test_rouge155_as_the_perl_program(text):
    lowered = re.sub("[A-Z]", lambda m: m[0].lower(), text)
    assert tokenize(text, "rouge155") == re.findall("[a-z0-9]+", lowered)


@relaxed
@given(texts)
def test_13a_as_sacrebleu(text):
    assert tokenize(text, "13a") == Tokenizer13a()(text.rstrip()).split()


@relaxed
@given(texts)
def test_intl_as_sacrebleu(text):
    assert tokenize(text, "intl") == TokenizerV14International()(text.rstrip()).split()


@relaxed
@given(texts)
def test_char_and_space(text):
    assert tokenize(text, "char") == TokenizerChar()(text).split()
    assert tokenize(text, "space") == text.split()


@pytest.mark.parametrize("length", [1, 3, 4, 7, 8, 9, 14, 15, 16, 17, 40])
def test_words_of_any_length_are_told_apart(length):
    """A word is known by its first bytes and its length, or by a look at all of it: ends and zeros at the end count."""
    stem = "x" * (length - 1)
    words = [stem + last for last in "abc\0"] + [stem, f"{stem}a\0", f"{stem}\0\0", f"y{stem}"]
    words = [word for word in words if word]
    for white_space in " \n\t\x1c\x1f\v":
        text = white_space.join(words * 9)  # longer than a block, so that words lie across
        assert tokenize(text, "space") == text.split() == words * 9
        assert tokenize(f"é{text}", "space") == f"é{text}".split()


WORDY = regex.compile(r"[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]")


def uax29(text: str) -> list[str]:
    """The regex package's word boundaries, words only, in lower case."""
    import unicodedata

    text = unicodedata.normalize("NFC", text)
    segments = regex.split(r"(?w)\b", text, flags=regex.V1)
    return ["".join(c.lower() for c in s) for s in segments if WORDY.search(s)]


@relaxed
@given(st.text(st.sampled_from("abZ3.,_:; \n-éß한ア東ส"), max_size=30))
def test_unicode_as_uax29(text):
    # Without the apostrophe and combining marks, where the regex package goes its own way: it joins an apostrophe to a
    # vowel after it, and a mark after a full stop hides what WB6 looks for.
    assert tokenize(text, "unicode") == uax29(text)


def test_marks_belong_to_what_they_follow():
    assert tokenize("x.\u0301a") == ["x.\u0301a"]  # WB4 with WB6
    assert tokenize("\u03013") == ["3"]  # a mark at the start follows nothing


@given(st.text(st.sampled_from("abZ39.,'_:; \n-$"), max_size=150))
def test_unicode_is_the_same_with_and_without_the_ascii_path(text):
    """One character outside ASCII at the end sends the whole text the general way."""
    assert tokenize(text + " é", "unicode") == [*tokenize(text, "unicode"), "é"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't stop_me at 3.14, e.g. now", ["don't", "stop_me", "at", "3.14", "e.g", "now"]),
        ("naïve cafe\u0301", ["naïve", "café"]),  # NFC: one way to write é
        ("東京タワー", ["東", "京", "タワー"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("👍🏽 🇩🇪 ok", ["👍🏽", "🇩🇪", "ok"]),
        ("__ ... !?", []),
    ],
)
def test_unicode_words_of_any_script(text, tokens):
    assert tokenize(text) == tokens


def test_long_words_and_long_lines():
    word = "x" * 100_000
    assert tokenize(f"{word} y {word}z", "rouge") == [word, "y", word + "z"]
    assert len(tokenize("ab " * 1_000_000, "unicode")) == 1_000_000


def test_unknown_tokenizer():
    with pytest.raises(UnknownName, match="unknown tokenizer '13b'; did you mean '13a'"):
        tokenize("x", "13b")


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (TextReading(), ["the", "cats", "sat", "down"]),
        (TextReading(stem=True), ["the", "cat", "sat", "down"]),
        (TextReading("13a"), ["The", "cats", "sat", "-", "down", "."]),
        (TextReading("13a", punctuation=False, lower=True), ["the", "cats", "sat", "down"]),
        (TextReading(stop=True), ["cats"]),
        (TextReading("space", words=2), ["The", "cats"]),
    ],
)
def test_words_of_a_reading(reading, words):
    assert Texts(["The cats sat - down."], Lexicon()).words(reading) == [words]


def test_true_takes_the_stemmer_of_the_tokenizer():
    assert [TextReading(t, stem=True).stem for t in ("rouge", "rouge155", "unicode")] == [
        "porter",
        "porter155-wordnet",
        "english",
    ]
    assert TextReading("rouge", stem=True) == TextReading("rouge", stem="porter")


@pytest.mark.parametrize("options", [{"tokenizer": "13b"}, {"stem": "klingon"}, {"sentences": "none"}])
def test_unknown_names(options):
    with pytest.raises(UnknownName):
        TextReading(**options)
