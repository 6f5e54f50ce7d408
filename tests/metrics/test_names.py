"""Names that stand for several metrics, for another metric, or for one that is not here."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError, StandInWarning, UnknownName
from assay.metrics import METRICS, metric
from assay.metrics._names import FAMILIES, GRID, expand_names, parse_toutanova


def test_the_grid_is_the_metrics_with_the_names_of_the_paper():
    assert len(GRID) == len(set(GRID)) == 80
    assert set(GRID) == {name for name, _ in METRICS.examples() if parse_toutanova(name)}


def test_every_metric_has_a_family_that_is_described():
    assert {cls.family for cls in METRICS.classes} <= set(FAMILIES) - {"other"}


def test_a_group_in_python_is_several_metrics():
    scores = assay.score(["the cat sat"], ["the cat sat down"], "rouge")
    assert list(scores) == ["rouge1", "rouge2", "rougeL"]
    assert expand_names(["ROUGE", "rouge1"]) == ["rouge1", "rouge2", "rougeL"]
    with pytest.raises(UnknownName, match=r"stands for 3 metrics \(rouge1, rouge2, rougeL\); name one of them"):
        metric("rouge")


@pytest.mark.parametrize("name", ["bertscore", "BERTScore", "bert_score"])
def test_bertscore_is_softmatch_with_a_warning(name):
    with pytest.warns(StandInWarning, match="The numbers cannot be compared with published ones"):
        assert metric(f"{name}(idf=true)").signature() == metric("softmatch(idf=true)").signature()


@pytest.mark.parametrize(
    ("name", "package"), [("comet", "unbabel-comet"), ("COMET-22", "unbabel-comet"), ("BLEURT-20", "bleurt")]
)
def test_neural_metrics_say_how_to_bring_their_scores(name, package):
    with pytest.raises(UnknownName, match=f"score with {package}, .*--scores FILE"):
        metric(name)


def test_a_policy_for_several_references_is_one_word_away():
    assert metric("rouge2(best)") == metric("rouge2(refs=best)")
    assert metric("rouge2(best, recall)") == metric("rouge2(refs=best, measure=recall)")
    with pytest.raises(InputError, match="is not a parameter: write name=value"):
        metric("rouge2(stem)")


def test_best_is_what_rouge_score_does_with_several_references():
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rouge2", "rougeL"])
    references, output = ["the cat sat on the mat", "a cat was sitting there", "cats sit"], "the cat sat there"
    theirs = scorer.score_multi(references, output)
    ours = assay.score([output], [references], "rouge(best)")
    for name, scores in ours.items():
        assert scores.values.item() == pytest.approx(theirs[name.partition("(")[0]].fmeasure, abs=1e-12)
