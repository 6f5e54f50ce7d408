"""Running text: words are split, the rest stays; the tokenizer that splits compounds gives their parts."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UnknownName
from assay.text.compounds.running import mark_texts, split_texts
from assay.text.compounds.splitter import load_splitter
from assay.text.tokens.tokenizers import tokenize

TEXT = 'Das "Prüfungsprogramm" (2 %):\n\tvielleicht – 🙂 Sklavenmoral.'


def test_everything_but_the_words_stays():
    [marked] = mark_texts(load_splitter("de"), [TEXT])
    assert marked == TEXT.replace("Prüfungsp", "Prüfungs|p").replace("enmoral", "en|moral")


def test_a_tokenizer_without_linking_elements():
    assert split_texts(["Sklavenmoral und Prüfungsprogramme"], "de") == ["Sklaven moral und Prüfung programme"]
    assert tokenize("Das Prüfungsprogramm!", "unicode+split-de") == ["das", "prüfung", "programm"]
    assert tokenize("Das Prüfungsprogramm!", "13a+split-de") == ["Das", "Prüfung", "programm", "!"]


def test_rouge_finds_parts_of_compounds():
    outputs, references = ["das Programm der Prüfung"], ["das Prüfungsprogramm"]
    plain, split = (
        assay.score(outputs, references, f"rouge1(tokenizer={name})").means()[0]
        for name in ("unicode", "unicode+split-de")
    )
    assert plain == pytest.approx(2 * 1 / (4 + 2))
    assert split == pytest.approx(2 * 3 / (4 + 3))


@pytest.mark.parametrize("name", ["unicode+split-xx", "nonsense+split-de"])
def test_unknown_ones_are_refused(name):
    with pytest.raises(UnknownName):
        tokenize("x", name)
