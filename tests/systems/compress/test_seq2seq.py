"""seq2seq with its shipped weights: lengths, texts it refuses, what must stay together."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sequence_models import random_seq2seq

from assay.errors import InputError, MissingExtra
from assay.extras import RESEARCH, find_model
from assay.systems.budget import count_words
from assay.systems.compress import compress
from assay.systems.compress.seq2seq import Seq2Seq

try:
    find_model("abstractive/seq2seq.json", "the compressor seq2seq", package=RESEARCH)
except MissingExtra as error:
    pytest.skip(str(error), allow_module_level=True)

NEWS = (
    "The government, which took office in March after months of talks, said on Monday that it would cut taxes for "
    "small firms by 3.5% next year, the finance minister's office confirmed."
)


ARREST = (
    "A 34-year-old man who robbed a bank in Leeds on Friday was arrested by police at his mother's house, she said."
)


def test_what_the_sentence_is_about_stays():
    [short] = compress([ARREST], "seq2seq", words=12)
    assert short.words == 12
    assert "man who robbed a bank" in short.text
    assert "arrested" in short.text
    assert short.text.endswith(".")


def test_the_band_of_the_paper_holds_without_a_limit():
    [short] = compress([NEWS], "seq2seq")
    assert 0.5 <= short.word_rate <= 0.75
    [free] = compress([NEWS], "seq2seq(least=0, most=1)")
    assert 0 < free.word_rate < 0.6  # most of its training pairs are like headlines
    [long] = compress([NEWS], "seq2seq(least=0.9, most=1)")
    assert long.word_rate >= 0.9


@pytest.mark.parametrize("words", [1, 2, 5, 17, 28])
def test_the_number_of_words_is_exact(words):
    [short] = compress([NEWS], "seq2seq", words=words)
    assert short.words == words


def test_sentences_are_shortened_one_by_one():
    [short] = compress([f"{NEWS} It rained. {NEWS}"], "seq2seq")
    first, second, third = short.text.split(". ")
    assert second == "It rained"
    assert first == third.removesuffix(".")


def test_what_is_written_as_one_stays_together():
    text = "Mr Li's firm didn't pay $40m, or 3.5%, to the U.S.-led group's well-known owners, and they've sued."
    for words in range(1, count_words(text)):
        [short] = compress([text], "seq2seq", words=words)
        for half, whole in (
            ("did", "didn't"),
            ("$", "$40m"),
            ("%", "3.5%"),
            ("U.S", "U.S.-led"),
            ("well", "well-known"),
        ):
            assert half not in short.text or whole in short.text
        assert not short.text.startswith(("'", "n't"))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Der Hund lief gestern schnell nach Hause und schlief dort ein.", r"\d+% of its words are unknown"),
        ("12 345 !!! 67", "it has no words"),
        ("— … —", "it has no words"),
    ],
)
def test_texts_that_are_left_as_they_are(text, note):
    [result] = compress([text], "seq2seq", language="en")
    assert result.text == text
    assert len(result.notes) == 1
    assert re.search(note, result.notes[0])


def test_texts_that_are_hardly_texts():
    texts = ["", " ", "Yes", "Yes.", "\u200b", "a\u0300 b", "🙂 🙂 smiles all round today, everyone 🙂", "A" * 3000]
    for text, result in zip(texts, compress(texts, "seq2seq", words=3), strict=True):
        assert bool(result.text.strip()) == bool(text.strip())


@pytest.mark.parametrize("system", ["seq2seq", "namas(beam=2)"])
def test_limits_that_are_too_low_or_not_needed(system):
    texts = ["The old men said so.", "Antidisestablishmentarianism prevailed!", "!!! hello, you there ???", "I. A. B."]
    for text, low, high in zip(texts, compress(texts, system, chars=1), compress(texts, system, words=9), strict=True):
        assert any(c.isalnum() for c in low.text)
        assert len(low.text) <= 1 or "longer than the limit of 1 character" in low.notes[-1]
        assert high.text == text
        assert high.notes == ()


def test_long_sentences_are_read_in_windows():
    text = " ".join(["and the old minister said that taxes would fall"] * 25)
    [short] = compress([text], "seq2seq", ratio=0.5)
    assert short.words == count_words(text) // 2


def test_parameters_are_checked(tmp_path):
    with pytest.raises(InputError, match="least and most must be shares"):
        Seq2Seq(least=0.8, most=0.5)
    with pytest.raises(InputError, match="beam must be"):
        Seq2Seq(beam=0)
    with pytest.raises(InputError, match="no model at"):
        compress(["A cat sat here."], f"seq2seq(model={tmp_path / 'none.json'})")


def test_another_model(tmp_path):
    path = random_seq2seq(tmp_path / "own.json", words=("<unk>", "the", "cat", "sat", "."))
    [short] = compress(["The cat sat . "], Seq2Seq(model=str(path)), words=2)
    assert short.words == 2
