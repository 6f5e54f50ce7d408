"""What must hold of every metric, found by walking the folder."""

from __future__ import annotations

import pytest

import assay
from assay.errors import InputError, UnknownName
from assay.metrics import METRICS, Metric, metric
from assay.testing.component import check_class, check_signature
from assay.testing.metrics import DATA, check_chunks, check_missing_references, check_scores

NAMES = [name for name, _ in METRICS.examples()]
# The others need a file that does not come with Assay, or marks that people made.
SCORED = [
    name
    for name in NAMES
    if "FILE" not in name and metric(name).needs != "content units" and not metric(name).undefined
]


@pytest.mark.parametrize("name", NAMES)
def test_signature_is_what_you_type_to_get_the_number_again(name):
    built = metric(name)
    check_signature(built)
    assert metric(built.signature()) == built
    assert len(built.summary()) <= 70


@pytest.mark.parametrize("name", SCORED)
def test_scores_are_finite_and_ordered_sensibly(name):
    check_scores(metric(name))
    means = dict(zip(DATA.systems, assay.score(DATA, name).means(), strict=True))
    if metric(name).needs == "references":
        if metric(name).higher_is_better:
            assert means["near"] > means["other"] or name == "exact"  # near is not the same
        else:  # an error rate
            assert means["same"] == 0.0 or name.startswith("js")  # the mean over references that differ


@pytest.mark.parametrize("name", SCORED)
def test_threads_chunks_and_order_change_nothing(name):
    check_chunks(metric(name))


@pytest.mark.parametrize("cls", METRICS.classes, ids=lambda c: c.name)
def test_documented(cls: type[Metric]):
    check_class(cls, Metric)
    assert cls.examples, "name at least one example for the list"


@pytest.mark.parametrize("name", SCORED)
def test_without_references_there_is_no_score(name):
    check_missing_references(metric(name))


def test_outputs_without_a_score_are_counted():
    data = assay.EvalSet([assay.Item("1", (assay.Reference("a"),), {"A": "a"}), assay.Item("2", (), {"A": "a"})])
    with pytest.warns(assay.AssayWarning, match="1 outputs have no score"):
        assert assay.score(data, "rouge1").counts().tolist() == [1]


def test_names_in_many_spellings():
    assert metric("ROUGE-2") == metric("rouge2") == metric("Rouge_2") == metric(" rouge2 ( ) ")
    assert metric("ROUGE-SU4") == metric("rougeSU4")
    assert metric("BLEU") == metric("bleu4") == metric("BLEU-4")
    assert metric("rougeS*") == metric("rougeS*")
    assert metric("skip-2+recall+mult-prob") == metric("overlap(unit=SKIP-2, measure=recall, refs=prob)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rogue1", "unknown metric 'rogue1'; did you mean 'rouge1'"),
        ("rouge1(mesure=f)", "unknown parameter of rouge1 'mesure'; did you mean 'measure'"),
        ("rouge1(measure=recal)", "unknown measure of rouge.* 'recal'; did you mean 'recall'"),
        ("rouge1(refs=maxx)", "unknown refs of .* 'maxx'; did you mean 'max'"),
        ("rouge1(tokenizer=13b)", "unknown tokenizer '13b'; did you mean '13a'"),
        ("rouge1(stop=maybe)", "stop of rouge1 must be true or false; got 'maybe'"),
        ("rouge1(beta=x)", "beta of rouge1 must be a number; got 'x'"),
        ("rouge1(beta=0)", "beta of .* must be above 0"),
        ("rouge1(stem)", "'stem' in 'rouge1\\(stem\\)' is not a parameter"),
        ("rouge0", "n-grams need n between 1 and 1000; got 0"),
        ("bleu(n=x)", "n of bleu must be a whole number"),
        ("overlap(unit=LR-0)", "n-grams need n"),
        ("overlap(unit=words)", "unknown unit 'words'"),
        ("PARSE-2+Recall+MULT-MAX(stop=true)", "stop of overlap\\(unit=PARSE-2\\) must be false"),
        ("overlap(unit=PARSE-2, stem=german)", "must be porter or none; got 'german'"),
        ("depeval(word=token)", "unknown word of depeval 'token'"),
        ("depeval(nbest=2)", "unknown refs of depeval with nbest 'sum'"),
        ("depeval(nbest=0)", "nbest of depeval must be between 1 and 1000"),
        ("depeval(weights=sub:2)", "unknown relation 'sub'; did you mean 'subj'"),
        ("depeval(weights=subj)", "weights must be written as subj:2;obj:1"),
        ("depeval(weights=subj:-1)", "the weight of subj must be a number of 0 or more; got '-1'"),
        ("depeval(weights=there-is-none.json)", "cannot be read as JSON"),
        ("depeval(weights=subj:2, norel=true)", "by relation: they need norel=false"),
        ("depeval(wn=true, word=stem)", "needs word=lemma"),
        ("be(unit=hr)", "unknown unit of be 'hr'"),
        ("rougeW(weight=1)", "weight of rougeW must be above 1"),
        ("rouge1(words=-3)", "words of .* must be 0 \\(all\\) or more"),
        ("", "is not a metric"),
        ("rouge1(", "is not a metric"),
    ],
)
def test_clear_errors(text, message):
    with pytest.raises((UnknownName, InputError), match=message):
        metric(text)
