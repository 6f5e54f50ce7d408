"""Files of a splitter: sound ones are opened, damaged ones refused in one line."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import FormatError, InputError
from assay.extras import find_model
from assay.text.compounds.files import (
    built_lexicon,
    find_lexicon,
    load_temperature,
    load_weights,
    open_lexicon,
    write_model,
)
from assay.text.compounds.language import load_language

DE = find_model("compounds/de.lex", "the test")


def test_the_shipped_lexicon_knows_words_and_their_lemmas():
    lexicon = open_lexicon(DE)
    assert len(lexicon) > 200_000
    number = lexicon.find("häuser")
    assert lexicon.lemma("häuser", number) == "Haus"
    assert lexicon.find("häuserx") == -1
    assert lexicon.find("") == -1


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda b: b[: len(b) // 2], "cut off"),
        (lambda b: b[:100_000] + bytes([b[100_000] ^ 1]) + b[100_001:], "checksum"),
        (lambda b: b"x" * len(b), "not a lexicon"),
        (lambda b: b[:10], "too short"),
        (lambda b: b"", "empty"),
    ],
)
def test_a_damaged_lexicon_is_refused(tmp_path, damage, message):
    path = tmp_path / "bad.lex"
    path.write_bytes(damage(DE.read_bytes()))
    with pytest.raises(FormatError, match=message):
        open_lexicon(path)


def test_a_missing_lexicon_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.lex"):
        open_lexicon(tmp_path / "none.lex")


def test_a_built_lexicon_comes_before_the_shipped_one(tmp_path, monkeypatch):
    german = load_language("de")
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    assert find_lexicon(german) == DE
    built = built_lexicon(german)
    built.parent.mkdir()
    built.write_bytes(DE.read_bytes())
    assert find_lexicon(german) == built
    monkeypatch.setenv("ASSAY_CACHE", "off")
    assert find_lexicon(german) == DE


def test_weights_come_back_rounded(tmp_path, monkeypatch):
    weights = np.zeros(1000)
    weights[[3, 700]] = 1.25, -2.501
    write_model(tmp_path / "zz.npz", weights, 1.5)
    monkeypatch.setattr(
        "assay.text.compounds.files.find_model", lambda name, purpose: tmp_path / name.rpartition("/")[2]
    )
    from dataclasses import replace

    language = replace(load_language("de"), model="zz")
    back = load_weights(language)
    assert load_temperature(language) == 1.5
    assert back[3] == 1.25
    assert back[700] == pytest.approx(-2.5, abs=0.01)
    assert np.count_nonzero(back) == 2
    shifted = load_weights(replace(language, shift=2.0, guess_shift=-1.0))
    assert shifted[:2].tolist() == [2.0, -1.0]
    assert back[0] == 0
