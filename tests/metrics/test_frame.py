"""Frames: a tiny lexicon and parses written for the test."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError
from assay.text import Texts
from assay.text.parse.sentence import Parse, Word

LEXICON = """# made for the test
rain.v\tPrecipitation
pour.v\tPrecipitation
pour.v\tCause_motion
storm.n\tWeather
gale.n\tWeather
"""

TAGS = {"it": "PRON", "rained": "VERB", "poured": "VERB", "storms": "NOUN", "gale": "NOUN", "the": "DET", ".": "PUNCT"}

LEMMAS = {"rained": "rain", "poured": "pour", "storms": "storm"}


@pytest.fixture
def lexicon(tmp_path, monkeypatch) -> str:
    def parses(self, model="en"):
        return [Parse((tuple(_word(form) for form in text.split()),)) for text in self.strings]

    monkeypatch.setattr(Texts, "parses", parses)
    (tmp_path / "frames.tsv").write_text(LEXICON)
    return str(tmp_path / "frames.tsv")


def _word(form: str) -> Word:
    return Word(form, LEMMAS.get(form, form), TAGS.get(form, "X"), "", "", -1, "dep")


@pytest.mark.parametrize(
    ("name", "output", "reference", "want"),
    [
        ("frame1", "It poured .", "it rained", 1.0),
        ("frame2", "it poured", "it rained .", 1.0),
        ("frame1", "the gale", "the storms", 1.0),
        ("frame1", "the storms", "the rained", 0.5),  # a noun's frame is not a verb's
        ("frame1", "pour", "rained", 0.0),  # no verb here: it stands as it is
        ("frame1", "walking", "walked", 1.0),  # no frame: stems
        ("frame1", "", "it rained", 0.0),
    ],
)
def test_nouns_and_verbs_match_by_frame(lexicon, name, output, reference, want):
    data = assay.EvalSet.from_texts([output.lower()], [reference])
    assert assay.score(data, f"{name}(lexicon={lexicon})").values.item() == pytest.approx(want)


def test_word_as_it_stands(lexicon):
    data = assay.EvalSet.from_texts(["walking"], ["walked"])
    assert assay.score(data, f"frame1(lexicon={lexicon}, word=form)").values.item() == 0


def test_a_lexicon_must_be_given():
    with pytest.raises(InputError, match="frame1 needs a lexicon of frames: frame1"):
        assay.metric("frame1")
    with pytest.raises(InputError, match="no frame lexicon at"):
        assay.score(assay.EvalSet.from_texts(["a"], ["a"]), "frame1(lexicon=nowhere.tsv)")
