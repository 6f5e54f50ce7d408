"""The spectrum of a metric: what is generated, what is compared, and how gaming shows."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay import EvalSet, score
from assay.errors import InputError
from assay.meta.probe import probe
from assay.metrics._predictors import Fitted, Linear
from assay.metrics.learned import Feature, scorer

sys.path.insert(0, str(Path(__file__).parents[1] / "learning"))
from learning_made import made_set

DATA = made_set(items=4)


@pytest.fixture(scope="module")
def found():
    return probe(DATA, "rouge1(measure=recall)", ["rouge2", "ter", "red1"], items=3, words=20, population=40)


def test_extracts_are_made_of_the_source_and_fit(found):
    for spectrum in found.spectra.values():
        source = DATA[spectrum.item].sources[0]
        for text in spectrum.texts:
            assert len(text.split()) <= 20
            assert all(sentence in source for sentence in text.split("\n"))


def test_scores_are_those_of_assay(found):
    spectrum = next(iter(found.spectra.values()))
    item = DATA[spectrum.item]
    texts = EvalSet([replace(item, outputs={str(i): t for i, t in enumerate(spectrum.texts)}, judgments=())], people=())
    assert np.allclose(score(texts, "rouge1(measure=recall)").values[:, 0], spectrum.scores[0])
    assert np.allclose(score(texts, "ter").values[:, 0], -spectrum.scores[2])  # lower is better: turned
    assert (np.diff(spectrum.scores[0]) <= 1e-12).all()
    real = score(DATA, "rouge1(measure=recall)")
    assert np.allclose(real.select(items=[spectrum.item]).values[:, 0], spectrum.real[0])


def test_people_are_not_among_the_systems():
    made = probe(made_set(people=True), "rouge1", items=1, population=10, words=20, generations=2)
    assert next(iter(made.spectra.values())).systems == ("s0", "s1", "s2", "s3", "s4")


def test_a_metric_that_agrees_and_one_that_does_not():
    """The best extract by recall should please recall's own kin, and not a metric that hates what it loves."""
    turned = probe(DATA, "rouge1(measure=recall)", ["rouge1(measure=recall, beta=2)", "rate"], items=4, words=30)
    kin, length = turned.others
    assert kin.whole == pytest.approx(1.0)
    assert kin.beaten == 1.0  # thirty words say more of the references than nine
    assert length.beaten < 0.2  # rate: shorter is better
    assert length.whole < 0.2
    assert turned.clearest() in turned.items


def test_sentences_of_the_systems_where_there_are_no_sources():
    bare = EvalSet([replace(item, sources=()) for item in DATA])
    with pytest.raises(InputError, match=r"no item has sources.*pool=outputs"):
        probe(bare, "rouge1")
    made = probe(bare, "rouge1", items=1, pool="outputs", words=18, population=10, generations=3)
    (spectrum,) = made.spectra.values()
    outputs = set(DATA[spectrum.item].outputs.values())
    assert all(line in outputs for text in spectrum.texts for line in text.split("\n"))


def test_a_learned_scorer_can_be_probed_unless_it_needs_outside_scores():
    from assay import metric

    fitted = Fitted(np.zeros(1), np.ones(1), Linear(np.array([1.0])), 0.0, 1.0)
    own = scorer([Feature("rouge1")], fitted, [metric("rouge1")], {})
    assert probe(DATA, own, items=1, population=10, generations=2).metric == "learned"
    outside = scorer([Feature("gpt", outside=True)], fitted, [None], {})
    with pytest.raises(InputError, match=r"needs outside scores .gpt."):
        probe(DATA, outside)


def test_a_metric_without_its_references():
    bare = EvalSet([replace(item, references=(), outputs=dict(item.outputs)) for item in DATA])
    with pytest.raises(InputError, match="rouge1 needs references"):
        probe(bare, "rouge1", words=20)
