"""Which replacements change a score."""

from __future__ import annotations

import pytest

from assay import EvalSet, score
from assay.systems.paraphrase import Paraphrases, explain_scores
from assay.systems.paraphrase.equivalence_sets import EquivalenceSet, Member

GROUP = EquivalenceSet("antwort", 4, (Member("answer", 2, 0.5, 1.0), Member("reply", 2, 0.5, 1.0)))
DATA = EvalSet.from_texts({"A": ["the answer"], "B": ["x"]}, [["the reply"]], sources=["die antwort"])


@pytest.mark.parametrize("how", ["one", "lattice", "best"])
def test_the_replacement_that_helps_is_named(how):
    pairs = Paraphrases((GROUP,), "least=2", 1)
    effects = explain_scores(DATA, pairs, lambda data: score(data, "rouge1(refs=max)"), "rouge1", how=how)
    assert effects.changed == 1
    assert [(s.system, s.before, s.after) for s in effects.systems] == [("A", 0.5, 1.0), ("B", 0.0, 0.0)]
    (effect,) = effects.replacements
    assert (effect.replacement, effect.outputs, effect.change) == ("reply > answer", 1, 0.5)
    kinds = [record["kind"] for record in effects.records()]
    assert kinds == ["paraphrase_effects", "score_change", "score_change", "replacement"]
