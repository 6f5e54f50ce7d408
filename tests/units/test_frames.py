"""Lexicons of frames, from lines and from FrameNet's index."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.text import Texts
from assay.text.parse.sentence import Parse, Word
from assay.units.frames import frame_lexicon

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


def test_framenets_index(tmp_path, lexicon):
    (tmp_path / "luIndex.xml").write_text(
        '<luIndex xmlns="http://framenet.icsi.berkeley.edu"><lu name="rain.v" frameName="Precipitation"/>'
        '<legend/><lu name="gale.n" frameName="Weather"/></luIndex>'
    )
    made = frame_lexicon(str(tmp_path / "luIndex.xml"))
    assert len(made) == 2
    assert made.frame(_word("rained")) == "Precipitation"
    assert made.frame(_word("it")) is None
    assert frame_lexicon(lexicon).frame(_word("poured")) == "Precipitation"  # the first that is named


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("rain Precipitation\n", "a.tsv", "a.tsv:1: rain.v<TAB>Precipitation was expected"),
        ("# nothing\n", "b.tsv", "holds no lexical units"),
        ("<lu", "c.xml", "is not XML"),
    ],
)
def test_broken_lexicons(tmp_path, text, name, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        frame_lexicon(str(tmp_path / name))
