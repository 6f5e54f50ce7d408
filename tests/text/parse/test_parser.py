"""Parsers by name: the shipped pipeline, other spaCy pipelines, stanza, CoNLL-U; batches, cache, beam, bad input."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayWarning, InputError
from assay.text import Lexicon, Texts
from assay.text.cache import Cache
from assay.text.parse.engines import engine
from assay.text.parse.parser import _warned, parse
from assay.text.parse.relations import is_universal
from assay.text.parse.sentence import Parse, Word

TEXT = "The cat sat on the mat. It slept.\n\nNobody   knew why"


def forms(text: Parse) -> list[list[str]]:
    return [[word.form for word in sentence] for sentence in text.sentences]


def triples(sentence) -> set[tuple[str, str, str]]:
    return {(w.relation, sentence[w.head].form if w.head >= 0 else "", w.form) for w in sentence}


def is_tree(sentence) -> bool:
    """Every word reaches a root."""
    for word in sentence:
        seen = 0
        while word.head >= 0:
            word, seen = sentence[word.head], seen + 1
            if seen > len(sentence):
                return False
    return True


@pytest.fixture(autouse=True)
def _fresh_warnings():
    _warned.clear()


def test_sentences_and_words():
    [text, empty, blank] = parse([TEXT, "", " \n "])
    assert forms(text) == [
        ["The", "cat", "sat", "on", "the", "mat", "."],
        ["It", "slept", "."],
        ["Nobody", "knew", "why"],
    ]
    assert empty.sentences == blank.sentences == ()
    first = text.sentences[0]
    assert {("nsubj", "sat", "cat"), ("root", "", "sat"), ("case", "mat", "on")} <= triples(first)
    assert (first[2].lemma, first[2].pos, first[2].tag) == ("sit", "VERB", "VBD")
    assert "Tense=Past" in first[2].features.split("|")


def test_batches_do_not_matter():
    lines = ["Dogs bark.", "Cats, however, do not bark at all.", "Why?"]
    assert parse(lines) == [parse([line])[0] for line in lines]
    [joined] = parse(["\n".join(lines)])
    assert joined.sentences == tuple(s for text in parse(lines) for s in text.sentences)


def test_each_line_is_parsed_once(monkeypatch):
    asked = []
    parser = engine("en")
    monkeypatch.setattr(parser, "parse", lambda some, _: asked.extend(some) or [()] * len(some))
    parse(["one line\nanother", "another\r\none  line", "another"])
    assert asked == ["one line", "another"]


def test_texts_remember_their_parses(monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    texts = Texts(["Birds sing."], Lexicon())
    assert texts.parses() is texts.parses("en")
    assert texts.parses() == parse(["Birds sing."])
    assert [h.entries for h in Cache(tmp_path).models()] == [1]


def test_cached_parses_are_the_same_and_need_no_parser(tmp_path, monkeypatch):
    strings = [TEXT, "Ein Wort.\nUn été à Paris – 100 €!"]
    fresh = parse(strings, cache=Cache(tmp_path))
    monkeypatch.setattr(engine("en"), "parse", lambda *_: pytest.fail("parsed again"))
    assert parse(strings, cache=Cache(tmp_path)) == fresh


def test_cached_parses_load_no_weights(tmp_path):
    code = (
        "import sys; from assay.text.parse.parser import parse; from assay.text.parse.engines import engine;"
        "from assay.text.cache import Cache;"
        "print(len(parse(['Birds sing.'], cache=Cache(sys.argv[1]))[0].sentences), engine('en').loaded,"
        "'spacy' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    first, second = (subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert (first, second) == ("1 True False\n", "1 False False\n")


def test_processes_give_the_same():
    strings = [f"Number {i} is a number, and {i % 7} is another." for i in range(1200)]  # more than a chunk
    assert parse(strings, processes=2) == parse(strings, processes=1) == parse(strings)


def test_threads_give_the_same():
    strings = [[f"{name} number {i} is a number." for i in range(20)] for name in ("The", "A", "Any", "No")]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parse, strings)) == [parse(some) for some in strings]


def test_an_error_in_a_process_is_the_users(tmp_path):
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no dependency parser, only a tokenizer"):
        parse([f"line {i}" for i in range(300)], f"spacy:{tmp_path / 'blank'}", processes=2)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=4))
def test_any_text_gives_trees(strings):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        found = parse(strings)
    for string, text in zip(strings, found, strict=True):
        characters = "".join("".join(line) for line in string.split())
        assert "".join("".join(sentence) for sentence in forms(text)) == characters
        assert all(is_tree(sentence) for sentence in text.sentences)
        assert all(is_universal(word.relation) for sentence in text.sentences for word in sentence)
        assert all((word.head < 0) == (word.relation == "root") for s in text.sentences for word in s)


def test_long_sentences():
    start = time.process_time()
    [text] = parse(["and the old man gave the young dog a bone " * 200])
    assert sum(map(len, text.sentences)) == 2000
    assert all(is_tree(sentence) for sentence in text.sentences)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("run", ["(", "'", "😀", "a", "a.", "-a", "http://a.b/"])
def test_long_words(run):
    start = time.process_time()
    [text] = parse([run * (20_000 // len(run))])
    assert text.sentences
    assert time.process_time() - start < 20


def test_half_a_character():
    with pytest.raises(InputError, match="half a character"):
        parse(["fine", "bad \ud800"])


def test_one_text_is_no_list():
    with pytest.raises(InputError, match="list of texts"):
        parse("a text")


@pytest.mark.parametrize(
    "text",
    [
        "Съешь ещё этих мягких французских булок, да выпей чаю.",
        "我能吞下玻璃而不伤身体。我能吞下玻璃而不伤身体。我能吞下玻璃而不伤身体。",
        "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann nach Hause zu seinen Kindern. " * 15,
    ],
)
def test_other_languages_get_a_word(text):
    with pytest.warns(AssayWarning, match=r"do not look English.*stanza:LANGUAGE"):
        parse([text])


def test_english_gets_no_such_word():
    parse(["Stocks fall as oil price slumps\nPolice arrest two men after London robbery\n" * 20, "ünïcödé", "OK"])


def sentence(*words: str) -> tuple[Word, ...]:
    """form/POS/head/relation, heads from 1, 0 for none."""
    split = [word.rsplit("/", 3) for word in words]
    return tuple(Word(f, {"is": "be"}.get(f, f), p, "", "", int(h) - 1, r) for f, p, h, r in split)


def test_importing_the_parser_loads_no_spacy():
    heavy = "{'spacy', 'thinc', 'msgspec', 'sqlite3'}"
    code = f"import sys, assay.text, assay.text.parse.parser; print({heavy} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "spacy" not in out
    assert "thinc" not in out
