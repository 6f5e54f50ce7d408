"""namas with its shipped weights, and with small random ones for the other encoders."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from sequence_models import random_namas

from assay.errors import InputError, MissingExtra, UnknownName
from assay.extras import RESEARCH, find_model
from assay.systems.compress import compress
from assay.systems.compress.edits.rewrite import Rewrite
from assay.systems.compress.namas import Namas
from assay.systems.compress.neural.word_units import join_words
from assay.text.tokens.offsets import split_lexical_tokens

try:
    find_model("abstractive/namas.json", "the compressor namas", package=RESEARCH)
except MissingExtra as error:
    pytest.skip(str(error), allow_module_level=True)

NEWS = (
    "The government, which took office in March, said on Monday that it would cut taxes for small firms by 3.5% next "
    "year, the finance minister's office confirmed."
)
WORDS = ("<unk>", "<s>", "</s>", ".", "the", "cat", "sat", "on", "mat", "##")


def forms(text):
    return [unit.form for unit in join_words(split_lexical_tokens(text))]


def test_it_writes_a_text_of_the_length_that_is_wanted():
    [short] = compress([NEWS], "namas", words=12)
    assert isinstance(short, Rewrite)
    assert 11 <= short.words <= 12
    assert short.text.endswith(".")
    assert short.text[0].isupper()
    [free] = compress([NEWS], "namas")
    assert 0.5 <= free.word_rate <= 0.75


def test_extractive_texts_have_no_word_of_their_own():
    for short in compress([NEWS], "namas(extractive=true, features=none)", ratio=0.6):
        assert set(forms(short.text)) <= set(forms(NEWS))


def test_names_and_numbers_are_copied_not_invented():
    texts = ["Prime Minister Xoqlu Vemmer told 4,711 people on Friday that Brozniak is not for sale."]
    for features in ("paper", "released", "none"):
        [short] = compress(texts, f"namas(features={features})", ratio=0.7)
        names = re.findall(r"\b[A-Z]\w+|\d[\d,]*", short.text)[1:]
        assert all(name in texts[0] for name in names)
        assert "unk" not in short.text
        assert "#" not in short.text


def test_no_word_comes_more_often_than_in_the_source():
    [short] = compress([NEWS], "namas(features=none)", ratio=0.75)
    own, source = forms(short.text), forms(NEWS)
    assert all(own.count(word) <= max(1, source.count(word)) for word in own)


def test_sentences_one_by_one():
    [short] = compress([f"{NEWS} It rained."], "namas")
    assert short.text.endswith(" It rained.")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("Der Hund lief gestern schnell nach Hause und schlief dort ein.", r"\d+% of its words are unknown"),
        ("12 345 !!! 67", "it has no words"),
    ],
)
def test_texts_that_are_left_as_they_are(text, note):
    [result] = compress([text], "namas", words=2, language="en")
    assert result.text == text
    assert re.search(note, result.notes[0])
    assert any("longer than the limit" in line for line in result.notes) == (len(text) > 20 or "345" in text)


def test_texts_that_are_hardly_texts():
    texts = ["", " ", "Yes", "Yes.", "\u200b", "a\u0300 b", "🙂 🙂 smiles all round today, everyone 🙂"]
    for text, result in zip(texts, compress(texts, "namas", words=2), strict=True):
        assert bool(result.text.strip()) == bool(text.strip())
        assert result.words <= 2 or result.notes


@pytest.mark.parametrize("encoder", ["attention", "bow", "convolution"])
def test_every_encoder_runs(encoder, tmp_path):
    path = random_namas(tmp_path / "n.json", words=WORDS, encoder=encoder)
    system = Namas(encoder=encoder, model=str(path))
    for words in (1, 3):
        [short] = compress(["The cat sat on the 2 mat."], system, words=words)
        assert 1 <= short.words <= words
    with pytest.raises(InputError, match=f"the model has the encoder {encoder}, not"):
        compress(["The cat."], Namas(encoder="bow" if encoder != "bow" else "attention", model=str(path)))


def test_parameters_are_checked():
    with pytest.raises(UnknownName, match="unknown encoder 'atention'; did you mean 'attention'"):
        compress(["x"], "namas(encoder=atention)")
    with pytest.raises(UnknownName, match="kind of features"):
        Namas(features="all")
    with pytest.raises(InputError, match="no bow network comes with Assay"):
        compress(["x"], "namas(encoder=bow)")
    with pytest.raises(InputError, match="least and most"):
        Namas(least=2)
    with pytest.raises(InputError, match="beam must be"):
        Namas(beam=0)
