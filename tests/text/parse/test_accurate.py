"""The accurate parser: the same answers on every kind of processor, in any company, for any text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assay.cli.main import main
from assay.errors import FormatError, InputError, MissingExtra
from assay.text.cache import Cache
from assay.text.parse import parser as parsing
from assay.text.parse.accurate import AccurateEngine, find_accurate, load_encoder
from assay.text.parse.engines import ACCURATE, engine
from assay.text.parse.own import find_own
from assay.text.parse.weights import unseal

GOLDEN = Path(__file__).parent / "golden-accurate.json"
HARD = [
    "Time flies like an arrow; fruit flies like a banana.",
    "He can't say they'll come. DON'T! Who is it that you think she wants to be seen by?",
    "ΑΣ İstanbul STRASSE naïve 日本語 русский язык हिन्दी עברית 👩‍👩‍👧 😀😀 e\u0301 zero\u200bwidth \ufeff \ufffd",
    "\x01\x02 control \x1c \x1f \x7f\x85 # ## [SEP] [CLS]",
    "A",
    "(" * 60 + ")" * 60,
    "and " * 300 + "so on.",
    "antidisestablishmentarianism " * 130,
]


@pytest.fixture(scope="module")
def accurate():
    return find_accurate(ACCURATE)


def lines() -> list[str]:
    """Texts of our own, and hard ones."""
    root = Path(__file__).parents[3]
    return [*HARD, *(root / "src/assay/examples/sentences.txt").read_text("utf-8").splitlines(), *golden()]


def golden() -> dict[str, list[list[list[object]]]]:
    return json.loads(GOLDEN.read_text("utf-8"))


def same(mine, theirs) -> bool:
    return all(a.block == b.block and np.array_equal(a.keep, b.keep) for a, b in zip(mine, theirs, strict=True))


def test_golden_parses(accurate):
    """Written by this parser, read by people: whatever changes them is a new release of the parser."""
    blocks = accurate.parse([*golden()])
    for block, sentences in zip(blocks, golden().values(), strict=True):
        assert [[list(word) for word in sentence] for sentence in block] == sentences


def test_every_text_has_its_words_and_trees(accurate):
    for text, analysis in zip(lines(), accurate.analyse(lines()), strict=True):
        words = [word for sentence in analysis.block for word in sentence]
        assert [word.form for word in words] == [token[0] for token in find_own("en").load().tokenize(text)]
        assert analysis.keep.shape == (len(words),)
        assert np.all((analysis.keep >= 0) & (analysis.keep <= 1))
        for sentence in analysis.block:
            assert [word.relation == "root" for word in sentence] == [word.head == -1 for word in sentence]
            assert sum(word.head == -1 for word in sentence) == 1
            assert all(word.head < len(sentence) and word.head != i for i, word in enumerate(sentence))
            for place in range(len(sentence)):
                for _ in sentence:
                    place = sentence[place].head if place >= 0 else place
                assert place == -1


def test_answers_do_not_depend_on_company_or_threads(accurate):
    texts = lines()
    together = accurate.analyse(texts)
    assert same(together, [accurate.analyse([text])[0] for text in texts])
    assert same(together, accurate.analyse(texts, 2))
    assert same(together, accurate.analyse(texts[::-1], 2)[::-1])
    assert accurate.analyse([]) == []


@pytest.mark.slow
def test_2000_sentences_alone_in_batches_and_on_two_threads(accurate, shared_file):
    import gzip

    with gzip.open(shared_file("google-compression-9k.jsonl.gz"), "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["source"] for line, _ in zip(file, range(2000), strict=False)]
    alone = [accurate.analyse([text])[0] for text in texts]
    for threads in (1, 2):
        batches = [a for i in range(0, 2000, 64) for a in accurate.analyse(texts[i : i + 64], threads)]
        assert same(alone, batches)


@pytest.mark.parametrize("code", ["avx2", "plain"])
def test_every_kind_of_processor_gives_the_same_answers(accurate, code):
    texts = lines()[:6]
    expected = accurate.analyse(texts)
    _, lists = accurate._encoder
    other = AccurateEngine(ACCURATE, accurate.file, find_own("en"))
    try:
        other.__dict__["_encoder"] = load_encoder(unseal(accurate.file), lists, code), lists
    except ValueError as error:
        pytest.skip(str(error))
    assert same(expected, other.analyse(texts))


def test_long_texts(accurate):
    """Every word has a place, and trees do not grow beyond a window."""
    [many] = parsing.parse(["It is on the mat. " * 10_000], ACCURATE)
    assert sum(map(len, many.sentences)) == 60_000
    assert 9_900 <= len(many.sentences) <= 10_100
    [one] = parsing.parse(["x" * 100_000], ACCURATE)
    assert "".join(word.form for sentence in one.sentences for word in sentence) == "x" * 100_000
    assert max(map(len, accurate.parse(["and so " * 400])[0])) <= 240


def test_empty_texts():
    assert [len(p.sentences) for p in parsing.parse(["", " \n\t ", "Yes."], ACCURATE)] == [0, 0, 1]


def test_a_lone_surrogate_is_refused():
    with pytest.raises(InputError, match="surrogate"):
        parsing.parse(["a \ud800 b"], ACCURATE)


def test_parses_are_cached_with_engine_and_weights(tmp_path, accurate):
    cache = Cache(tmp_path)
    texts = ["Cats sleep. Dogs bark."]
    assert parsing.parse(texts, ACCURATE, cache=cache) == parsing.parse(texts, ACCURATE, cache=cache)
    assert [(held.model, held.entries) for held in cache.models()] == [(ACCURATE, 1)]
    head = accurate.file.read_bytes()[:200].decode("utf-8", "replace")
    assert accurate.version.split("-")[1] in head
    assert find_own("en").version in accurate.version


def test_damaged_weights_are_refused(tmp_path, accurate):
    content = bytearray(accurate.file.read_bytes())
    content[12_345_678] ^= 1
    (tmp_path / "accurate.safetensors").write_bytes(content)
    with pytest.raises(FormatError, match=r"is damaged: its SHA-256"):
        AccurateEngine(ACCURATE, tmp_path / "accurate.safetensors", find_own("en")).parse(["a"])


def test_without_weights(monkeypatch):
    monkeypatch.setattr("assay.extras._locate", lambda module: [])
    engine_of = engine.__globals__["_engine"].__wrapped__
    with pytest.raises(MissingExtra, match=r"parser 'accurate' needs assay-eval-models, .*pip install .*\[parse\]"):
        engine_of(ACCURATE)


def test_command(tmp_path, capsys):
    (tmp_path / "set.jsonl").write_text(
        '{"id": "1", "references": ["The cat slept on the mat."], "outputs": {"a": "A cat slept on the mat."}}\n'
    )
    assert main(["score", str(tmp_path / "set.jsonl"), "-m", "depeval", "--parser", ACCURATE]) == 0
    assert "accurate" in capsys.readouterr().out
