"""The n best parses of a text."""

from __future__ import annotations

import time

import pytest
import spacy_beam
from pipelines import FOLDER, NAME

from assay.errors import InputError
from assay.text.cache import Cache
from assay.text.parse.parser import _warned, nbest, parse
from assay.text.parse.sentence import Parse, Word
from assay.text.parse.spacy import SpacyEngine

TEXT = "The cat sat on the mat. It slept.\n\nNobody   knew why"


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


def sentence(*words: str) -> tuple[Word, ...]:
    """form/POS/head/relation, heads from 1, 0 for none."""
    split = [word.rsplit("/", 3) for word in words]
    return tuple(Word(f, {"is": "be"}.get(f, f), p, "", "", int(h) - 1, r) for f, p, h, r in split)


def test_nbest():
    strings = ["I saw the man with the telescope. He left.\nFine.", "", "Yes", "I saw the man with the telescope."]
    found = nbest(strings, n=6)
    assert [len(parses) for parses in found[:3]] == [6, 1, 1]
    for parses in found:
        assert len({p.sentences for p in parses}) == len(parses)
        assert [p.score for p in parses] == sorted((p.score for p in parses), reverse=True)
        assert all(p.score <= 1e-6 for p in parses)
        assert all(is_tree(sentence) for p in parses for sentence in p.sentences)
    assert found[1] == [Parse(())]
    heads = {next(w.head for w in p.sentences[0] if w.form == "telescope") for p in found[3]}
    assert heads >= {1, 3}  # saw with, the man with
    [plain] = parse(["Yes"])
    assert found[2][0].sentences == plain.sentences


def test_nbest_of_long_sentences():
    long = "and the old man gave the young dog a bone of the table " * 20
    start = time.process_time()
    [parses] = nbest(["It rains.\n" + long + "\nIt rains."], n=50)
    assert 2 <= len(parses) <= 50
    assert {sum(map(len, p.sentences)) for p in parses} == {20 * 13 + 6}
    assert time.process_time() - start < 10


def test_norms_of_contractions_reach_the_beam():
    """The words of a sentence are embedded by their norms: "n't" as "not", "'ll" as "will"."""
    nlp = SpacyEngine(NAME, FOLDER).nlp
    [span] = nlp("He can't say they'll come.").sents
    alone = spacy_beam._without_tree(nlp, span)
    assert [token.norm_ for token in alone] == ["he", "can", "not", "say", "they", "will", "come", "."]
    assert abs(alone.tensor - nlp.get_pipe("tok2vec").predict([span.as_doc()])[0]).max() < 1e-4


def test_nbest_with_cache_and_one(tmp_path):
    cache = Cache(tmp_path)
    fresh = nbest(["Flying planes can be dangerous."], n=4, cache=cache)
    assert nbest(["Flying planes can be dangerous."], n=4, cache=cache) == fresh
    assert len(nbest(["Flying planes can be dangerous."], n=2, cache=cache)[0]) == 2
    assert nbest([TEXT], n=1) == [parse([TEXT])]
    with pytest.raises(InputError, match="at least 1, got 0"):
        nbest([TEXT], n=0)
