"""spaCy pipelines: packages and folders, their labels, and what is said where spaCy is not installed."""

from __future__ import annotations

import sys

import pytest

from assay.errors import AssayWarning, InputError
from assay.text.parse.engines import _engine
from assay.text.parse.parser import _warned, has_nbest, nbest, parse
from assay.text.parse.relations import is_universal
from assay.text.parse.spacy import hash_folder


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


@pytest.fixture
def clearnlp(tmp_path):
    """A pipeline whose parser has ClearNLP's labels."""
    import spacy

    nlp = spacy.blank("en")
    parser = nlp.add_pipe("parser")
    for label in ("ROOT", "nsubj", "dobj", "prep", "pobj", "punct"):
        parser.add_label(label)  # type: ignore[attr-defined]
    nlp.initialize()
    nlp.to_disk(tmp_path / "other")
    return f"spacy:{tmp_path / 'other'}"


def test_a_folder_with_a_pipeline(clearnlp):
    [text] = parse(["Dogs chase cats"], clearnlp)
    assert [word.form for sentence in text.sentences for word in sentence] == ["Dogs", "chase", "cats"]
    assert all(is_universal(word.relation) for sentence in text.sentences for word in sentence)
    assert {word.lemma for sentence in text.sentences for word in sentence} == {"dogs", "chase", "cats"}


def test_an_installed_pipeline(clearnlp, tmp_path, monkeypatch):
    package = tmp_path / "xx_made_pipeline"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (tmp_path / "other").rename(package / "xx_made_pipeline-1.0")
    monkeypatch.syspath_prepend(tmp_path)
    assert parse(["Dogs chase cats"], "spacy:xx_made_pipeline")[0].sentences


def test_a_parser_with_one_parse_says_so(clearnlp):
    assert not has_nbest(clearnlp)
    with pytest.warns(AssayWarning, match="gives only one parse of a sentence, not 5"):
        [[only]] = nbest(["Dogs chase cats"], clearnlp, 5)
    assert [only] == parse(["Dogs chase cats"], clearnlp)


def test_the_version_changes_with_the_weights(tmp_path):
    for name, text in (("a", "one"), ("b", "two")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "weights").write_text(text)
    assert hash_folder(tmp_path / "a") != hash_folder(tmp_path / "b")
    (tmp_path / "b" / "weights").write_text("one")
    assert hash_folder(tmp_path / "a") == hash_folder(tmp_path / "b")


def test_a_pipeline_without_the_door_before_its_name(clearnlp):
    """It works on for one release, with a note."""
    with pytest.warns(AssayWarning, match="are named with spacy: before them: --parser spacy:"):
        bare = parse(["Dogs chase cats"], clearnlp.removeprefix("spacy:"))
    assert bare == parse(["Dogs chase cats"], clearnlp)


def test_a_pipeline_without_spacy(clearnlp, monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    _engine.cache_clear()
    with pytest.raises(InputError, match=r"needs spaCy: pip install spacy$"):
        parse(["a"], clearnlp)
