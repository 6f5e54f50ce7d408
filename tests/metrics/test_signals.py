"""What needs the output alone: cases by hand."""

from __future__ import annotations

import pytest

import assay
from assay.metrics import METRICS, metric
from assay.text import Texts
from assay.text.parse.sentence import Parse, Word

ALONE = [name for name, _ in METRICS.examples() if metric(name).needs == "outputs"]


def one(name: str, text: str) -> float:
    return assay.score(assay.EvalSet.from_texts([text]), name).values.item()


@pytest.mark.parametrize("name", ALONE)
def test_neither_references_nor_sources_are_needed(name):
    scores = assay.score(assay.EvalSet([assay.Item("1", outputs={"A": "It rained.", "B": ""})]), name)
    assert scores.values.shape == (2, 1)
    assert scores.counts().tolist() == [1, 1]


@pytest.mark.parametrize(
    ("name", "text", "want"),
    [
        ("length", "Don't panic: it's 3.14!", 4),
        ("length(unit=chars)", "é a", 3),
        ("length(unit=sentences)", "One.\nTwo three. Four", 3),
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
        ("red2", "sun rain sun rain", 2 / 3),
        ("red1", "", 0),
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


def test_perplexity_by_hand(tmp_path):
    """A model in ARPA's format with p(a) = 1/2, p(</s>) = 1/4, p(<unk>) = 1/4, whatever comes before."""
    (tmp_path / "made.arpa").write_text(
        "\\data\\\nngram 1=4\n\n\\1-grams:\n-0.60206\t<unk>\n-99\t<s>\n-0.60206\t</s>\n-0.30103\ta\n\n\\end\\\n"
    )
    name = f"perplexity(model={tmp_path}/made.arpa"
    assert one(f"{name})", "a a") == pytest.approx((2 * 2 * 4) ** (1 / 3), rel=1e-5)
    assert one(f"{name})", "a b") == pytest.approx((2 * 4 * 4) ** (1 / 3), rel=1e-5)
    assert one(f"{name}, unknown=out)", "a b") == pytest.approx((2 * 4) ** (1 / 2), rel=1e-5)
    assert one(f"{name})", "a\na") == pytest.approx((2 * 4 * 2 * 4) ** (1 / 4), rel=1e-5)
    assert one(f"{name})", "") == pytest.approx(4, rel=1e-5)
    with pytest.raises(assay.AssayError, match="no language model nowhere"):
        one("perplexity(model=nowhere.npz)", "a")


def test_perplexity_tells_order():
    assert one("perplexity", "He said that it was late.") < one("perplexity", "Late was it that said he.")
