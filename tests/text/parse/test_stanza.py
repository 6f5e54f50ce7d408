"""Parses by stanza, with a stand-in for it."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from assay.errors import InputError
from assay.text.parse.engines import _engine
from assay.text.parse.parser import _warned, parse
from assay.text.parse.sentence import Word


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


@pytest.fixture
def fake_stanza(monkeypatch):
    module = ModuleType("stanza")

    def words(text):
        made = [
            SimpleNamespace(text=w, lemma=None, upos="X", xpos=None, feats=None, head=i, deprel="dep" if i else "root")
            for i, w in enumerate(text.split())
        ]
        return SimpleNamespace(sentences=[SimpleNamespace(words=made)])

    class Pipeline:
        def __init__(self, language, *, processors, download_method, verbose):
            assert download_method is None
            if language == "xx":
                raise FileNotFoundError("resources.json")

        def bulk_process(self, texts):
            return [words(text) for text in texts]

    module.Pipeline = Pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stanza", module)
    _engine.cache_clear()
    yield module
    _engine.cache_clear()


def test_stanza(fake_stanza):
    [text] = parse(["Hunde bellen\nlaut"], "stanza:de")
    assert text.sentences == (
        (Word("Hunde", "hunde", "X", "", "", -1, "root"), Word("bellen", "bellen", "X", "", "", 0, "dep")),
        (Word("laut", "laut", "X", "", "", -1, "root"),),
    )
    with pytest.raises(InputError, match=r"stanza cannot load its 'xx' models.*stanza.download"):
        parse(["a"], "stanza:xx")
    with pytest.raises(InputError, match="names no language"):
        parse(["a"], "stanza:")


def test_no_stanza(monkeypatch):
    monkeypatch.setitem(sys.modules, "stanza", None)
    _engine.cache_clear()
    with pytest.raises(InputError, match="needs stanza: pip install stanza"):
        parse(["a"], "stanza:de")
