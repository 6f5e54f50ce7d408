"""ROUGE equals rouge-score 0.1.2 and the Perl program ROUGE-1.5.5."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer

import assay
from assay.errors import UnknownName

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
MEASURES = {"precision": "precision", "recall": "recall", "f": "fmeasure"}
text = st.text(st.sampled_from("ab cd ef the cats running \n.,-3"), max_size=60)


def peer(stem: bool) -> rouge_scorer.RougeScorer:
    return rouge_scorer.RougeScorer(list(TYPES), use_stemmer=stem)


def spelled(stem: bool) -> str:
    return str(stem).lower()


@settings(deadline=None, max_examples=200)
@given(text, st.lists(text, min_size=1, max_size=4), st.booleans())
def test_best_reference_as_score_multi(output, references, stem):
    data = assay.EvalSet.from_texts([output], [references])
    want = peer(stem).score_multi(references, output)
    for name in TYPES:
        for measure, attribute in MEASURES.items():
            got = assay.score(data, f"{name}(measure={measure}, stem={spelled(stem)}, refs=best)").values.item()
            assert got == pytest.approx(getattr(want[name], attribute), abs=1e-12)


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["summeval.jsonl.gz", "tac2008.jsonl.gz"])
def test_every_output_as_rouge_score(shared, name, every, stem):
    """Every output of the set against its first reference, to 1e-9; each third item of TAC, which is large."""
    data = shared(name)
    scores = {
        (kind, m): assay.score(data, f"{kind}(measure={m}, refs=single, own=keep, stem={spelled(stem)})")
        for kind in TYPES
        for m in MEASURES
    }
    scorer = peer(stem)
    step = every * (3 if name.startswith("tac") else 1)
    for column, item in list(enumerate(data))[::step]:
        for system, output in item.outputs.items():
            want = scorer.score(item.references[0].text, output)
            row = data.systems.index(system)
            for (kind, m), got in scores.items():
                assert got.values[row, column] == pytest.approx(getattr(want[kind], MEASURES[m]), abs=1e-9)


# The options of the Perl program, as parameters; it was run without WordNet's exception lists.
SETTINGS = {
    "stem": "refs=sum, stem=porter155",
    "plain": "refs=sum",
    "stem_stop": "refs=sum, stem=porter155, stop=true",
    "stem_best": "refs=best-recall, stem=porter155",
    "stem_50words": "refs=sum, stem=porter155, words=50",
}
NAMES = {"ROUGE-L": "rougeLsum", "ROUGE-W-1.2": "rougeW(weight=1.2)"}


def as_call(name: str, measure: str, settings_: str) -> str:
    call = NAMES.get(name, name).replace("(", ", ").rstrip(")")
    head, _, more = call.partition(", ")
    return f"{head}(tokenizer=rouge155, measure={measure}, {settings_}{', ' + more if more else ''})"


@pytest.mark.parametrize("setting", SETTINGS)
def test_as_rouge_155(shared, golden_folder, setting):
    """All figures the Perl program printed for 200 summaries, to the printed digits."""
    data = shared("tac2008.jsonl.gz")
    golden = json.loads((golden_folder / "rouge-1.5.5-tac2008.json").read_text())
    names = list(golden["rows"][0]["scores"][setting])
    measures = ("recall", "precision", "f")
    calls = {(n, m): as_call(n, m, SETTINGS[setting]) for n in names for m in measures}
    scores = assay.score(data, list(calls.values()))
    for (name, measure), call in calls.items():
        s = scores[call]
        got = [s.values[s.systems.index(r["system"]), s.items.index(r["item"])] for r in golden["rows"]]
        want = [r["scores"][setting][name][measures.index(measure)] for r in golden["rows"]]
        np.testing.assert_allclose(got, want, atol=5e-6, err_msg=call)


def test_tac_2008_correlations(shared):
    """Published (Owczarzak and Dang 2009): .8302 and .8033 with responsiveness over the 58 systems."""
    data = shared("tac2008.jsonl.gz")
    systems = [s for s in data.systems if s not in data.people]
    human = data.human("responsiveness").select(systems).means()
    for call, published in [("rouge2", 0.8302), ("rougeSU4", 0.8033)]:
        mine = assay.score(data, f"{call}(measure=recall, stem=true)").select(systems).means()
        assert np.corrcoef(mine, human)[0, 1] == pytest.approx(published, abs=0.001)


def test_su_does_not_count_the_last_word_alone():
    data = assay.EvalSet.from_texts(["b"], ["a b"])
    assert assay.score(data, "rougeSU4").values.item() == 0.0
    assert assay.score(data, "rouge1(measure=recall)").values.item() == 0.5


def test_any_gap():
    data = assay.EvalSet.from_texts(["a b c d e f g"], ["a x x x x x x x g"])
    assert assay.score(data, "rougeS4(measure=recall)").values.item() == 0.0
    assert assay.score(data, "rougeS*(measure=recall)").values.item() > 0.0


def test_sentences_by_rule():
    data = assay.EvalSet.from_texts(["It rained. We left."], ["We left. It rained."])
    assert assay.score(data, "rougeLsum").values.item() == 0.5
    assert assay.score(data, "rougeLsum(sentences=rule)").values.item() == 1.0


def test_no_union_for_subsequences():
    with pytest.raises(UnknownName, match="unknown refs of rougeL 'all'"):
        assay.metric("rougeL(refs=all)")
