"""What needs the output alone: cases by hand."""

from __future__ import annotations

import pytest

import assay
from assay.metrics import METRICS, metric
from assay.text import Texts
from assay.text.parse.sentence import Parse, Word

OUTPUTS_ONLY = [name for name, _ in METRICS.examples() if metric(name).needs == "outputs"]


def one(name: str, text: str) -> float:
    return assay.score(assay.EvalSet.from_texts([text]), name).values.item()


@pytest.mark.parametrize("name", OUTPUTS_ONLY)
def test_neither_references_nor_sources_are_needed(name):
    scores = assay.score(assay.EvalSet([assay.Item("1", outputs={"A": "It rained.", "B": ""})]), name)
    assert scores.values.shape == (2, 1)
    assert scores.counts().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "text", "want"),
    [
        ("sentencelength", "One two. Three four five six.", 3),
        ("sentencelength", "", 0),
        ("repeats3", "a b c d", 0),
        ("repeats3", "a b c a b c", 0.25),  # abc bca cab abc
        ("repeats3", "a b", 0),
        ("unbalanced", "(a [b) c].", 2),
        ("unbalanced", 'He said "no". She "yes.', 0.5),
        ("unbalanced", "Don't 'quote' it.", 0),
        ("unbalanced", "", 0),
        ("unended", 'It is. "So it is." Is it?', 0),
        ("unended", "A headline\nIt is.", 0.5),
        ("unended", "", 1),
        ("unended(where=last)", "A headline\nIt is (or was.)", 0),
    ],
)
def test_by_hand(name, text, want):
    assert one(name, text) == pytest.approx(want)


def test_finite_verbs(monkeypatch):
    def word(form: str, pos: str, tag: str, features: str = "") -> Word:
        return Word(form, form, pos, tag, features, -1, "root")

    made = (
        (word("it", "PRON", "PRP"), word("rained", "VERB", "VBD", "Tense=Past|VerbForm=Fin")),
        (word("to", "PART", "TO"), word("rain", "VERB", "VB", "VerbForm=Inf")),
        (word("may", "AUX", "MD"), word("rain", "VERB", "VB")),
        (word("rain", "NOUN", "NN"),),
    )
    monkeypatch.setattr(Texts, "parses", lambda self, model="en": [Parse(made), Parse(())])
    data = assay.EvalSet.from_texts(["four sentences", ""])
    assert assay.score(data, "finite").values.tolist() == [[0.5, 0.0]]
