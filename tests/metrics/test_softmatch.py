"""Soft match: bert-score's own matching in plain NumPy, and two of its numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.errors import InputError
from assay.matching.batch import Batch
from assay.text.vectors.encoder import encoder
from assay.text.vectors.recent import EncodedPieces

PIECES = {"sun": (1, 0, 0), "rain": (0, 1, 0), "snow": (0, 0.8, 0.6), "wind": (-0.6, 0, 0.8)}


class Made:
    """An encoder whose words have the same vector everywhere."""

    model, version = "made", "1"
    asked: list[list[str]]

    def __init__(self) -> None:
        self.asked = []

    def pieces(self, text: str) -> tuple[str, ...]:
        return tuple(text.split())

    def tokens(self, strings, *, threads=None):
        self.asked.append(list(strings))
        return [
            EncodedPieces(self.pieces(s), np.array([PIECES[w] for w in s.split()], np.float32).reshape(-1, 3))
            for s in strings
        ]


@pytest.fixture
def made(monkeypatch) -> Made:
    it = Made()
    monkeypatch.setattr("assay.metrics.softmatch.encoder", lambda name: it)
    monkeypatch.setenv("ASSAY_CACHE", "off")
    return it


def plain(output: str, reference: str, weight=lambda _: 1.0) -> tuple[float, float, float]:
    """greedy_cos_idf of bert-score for one pair."""
    a, b = output.split(), reference.split()
    if not a or not b:
        return 0.0, 0.0, 0.0
    cosines = np.array([PIECES[w] for w in a]) @ np.array([PIECES[w] for w in b]).T
    mine, theirs = (np.array([weight(w) for w in text]) for text in (a, b))
    p = float(cosines.max(axis=1) @ mine / mine.sum())
    r = float(cosines.max(axis=0) @ theirs / theirs.sum())
    return p, r, 2 * p * r / (p + r) if p + r > 0 else 0.0


OUTPUTS = {"A": ["sun rain", "wind", ""], "B": ["snow snow sun", "rain wind sun", "rain"]}
REFERENCES = [["rain rain wind", "sun"], ["sun snow", "wind rain"], ["snow", "rain sun"]]


@pytest.mark.parametrize("refs", ["max", "mean"])
@pytest.mark.parametrize(("k", "measure"), list(enumerate(["precision", "recall", "f"])))
def test_plain(made, k, measure, refs):
    data = assay.EvalSet.from_texts(OUTPUTS, REFERENCES)
    got = assay.score(data, f"softmatch(measure={measure}, refs={refs})").values
    pool = max if refs == "max" else np.mean
    want = [[pool([plain(o, r)[k] for r in REFERENCES[i]]) for i, o in enumerate(os)] for os in OUTPUTS.values()]
    np.testing.assert_allclose(got, want, atol=1e-6)
    assert sorted(t for asked in made.asked for t in asked) == sorted(
        {*OUTPUTS["A"], *OUTPUTS["B"], *(r for rs in REFERENCES for r in rs)}
    )


def test_the_cache(made, tmp_path, monkeypatch):
    """A second run encodes nothing, whatever the measure and the weights."""
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path))
    data = assay.EvalSet.from_texts(OUTPUTS, REFERENCES)
    first = assay.score(data, "softmatch").values
    made.asked.clear()
    np.testing.assert_array_equal(assay.score(data, "softmatch").values, first)
    assay.score(data, "softmatch(measure=recall, idf=true)")
    assert [text for asked in made.asked for text in asked] == []


def test_idf_of_the_references(made):
    """rain is in 3 of 6 references, sun in 3, snow in 2, wind in 2; what is in none counts log 7."""
    held = {"rain": 3, "sun": 3, "snow": 2, "wind": 2}
    data = assay.EvalSet.from_texts(OUTPUTS, REFERENCES)
    got = assay.score(data, "softmatch(idf=true)").values

    def weight(word: str) -> float:
        return math.log(7 / (held[word] + 1))

    want = [[max(plain(o, r, weight)[2] for r in REFERENCES[i]) for i, o in enumerate(os)] for os in OUTPUTS.values()]
    np.testing.assert_allclose(got, want, atol=1e-6)
    other = assay.EvalSet.from_texts(["sun"], ["sun"])
    assert assay.score(data, "softmatch(idf=true)", background=other).values != pytest.approx(got)
    with pytest.raises(InputError, match=r"reads all references first: use assay\.score"):
        assay.metric("softmatch(idf=true)").values(Batch(data))


def test_a_piece_that_every_reference_holds_tells_nothing(made):
    """All weights 0: as if they were all alike, not 0/0."""
    data = assay.EvalSet.from_texts(["sun"], ["sun"])
    assert assay.score(data, "softmatch(idf=true)").values.item() == pytest.approx(1)


def test_own_reference_and_no_reference(made):
    items = [
        assay.Item("1", (assay.Reference("sun", "A"), assay.Reference("snow", "B")), {"A": "sun"}),
        assay.Item("2", (), {"A": "sun"}),
    ]
    with pytest.warns(assay.AssayWarning, match="1 outputs have no score"):
        got = assay.score(assay.EvalSet(items), "softmatch").values[0]
    assert got[0] == pytest.approx(0)
    assert np.isnan(got[1])


def test_bert_scores_matching_on_the_same_vectors():
    """F by greedy_cos_idf of bert-score 0.3.13 (torch 2.13.0) on the same vectors without [CLS] and [SEP]."""
    outputs = ["The cat sat on the mat.", "It rained all night, and nobody came."]
    references = ["A cat was sitting on a rug.", "Nobody came because of the rain."]
    got = assay.score(assay.EvalSet.from_texts(outputs, references), "softmatch").values[0]
    assert got == pytest.approx([0.725989, 0.699550], abs=1e-5)
    assert encoder("minilm").pieces("rained")  # the words are the encoder's own


def test_clear_errors():
    with pytest.raises(assay.AssayError, match="unknown measure of softmatch 'f2'"):
        assay.metric("softmatch(measure=f2)")
    with pytest.raises(InputError, match="no sentence encoder in"):
        assay.score(assay.EvalSet.from_texts(["a"], ["a"]), "softmatch(encoder=nowhere)")
