"""Systems that repeat references are found, and what follows from it by default."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

import assay
from assay.data.evalset import EvalSet
from assay.data.item import Item, Judgment, Reference
from assay.data.leaks import RepeatFinder, find_leaked
from assay.learning import build_training_set

WORDS = (
    *("the", "council", "voted", "to", "close", "old", "harbour", "bridge", "for"),
    *("cars", "from", "next", "spring", "after", "long", "debate", "on", "cost"),
)


def judged_set(items: int = 12, systems: int = 7, repeats: int = 12, references: int = 3) -> EvalSet:
    """System k drops k + 1 words of a reference; the copier repeats reference 1, words shuffled, on some items."""
    rng = np.random.default_rng(0)
    entries = []
    for i in range(items):
        texts = [" ".join(rng.permutation(WORDS)[:14]) for _ in range(references)]
        outputs = {f"S{k}": " ".join(texts[i % references].split()[: 12 - k]) for k in range(systems)}
        copy = " ".join(rng.permutation(texts[1 % references].split()))
        outputs["copier"] = copy if i < repeats else "something else altogether and bad"
        scores = {f"S{k}": 5 - k / 2 + rng.random() for k in range(systems)} | {"copier": 1 + rng.random()}
        judgments = tuple(Judgment(s, "r", "quality", v) for s, v in scores.items())
        refs = tuple(Reference(text) for text in texts)
        entries.append(Item(str(i), references=refs, outputs=outputs, judgments=judgments))
    return EvalSet(entries)


def test_half_of_the_items_is_a_leak_and_less_is_not():
    assert judged_set(repeats=6).leaked == ("copier",)
    assert judged_set(repeats=5).leaked == ()
    assert judged_set(items=100, repeats=50).leaked == ("copier",)


def test_a_single_output_short_answers_and_people_are_no_leak():
    assert judged_set(items=1, repeats=1).leaked == ()
    assert judged_set(items=4, repeats=4).leaked == ()
    assert judged_set(systems=0).leaked == ()
    answers = EvalSet.from_texts({"A": ["Paris", "42", "yes"]}, [["Paris"], ["42"], ["yes"]])
    assert answers.leaked == ()
    text = "a b c d e"
    items = [Item(str(i), references=(Reference(text, "P"),), outputs={"P": text, "B": "x"}) for i in range(4)]
    assert EvalSet(items).people == ("P",)
    assert EvalSet(items).leaked == ()


def test_systems_with_few_outputs_are_looked_at():
    data = judged_set(items=60, repeats=60)
    sparse = [
        item if i < 5 else replace(item, outputs={s: t for s, t in item.outputs.items() if s != "copier"}, judgments=())
        for i, item in enumerate(data)
    ]
    assert find_leaked(sparse) == {"copier": dict.fromkeys("01234", 1)}


def test_the_quick_checks_change_nothing():
    rng = np.random.default_rng(1)
    finder = RepeatFinder(0.8)
    for _ in range(300):
        a, b = (" ".join(rng.choice(list("abcdefgh"), size=rng.integers(1, 12))) for _ in range(2))
        words = [a.split(), b.split()]
        common = sum(min(words[0].count(w), words[1].count(w)) for w in set(words[0]))
        overlap = 2 * common / sum(map(len, words))
        assert finder.find(a, [b]) == ((0, overlap) if overlap > 0.8 or overlap == 1 else None)


def test_correlations_leave_it_out_unless_it_is_to_stay():
    data = judged_set()
    scores = assay.score(data, ["rouge1"])
    result = assay.correlate(scores, data.human("quality"), resamples=50)
    assert result.correlations[0].n == 7
    assert result.leaked == ("copier",)
    assert any("Left out: copier repeats a reference" in note for note in result.view().notes)
    assert assay.correlate(scores["rouge1"], data.human("quality"), resamples=50, without=()).n == 8
    assert assay.meta.decision_agreement(scores["rouge1"], data.human("quality")).n == 21


def test_it_is_scored_against_the_other_references():
    data = judged_set()
    kept, scores = assay.score(data, "rouge1"), assay.score(data.skip_repeats(), "rouge1")
    assert kept.row("copier")[0] > scores.row("copier")[0] + 0.05
    np.testing.assert_array_equal(kept.values[:-1], scores.values[:-1])
    others = EvalSet(
        [replace(item, references=(item.references[0], item.references[2]), judgments=()) for item in data]
    )
    np.testing.assert_allclose(assay.score(others, "rouge1").row("copier"), scores.row("copier"))
    assert any("copier repeats a reference" in note for note in scores.view().notes)
    comparison = assay.compare(scores)
    assert comparison.leaked == ("copier",)
    assert "copier repeats a reference" in " ".join(comparison.view().sentences)
    assert "scored against the other references" in " ".join(comparison.view().sentences)
    assert "its score is too high" in " ".join(assay.compare(kept).view().sentences)
    single = judged_set(references=1)
    assert assay.score(single.skip_repeats(), "rouge1").row("copier")[0] == 1.0


def test_learning_leaves_it_out():
    data = judged_set()
    built = build_training_set(data, dimension="quality", features=["rouge1"])
    assert "copier" not in built.targets[0].systems
    kept = build_training_set(data, dimension="quality", features=["rouge1"], leaked="include")
    assert "copier" in kept.targets[0].systems


def test_repeats_equal_a_plain_count_of_words():
    rng = np.random.default_rng(0)
    some = 0
    for _ in range(400):
        size = int(rng.integers(1, 40))
        reference = list(rng.choice(list("abcdefgh"), size=size))
        output = list(rng.permutation(reference)) if rng.random() < 0.7 else list(rng.choice(list("abc"), size=size))
        if rng.random() < 0.4:
            output[0] = "z"
        if rng.random() < 0.3:
            output = output[1:]
        common = (Counter(output) & Counter(reference)).total()
        overlap = 2 * common / (len(output) + size)
        near = RepeatFinder().find(" ".join(output), ["nothing", " ".join(reference)])
        assert near == ((1, overlap) if overlap > 0.95 else None)
        some += near is not None
    assert 50 < some < 350
