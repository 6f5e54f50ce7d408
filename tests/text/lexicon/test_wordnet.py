"""Synsets: the shipped table against WordNet's own files, and lexicons of the wn library."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UnknownName
from assay.extras import find_data
from assay.text.lexicon import wordnet
from assay.text.lexicon.wordnet import TABLE, synonyms, synsets

DICT = Path("/usr/share/wordnet")
COMPILER = Path(__file__).parents[3] / "training" / "text" / "lexicon" / "compile_wordnet.py"


def load_compiler() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compile_wordnet", COMPILER)
    compiler = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compiler)
    return compiler


def test_known_words():
    # WordNet 3.0: `wn dog -o -synsn` begins with {02084071} dog, domestic dog, Canis familiaris
    assert synsets("dog", "NOUN")[0] == 102084071
    assert len(synsets("dog", "n")) == 7
    assert synsets("Dog", "PROPN") == synsets("dog", "NOUN")
    assert synsets("domestic dog", "NOUN") == (102084071,)
    assert synsets("dog", "VERB") == synsets("chase", "VERB")[:1]
    assert synsets("large", "ADJ")[0] == synsets("big", "s")[0] == 301382086
    assert synsets("quickly", "ADV")
    assert all(not synsets("the", pos) for pos in ("NOUN", "VERB", "DET", "", "x"))


def test_synonyms():
    assert synonyms("buy", "purchase", "VERB")
    assert not synonyms("buy", "purchase", "ADV")
    assert not synonyms("buy", "sell", "VERB")
    assert synonyms("Xyzzy", "xyzzy", "NOUN")


@given(st.text(max_size=30), st.sampled_from(["NOUN", "VERB", "ADJ", "ADV", "X"]))
def test_any_string(lemma, pos):
    assert all(10**8 < number < 5 * 10**8 for number in synsets(lemma, pos))


def test_lone_surrogate():
    assert synsets("\ud800", "NOUN") == ()


@pytest.mark.skipif(not DICT.exists(), reason="needs Debian's wordnet-base")
def test_the_table_is_wordnets():
    compiler = load_compiler()
    assert compiler.table(DICT) == find_data(TABLE).read_bytes()
    for key, numbers in list(compiler.senses(DICT))[::37]:
        letter, lemma = key.decode().split(" ", 1)
        assert synsets(lemma, letter) == tuple(numbers)


def test_small():
    assert find_data(TABLE).stat().st_size < 4_000_000


def test_the_licence_is_beside_it():
    licence = find_data("text/data/wordnet-LICENSE.txt").read_text()
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in licence


def test_a_damaged_table(tmp_path, monkeypatch):
    (tmp_path / "wordnet.bin").write_bytes(b"something else entirely")
    monkeypatch.setattr(wordnet, "find_data", lambda name: tmp_path / "wordnet.bin")
    wordnet._table.cache_clear()
    wordnet._of_wordnet.cache_clear()
    with pytest.raises(InputError, match="is not a table of synsets"):
        synsets("dog", "NOUN")
    wordnet._table.cache_clear()


@pytest.fixture
def fake_wn(monkeypatch):
    module = ModuleType("wn")

    class Error(Exception):
        pass

    known = {("hund", "n"): ["x-1-n"], ("köter", "n"): ["x-1-n", "x-2-n"], ("groß", "s"): ["x-3-s"]}

    class Wordnet:
        def __init__(self, *, lexicon):
            if lexicon != "odenet:1.4":
                raise Error("no lexicon found")

        def synsets(self, form, pos):
            return [SimpleNamespace(id=name) for name in known.get((form, pos), [])]

    module.Error, module.Wordnet = Error, Wordnet  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wn", module)
    for function in (wordnet._wn, wordnet._of_wn):
        function.cache_clear()


def test_a_lexicon_of_wn(fake_wn):
    assert synonyms("hund", "köter", "NOUN", lexicon="wn:odenet:1.4")
    assert not synonyms("hund", "katze", "NOUN", lexicon="wn:odenet:1.4")
    assert len(synsets("köter", "NOUN", lexicon="wn:odenet:1.4")) == 2
    assert len(synsets("groß", "ADJ", lexicon="wn:odenet:1.4")) == 1
    with pytest.raises(InputError, match="holds no lexicon 'none'"):
        synsets("a", "NOUN", lexicon="wn:none")
    with pytest.raises(UnknownName, match="unknown lexicon 'wordnett'; did you mean 'wordnet'"):
        synsets("a", "NOUN", lexicon="wordnett")


def test_no_wn(monkeypatch):
    monkeypatch.setitem(sys.modules, "wn", None)
    wordnet._wn.cache_clear()
    wordnet._of_wn.cache_clear()
    with pytest.raises(InputError, match="pip install wn"):
        synsets("a", "NOUN", lexicon="wn:oewn")


def test_later_exception_lists_win(tmp_path):
    for name, text in {"noun": "wolves wolf\n", "verb": "", "adj": "better good\n", "adv": "better well\n"}.items():
        (tmp_path / f"{name}.exc").write_text(text)
    assert load_compiler().merge_exceptions(tmp_path) == "better well\nwolves wolf\n"
