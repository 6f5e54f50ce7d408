"""References with replacements."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import EvalSet, Item, Judgment, Reference
from assay.errors import InputError, UnknownName
from assay.systems.paraphrase import EquivalenceSet, Member, Paraphrases, expand, nearest, score_expanded, variants


def group(source, *texts):
    share = 1 / len(texts)
    return EquivalenceSet(source, 2 * len(texts), tuple(Member(t, 2, share, 1.0) for t in texts))


FOUND = Paraphrases(
    (group("réponse", "answer", "reply"), group("mais", "but", "however"), group("ça", "that", "it")), "by hand", 3
)
# Owczarzak et al. (2006), example (2).
ORIGINAL = "i admire the answer mrs parly gave this morning but we have turned a blind eye to that"


def test_the_papers_example():
    assert [v.text for v in variants(ORIGINAL, FOUND)] == [
        "i admire the reply mrs parly gave this morning but we have turned a blind eye to that",
        "i admire the answer mrs parly gave this morning however we have turned a blind eye to that",
        "i admire the answer mrs parly gave this morning but we have turned a blind eye to it",
    ]


def test_every_occurrence_in_turn_case_and_spacing_kept():
    found = Paraphrases((group("f", "far-right", "extreme right"),), "by hand", 0)
    assert [v.text for v in variants("Far-right,  and far-right.", found)] == [
        "Extreme right,  and far-right.",
        "Far-right,  and extreme right.",
    ]


def test_overlapping_phrases_and_no_part_of_a_word():
    found = Paraphrases((group("f", "a b", "x"), group("g", "b c", "y"), group("h", "b", "z")), "by hand", 0)
    assert {v.text for v in variants("a b c", found)} == {"x c", "a y", "a z c"}
    assert variants("ab bc", found) == []


def test_no_more_than_asked_for_and_the_most_probable():
    sets = (EquivalenceSet("f", 9, (Member("a", 3, 0.2, 1.0), Member("b", 3, 0.5, 1.0), Member("c", 3, 0.3, 1.0))),)
    found = Paraphrases(sets, "by hand", 0)
    assert [v.text for v in variants("a", found, most=1)] == ["b"]
    assert len(variants("a " * 10_000, found)) == 100
    with pytest.raises(InputError, match="most must be 1 or more; got 0"):
        expand(EvalSet.from_texts(["a"], ["a"]), found, most=0)


def test_nearest_takes_what_the_output_asks_for():
    got = nearest(ORIGINAL, "the reply she gave however was blind to it", FOUND)
    assert got.text == ORIGINAL.replace("answer", "reply").replace("but", "however").replace("that", "it")
    assert [r.new for r in got.replacements] == ["reply", "however", "it"]
    assert nearest(ORIGINAL, "the answer and the reply", FOUND).text == ORIGINAL  # the output has the old one too
    twice = nearest("answer answer", "reply", FOUND)
    assert twice.text == "reply answer"


def test_expand_one():
    data = EvalSet.from_texts({"A": ["reply"], "B": ["answer"]}, [["the answer", "no"]], ["x"])
    got = expand(data, FOUND)
    assert got["1"].references == (
        Reference("the answer"),
        Reference("the reply", "paraphrase: answer > reply"),
        Reference("no"),
    )
    assert got["1"].sources == ("x",)
    assert got.systems == data.systems


def test_scores_rise_and_the_signature_says_why():
    data = EvalSet.from_texts({"A": ["the reply came"], "B": ["the dog came"]}, ["the answer came"])
    for how in ("one", "lattice", "best"):
        for name in ("rouge1(refs=max)", "bleu(smooth=add-k)", "LR-2+F-1+MULT-ALL", "rougeL(refs=max)"):
            plain, more = (
                assay.score(data, name),
                score_expanded(data, FOUND, lambda d, m=name: assay.score(d, m), how=how),
            )
            assert more.values[0, 0] > plain.values[0, 0]
            assert more.values[1, 0] == pytest.approx(plain.values[1, 0], abs=0.2)
            assert more.signature.startswith(plain.signature + f" + paraphrases(how={how}")
            assert more.systems == plain.systems


def test_the_lattice_has_all_replacements_at_once():
    data = EvalSet.from_texts({"A": [ORIGINAL.replace("answer", "reply").replace("but", "however")]}, [ORIGINAL])
    one, lattice = (
        score_expanded(data, FOUND, lambda d: assay.score(d, "rouge2(refs=max)"), how=h) for h in ("one", "lattice")
    )
    assert one.values.item() < lattice.values.item() == 1.0
    assert "paraphrases(how=lattice, by hand)" in lattice.signature


def test_best_makes_a_set_of_one_system():
    both = (Judgment("A+B", "r", "adequacy", 1.0), Judgment("A", "s", "adequacy", 0.0))
    item = Item("1", (Reference("the answer"),), {"A": "reply", "B": "reply"}, judgments=both)
    other = Item("2", (Reference("but"),), {"A": "however"})
    data = EvalSet([item, other], allow_missing=True)
    got = expand(data, FOUND, how="best", system="B")
    assert (got.systems, got.items) == (("B",), ("1",))
    assert got["1"].judgments == (Judgment("B", "r", "adequacy", 1.0),)
    scores = score_expanded(data, FOUND, lambda d: assay.score(d, "rouge1"), how="best")
    assert scores.values.shape == (2, 2)
    assert np.isnan(scores.values[1, 1])
    assert scores.values[0, 1] == 1.0


def test_bad_input():
    data = EvalSet.from_texts({"A": ["x"], "B": ["y"]}, ["z"])
    with pytest.raises(UnknownName, match="unknown way to expand references 'two'"):
        expand(data, FOUND, how="two")
    with pytest.raises(InputError, match="name it, as system='A'"):
        expand(data, FOUND, how="best")
    with pytest.raises(UnknownName, match="unknown system 'C'"):
        expand(data, FOUND, how="best", system="C")
    people = EvalSet([Item("1", (Reference("z", "ann"),), {"ann": "z"})])
    with pytest.raises(InputError, match="'ann' is a person"):
        expand(people, FOUND)
