"""Lexicons are built from sources that are there; stems, tags and lemmas come out as the language says."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from assay import _core
from assay.errors import InputError, MissingExtra, UnknownName
from assay.extras import MODELS, find_model
from assay.systems.compounds import _sources, build
from assay.systems.compounds._forms import Form
from assay.systems.compounds._sources import WordSource
from assay.systems.compounds._taggers import WordTagger
from assay.text.compounds.language import TAGS, load_language

FORMS = [
    Form("Schule", "Schule", "N", dictionary=True),
    Form("Schulen", "Schule", "N", dictionary=True),
    Form("fahren", "fahren", "V", 5.0, dictionary=True),
    Form("häuser", "Haus", "N", 4.0, dictionary=True),
    Form("zyx", zipf=0.5),
    Form("x1"),
    Form("a"),
]


@pytest.fixture
def german(monkeypatch):
    source = WordSource(lambda _: True, lambda _: iter(FORMS), "pip install it")
    monkeypatch.setattr(build, "SOURCES", {"wordfreq": source})
    monkeypatch.setattr(build, "TAGGERS", {})  # none, even if one is installed
    return load_language("de")


def hide_models(monkeypatch):
    absent = partial(find_model, package=MODELS._replace(module="no_such_models"))
    monkeypatch.setattr("assay.text.compounds.files.find_model", absent)


def open_bytes(content: bytes) -> _core.Lexicon:
    return _core.Lexicon(np.frombuffer(content, np.uint8))


def tags_of(lexicon: _core.Lexicon, word: str) -> str:
    bits = lexicon.bits(lexicon.find(word))
    return "".join(tag for i, tag in enumerate(TAGS) if bits >> i & 1)


def test_forms_lemmas_and_stems(german):
    lexicon = open_bytes(build.build_lexicon(german))
    assert tags_of(lexicon, "schule") == "N"
    assert lexicon.lemma("häuser", lexicon.find("häuser")) == "Haus"
    assert lexicon.lemma("schul", lexicon.find("schul")) == "Schule"  # a stem: only before another part
    assert lexicon.bits(lexicon.find("schul")) >> 12 & 1
    assert lexicon.find("fahr") >= 0
    assert lexicon.find("schulen") == -1  # Schule and an ending
    assert lexicon.find("zyx") == -1  # rare, and no dictionary has it
    assert lexicon.find("x1") == -1
    assert tags_of(lexicon, "auf") == "P"


def test_frequencies_are_half_zipf_units(german):
    lexicon = open_bytes(build.build_lexicon(german))
    assert lexicon.bits(lexicon.find("fahren")) >> 8 & 15 == 10


def test_own_words_are_added(german):
    assert open_bytes(build.build_lexicon(german, sources=[], words=["Xylophon"])).find("xylophon") >= 0


def test_without_a_source_the_error_says_what_to_install(monkeypatch):
    missing = WordSource(lambda _: False, lambda _: iter(()), "pip install 'assay-eval[compounds]'")
    monkeypatch.setattr(build, "SOURCES", dict.fromkeys(_sources.SOURCES, missing))
    with pytest.raises(MissingExtra, match=r"Estonian.*assay-eval\[compounds\]"):
        build.build_lexicon(load_language("et"))
    with pytest.raises(MissingExtra, match="--words"):
        build.build_lexicon(load_language("ko"))


def test_an_unknown_source_is_refused():
    with pytest.raises(UnknownName, match="wordfrek"):
        build.build_lexicon(load_language("de"), sources=["wordfrek"])


def test_a_lexicon_is_written_to_the_cache_and_found_there(german, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    result = build.write_lexicon("de")
    assert result.path == str(tmp_path / "compounds" / "de.lex")
    assert result.entries > 4
    build.ensure_lexicon("de")  # there is one: nothing is done
    monkeypatch.setenv("ASSAY_CACHE", "off")
    with pytest.raises(InputError, match="--out"):
        build.write_lexicon("de")


def test_ensure_builds_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    source = WordSource(lambda _: True, lambda _: iter(FORMS), "")
    monkeypatch.setattr(build, "SOURCES", {"simplemma": source})
    monkeypatch.setattr(build, "TAGGERS", {})
    hide_models(monkeypatch)
    lines: list[str] = []
    build.ensure_lexicon("et", progress=lines.append)
    assert (tmp_path / "compounds" / "et.lex").is_file()
    assert "Estonian" in lines[0]


def test_without_models_and_sources_the_line_names_both(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(build, "SOURCES", {})
    hide_models(monkeypatch)
    with pytest.raises(MissingExtra, match=r"^splitting Estonian words needs assay-eval-models.*build --language et$"):
        build.ensure_lexicon("et")


def test_taggers_are_asked_for_what_has_no_part_of_speech(german, monkeypatch):
    asked: list[str] = []

    def tag(_, words):
        asked.extend(words)
        return iter([Form("zyxe", "zyx", "A")])

    monkeypatch.setattr(build, "TAGGERS", {"hanta": WordTagger(lambda: True, tag, "pip install it")})
    forms = [*FORMS, Form("Zyxe", zipf=4.0), Form("Qua", zipf=3.0), Form("Blum", zipf=5.0)]
    source = WordSource(lambda _: True, lambda _: iter(forms), "")
    monkeypatch.setattr(build, "SOURCES", {"wordfreq": source})
    lexicon = open_bytes(build.build_lexicon(german))
    assert asked == ["blum", "zyxe", "qua", "zyx"]  # the most frequent first
    assert tags_of(lexicon, "zyxe") == "A"
    assert lexicon.lemma("zyxe", lexicon.find("zyxe")) == "zyx"
    assert tags_of(lexicon, "qua") == "X"


def test_a_stem_without_a_part_of_speech_is_of_any(monkeypatch):
    forms = [Form("gata", "gata", "N", 4.0, dictionary=True), Form("hälso", tags="", dictionary=True, stem=True)]
    monkeypatch.setattr(build, "SOURCES", {"wordfreq": WordSource(lambda _: True, lambda _: iter(forms), "")})
    lexicon = open_bytes(build.build_lexicon(load_language("sv")))
    assert tags_of(lexicon, "gat") == "N"
    assert lexicon.bits(lexicon.find("hälso")) >> 12 & 1


def test_german_verbs_and_adjectives_are_found_by_their_forms():
    words = ["häkeln", "häkelt", "häkelte", "häkelten", "klein", "kleine", "kleinen", "kleiner", "kleines", "und"]
    forms = list(_sources._german_classes(dict.fromkeys(words, 1e-6)))
    assert {f.text: f.tags for f in forms if f.text in ("häkeln", "klein")} == {"häkeln": "V", "klein": "A"}
    assert "und" not in {f.text for f in forms}


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_word_lists_are_read_in_either_encoding(tmp_path, monkeypatch, encoding):
    (tmp_path / "bokmaal").write_bytes("blåm\nbløm\n".encode(encoding))
    monkeypatch.setattr(_sources, "DICTIONARIES", tmp_path)
    assert [form.text for form in _sources.read_word_list(load_language("nb"))][:2] == ["blåm", "bløm"]


def test_a_small_list_is_filled_up_with_words_of_a_close_language(monkeypatch):
    lists = {"da": {"hus": 1e-4, "huse": 1e-6, "huset": 1e-5, "husets": 1e-7}, "nb": {"hus": 1e-3, "hytte": 1e-5}}
    package = SimpleNamespace(get_frequency_dict=lambda code, _: lists[code])
    monkeypatch.setattr(_sources, "import_extra", lambda *_: package)
    forms = list(_sources.read_wordfreq(load_language("da")))
    assert [(f.text, round(f.zipf, 1)) for f in forms if f.zipf] == [
        ("hus", 5.0),
        ("huse", 3.0),
        ("huset", 4.0),
        ("husets", 2.0),
        ("hytte", 3.0),  # one unit lower than in its own language
    ]
    assert {(f.text, f.lemma) for f in forms if f.dictionary} == {
        (w, "hus") for w in ("hus", "huse", "huset", "husets")
    }
