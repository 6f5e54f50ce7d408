"""DEPEVAL: the f-score of 2007, the 32 variants of 2009, n-best parses, weights."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Reference
from assay.text.parse.sentence import Parse

SWITCHES = ("pred", "norel", "pm", "wn", "one")


def score(outputs, references, name: str) -> float:
    return assay.score(EvalSet.from_texts([outputs], [references]), name).values.item()


@pytest.mark.parametrize("on", list(product([False, True], repeat=5)))
def test_a_moved_adjunct_costs_nothing_in_any_variant(by_hand, on):
    chosen = ", ".join(f"{s}=true" for s, used in zip(SWITCHES, on, strict=True) if used)
    assert score("JOHN_MOVED", "JOHN", f"depeval({chosen})") == 1.0


def test_counted_by_hand(by_hand):
    """det, subj, num, pers, tense on either side; they share the tense alone."""
    for name, expected in {
        "depeval": 1 / 5,
        "depeval(pred=true)": 0.0,
        "depeval(pm=true)": 3 / 7,  # det(x, the), subj(stop, x), tense
        "depeval(pm=true, pred=true)": 2 / 4,
        "depeval(pm=true, pred=true, norel=true)": 2 / 4,
        "depeval(wn=true)": 1.0,
        "depeval(word=form)": 1 / 5,
        "depeval(measure=f, refs=max)": 1 / 5,
        "depeval(weights=tense:3)": 3 / 7,
        "depeval(weights=tense:1;*:0)": 1.0,
    }.items():
        assert score("CAR", "AUTOMOBILE", name) == pytest.approx(expected), name


def test_references_together(by_hand):
    """Summed, a triple in both references counts twice; once with one=true, as in their union."""
    refs = ["CAR", "AUTOMOBILE"]
    assert score("CAR", refs, "depeval") == pytest.approx((5 + 1) / 10)
    assert score("CAR", refs, "depeval(one=true)") == pytest.approx(5 / 9)
    assert score("CAR", refs, "depeval(refs=all)") == pytest.approx(5 / 9)
    assert score("CAR", refs, "depeval(refs=max)") == 1.0


def test_one_hit_for_each_type(by_hand, monkeypatch):
    twice = Parse(by_hand.CAR.sentences * 2)
    monkeypatch.setattr(by_hand, "TWICE", twice, raising=False)
    assert score("CAR", "TWICE", "depeval") == 0.5
    assert score("CAR", "TWICE", "depeval(one=true)") == 1.0


def test_nothing_to_match_is_zero(by_hand):
    assert score("EMPTY", "JOHN", "depeval") == 0.0
    assert score("JOHN", "EMPTY", "depeval") == 0.0
    assert score("EMPTY", "EMPTY", "depeval(measure=f, refs=max)") == 0.0


def test_people_are_not_their_own_reference(by_hand):
    refs = (Reference("CAR", "me"), Reference("AUTOMOBILE", "you"))
    data = EvalSet([Item("1", refs, {"me": "CAR", "S": "CAR"})])
    scores = assay.score(data, "depeval(refs=max)")
    assert dict(zip(scores.systems, scores.values[:, 0], strict=True)) == {"me": pytest.approx(0.2), "S": 1.0}
    assert assay.score(data, "depeval(refs=max, own=keep)").values[0, 0] == 1.0


def test_with_the_parser():
    assert score("Yesterday, John resigned.", "John resigned yesterday.", "depeval(measure=f, refs=max)") == 1.0
    assert score("Yesterday, John resigned.", "John resigned yesterday.", "bleu(smooth=floor)") < 50
    near = score("John left yesterday.", "John resigned yesterday.", "depeval(pm=true)")
    assert 0.3 < score("John left yesterday.", "John resigned yesterday.", "depeval") < near < 1.0
    assert score("The car stopped.", "The automobile stopped.", "depeval(wn=true)") == 1.0
    assert score("I saw the man.", "I saw the man.", "depeval(nbest=5, refs=max)") == 1.0


def test_a_hundred_moved_adjuncts():
    """Owczarzak et al. (2007a), Table 1: 96.56 with their parser; an n-gram metric falls much further."""
    path = Path(__file__).parents[2] / "reproduce" / "data" / "adjuncts.tsv"
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    before, after = zip(*lines, strict=True)
    assert len(before) == len(set(before)) == 100
    data = EvalSet.from_texts({"moved": list(after), "same": list(before)}, list(before))
    scores = assay.score(data, ["depeval(measure=f, refs=max)", "rouge2"])
    moved, same = scores["depeval(measure=f, refs=max)"].means()
    assert same == pytest.approx(1.0)
    assert moved > 0.9656
    assert scores["rouge2"].means()[0] < 0.9


def test_active_and_passive_share_their_relations():
    """The parser that comes with Assay; without `active` the two clauses share determiners and nouns."""
    pair = "Parliament passed the law on Monday.", "The law was passed by parliament on Monday."
    assert score(*pair, "depeval(measure=f, refs=max)") == pytest.approx(0.7407, abs=1e-4)
    assert score(*pair, "depeval(measure=f, refs=max, active=true)") == pytest.approx(0.9231, abs=1e-4)
    assert score(*pair, "depeval(measure=f, refs=max, pred=true, active=true)") == 1.0
    misread = "The man bit the dog.", "The dog was bitten by the man."  # bit is a noun to the parser
    assert score(*misread, "depeval(measure=f, refs=max)") == pytest.approx(0.4545, abs=1e-4)
    assert score(*misread, "depeval(measure=f, refs=max, active=true)") == pytest.approx(0.4762, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "plain", "active"), [("cs", 0.4937, 0.4940), ("de", 0.5473, 0.5464)])
def test_active_clauses_gain_nothing_on_wmt17(shared, language, plain, active):
    """Pearson's r with adequacy over all judged outputs: why active=false is the default (docs/defaults.md)."""
    whole = shared(f"wmt17-{language}-en.jsonl.gz")
    data = EvalSet([item for item in whole if item.judgments], allow_missing=True)
    human = data.human("adequacy")
    for name, expected in (
        ("depeval(measure=f, refs=max)", plain),
        ("depeval(measure=f, refs=max, active=true)", active),
    ):
        scores = assay.score(data, name).select(list(human.systems)).values
        judged = ~np.isnan(human.values)
        assert np.corrcoef(scores[judged], human.values[judged])[0, 1] == pytest.approx(expected, abs=5e-4)
